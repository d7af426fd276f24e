#include "io/robot/robot_names.hpp"

#include <cctype>

#include <fmt/format.h>

#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

std::string without_dots(const std::string& name) {
  std::string own = mechanics::shown(name, 200);
  for (char& c : own)
    if (c == '.' || c == ',') c = '_';
  return own;
}

std::string as_parameter(const std::string& name) {
  std::string own;
  for (const char c : name) own += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return own;
}

}  // namespace

RobotNames::RobotNames(Robot& robot) {
  // Names of the file first, so that none of those that are made up is one of them.
  struct Wanted {
    std::string name;
    const char* kind;
    std::string* into;
    bool has = true;
  };
  std::vector<Wanted> all;
  const auto collect = [&](const auto& of, const char* kind, std::vector<std::string>& into) {
    into.resize(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) all.push_back({of[i].name, kind, &into[i]});
  };
  collect(robot.links, "link", links);
  all.erase(all.begin());
  links[0] = "ground";
  collect(robot.joints, "joint", joints);
  for (std::size_t i = 0; i < robot.joints.size(); ++i)
    all[robot.links.size() - 1 + i].has = robot.joints[i].type != RobotJoint::Type::free;
  collect(robot.points, "point", points);
  collect(robot.couplings, "coupling", couplings);
  collect(robot.rods, "rod", rods);
  collect(robot.actuators, "actuator", actuators);
  std::vector<Wanted> others;
  for (const Wanted& one : all) {
    if (!one.has) continue;
    const std::string own = without_dots(one.name);
    if (!own.empty() && taken_.insert(own).second)
      *one.into = own;
    else
      others.push_back(one);
  }
  for (const Wanted& one : others) {
    const std::string own = without_dots(one.name);
    *one.into = free_one(own.empty() ? one.kind : own + "_" + one.kind);
  }
  for (const Wanted& one : all)
    if (one.has && !one.name.empty() && *one.into != mechanics::shown(one.name, 200))
      robot.notes.push_back(fmt::format("{} '{}' is called '{}' here", one.kind, one.name, *one.into));
  name_controls(robot);
}

std::string RobotNames::made(const std::string& wanted) {
  return taken_.insert(wanted).second ? wanted : free_one(wanted);
}

std::string RobotNames::free_one(const std::string& base) {
  for (int& tried = next_[base];;) {
    const std::string name = tried == 0 ? base : fmt::format("{}{}", base, tried + 1);
    ++tried;
    if (taken_.insert(name).second) return name;
  }
}

void RobotNames::name_controls(Robot& robot) {
  controls.resize(robot.actuators.size());
  std::set<std::string> used;
  for (std::size_t i = 0; i < controls.size(); ++i)
    if (const std::string& name = robot.actuators[i].name;
        as_parameter(name) == name && used.insert(name).second)
      controls[i] = "ctrl_" + name;
  std::map<std::string, int> next;
  for (std::size_t i = 0; i < controls.size(); ++i) {
    if (!controls[i].empty()) continue;
    const std::string base = as_parameter(robot.actuators[i].name);
    std::string name = base;
    for (int& number = next[base]; !used.insert(name).second;)
      name = fmt::format("{}_{}", base, ++number + 1);
    controls[i] = "ctrl_" + name;
    if (robot.actuators[i].gain != 0)
      robot.notes.push_back(
          fmt::format("actuator '{}' is told what to do by {}", robot.actuators[i].name, controls[i]));
  }
}

}  // namespace driftless::io

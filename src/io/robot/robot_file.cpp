#include <driftless/io/robot_file.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "io/common/file_text.hpp"
#include "io/robot/coupled_starts.hpp"
#include "io/robot/loops_file.hpp"
#include "io/robot/robot_names.hpp"
#include "io/robot/robot_readers.hpp"
#include "io/robot/toml_values.hpp"
#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

Robot read_format(const XmlElement& root, const std::filesystem::path& file, const std::string& keyframe) {
  const std::string name = root.name();
  if (!keyframe.empty() && name != "mujoco")
    throw InputError(fmt::format("`keyframe` is of MJCF, and {} is none; leave it out", file.string()));
  if (name == "robot") return read_urdf(root);
  if (name == "sdf") return read_sdf(root);
  if (name == "mujoco") return read_mjcf(root, keyframe);
  throw ModelError(
      file, {{root.line(), 1, "",
              fmt::format(
                  "the root element is <{}>; it is <robot> in URDF, <sdf> in SDFormat and <mujoco> in MJCF{}",
                  mechanics::shown(name, 40),
                  name == "mujocoinclude" ? ". This file is there to be included by another one" : "")}});
}

// Names in what is told are somebody's text: it becomes one line that can be printed.
void make_printable(Robot& robot, std::vector<ModelFault>& faults) {
  constexpr std::size_t longest = 600;
  const auto tidy = [](std::string& text) { text = mechanics::shown(text, longest); };
  for (std::string& note : robot.notes) tidy(note);
  for (RobotOmission& o : robot.omissions) tidy(o.what), tidy(o.where);
  for (ModelFault& fault : faults) tidy(fault.path), tidy(fault.message);
}

// What the loops file says of the robot itself.
void apply_loops(Robot& robot, const LoopsFile& loops, const std::filesystem::path& path) {
  if (loops.gravity) robot.gravity = *loops.gravity;
  if (loops.free_base && robot.format == "MJCF")
    throw ModelError(path, {{loops.base_line, 1, "base",
                             "MJCF says itself what moves freely, by <freejoint>; leave base out"}});
  if (loops.free_base) {
    robot.fix_floating = !*loops.free_base;
    for (RobotJoint& joint : robot.joints)
      if (joint.base) joint.type = *loops.free_base ? RobotJoint::Type::free : RobotJoint::Type::fixed;
  }
  std::map<std::string, RobotFreedom*> freedoms;
  for (RobotJoint& joint : robot.joints)
    for (RobotFreedom& f : joint.freedoms) freedoms.emplace(joint.name + "." + f.coordinate, &f);
  // Joints of the tree begin there, and what hangs on them goes along; the start is closed from that.
  const auto set = [&](const std::vector<LoopsStart>& values, double RobotFreedom::*into) {
    for (const LoopsStart& value : values)
      if (const auto found = freedoms.find(value.coordinate); found != freedoms.end())
        found->second->*into = value.value, found->second->said = true;
  };
  set(loops.positions, &RobotFreedom::start);
  if (!loops.positions.empty()) start_followers(robot);
  set(loops.rates, &RobotFreedom::rate);
}

// A model file has each table once: parameters of the loops file go to those of the robot, and in place of those of the same name; its output replaces
// that of the robot. Where both say how it starts, the loops file has to.
void join_tables(std::string& text, LoopsFile& loops, const std::filesystem::path& path) {
  constexpr std::string_view parameters = "\n[parameters]\n", start = "\n[start]\n", output = "\n[output]\n";
  if (loops.output_line > 0) text.erase(text.find(output));
  std::vector<ModelFault> faults;
  for (const LoopsEntry& entry : loops.entries)
    if (const std::string table = entry.kind + "." + toml_key(entry.name);
        text.find("\n[" + table + "]") != text.npos)
      faults.push_back({entry.line, 1, table,
                        fmt::format("the robot has a {} of this name; choose another one", entry.kind)});
  if (!faults.empty()) throw ModelError(path, std::move(faults));
  if (const auto at = text.find(parameters); at != text.npos && loops.parameters_line > 0) {
    for (const std::string& name : loops.parameter_names)
      if (const auto line = text.find("\n" + name + " = ", at); line < text.find("\n[", at + 1))
        text.erase(line, text.find('\n', line + 1) - line);
    text.insert(at + parameters.size(), loops.parameters);
    loops.tables = loops.without_parameters;
  }
  if (const auto at = text.find(start); at != text.npos && loops.start_line > 0) {
    const std::size_t from = at + start.size();
    throw ModelError(
        path, {{loops.start_line, 1, "start",
                fmt::format("joints of the robot start more than half a turn away, which [start] must say "
                            "too; add to it: {}",
                            mechanics::shown(text.substr(from, text.find("\n[", from) - from), 300))}});
  }
}

void refuse_omissions(const Robot& robot, const std::filesystem::path& file) {
  std::vector<ModelFault> faults;
  for (const RobotOmission& o : robot.omissions)
    if (o.acts) faults.push_back({0, 0, "", "not simulated: " + told(o)});
  if (!faults.empty()) throw ModelError(file, std::move(faults));
}

// What was made, and where its parts come from.
struct Made {
  RobotText text;
  int loops_from = 0,
      loops_line = 0;  // first line of the loops file's tables in the text, and in that file; 0: none
};

Made make(std::string_view text, const std::filesystem::path& file, const RobotOptions& options,
          std::string_view loops_text, const std::filesystem::path& loops_path) {
  XmlReading reading(file, !options.allow_outside);
  const XmlElement root = reading.parse(text);
  Robot robot = read_format(root, file, options.keyframe);
  std::optional<LoopsFile> loops;
  if (!loops_text.empty()) loops = read_loops(loops_text, loops_path);
  if (loops) apply_loops(robot, *loops, loops_path);
  if (reading.faults().empty()) {
    std::vector<ModelFault> faults;
    place_links(robot, faults);
    for (const ModelFault& fault : faults) reading.fault(fault.line, fault.path, fault.message);
  }
  reading.finish();
  for (RobotOmission& o : reading.omissions()) robot.omissions.push_back(o);
  make_printable(robot, reading.faults());
  if (!reading.faults().empty()) throw ModelError(file, reading.faults(), reading.untold());
  if (robot.links.size() == 1)
    throw ModelError(file,
                     {{root.line(), 1, "", "nothing in it has a mass and moves: all is part of the ground"}});
  if (options.strict) refuse_omissions(robot, file);
  RobotNames names(robot);
  make_printable(robot, reading.faults());
  Made made;
  for (const bool acts : {true, false})
    for (const RobotOmission& o : robot.omissions)
      if (o.acts == acts) made.text.notes.push_back((acts ? "not simulated: " : "left out: ") + told(o));
  for (const std::string& note : robot.notes) made.text.notes.push_back(note);
  made.text.text = robot_text(robot, names, file.filename().string());
  if (loops) join_tables(made.text.text, *loops, loops_path);
  if (loops && !loops->tables.empty()) {
    made.text.text += fmt::format("\n# From {}:\n", loops_path.filename().string());
    made.loops_from = 1 + static_cast<int>(std::count(made.text.text.begin(), made.text.text.end(), '\n'));
    made.loops_line = loops->first_line;
    made.text.text += loops->tables;
  }
  return made;
}

struct Found {
  std::filesystem::path path;
  std::string text;
};
Found loops_of(const std::filesystem::path& file, const RobotOptions& options) {
  Found found{options.loops, {}};
  std::error_code error;
  if (found.path.empty()) {
    found.path = file;
    found.path.replace_extension(".loops.toml");
    if (!std::filesystem::exists(found.path, error)) return {};
  }
  found.text = text_of_file(found.path, "loops file", largest_xml_file) + '\n';  // not empty: there is one
  return found;
}

}  // namespace

bool is_robot_file(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".urdf" || ending == ".sdf" || ending == ".world" || ending == ".mjcf" || ending == ".xml";
}

RobotText robot_model_text_of(std::string_view text, const std::filesystem::path& file,
                              const RobotOptions& options, std::string_view loops) {
  std::filesystem::path beside = file;
  beside.replace_extension(".loops.toml");
  return make(text, file, options, loops, beside).text;
}

RobotText robot_model_text(const std::filesystem::path& file, const RobotOptions& options) {
  const Found loops = loops_of(file, options);
  return make(text_of_file(file, "robot file", largest_xml_file), file, options, loops.text, loops.path).text;
}

Model read_robot(const std::filesystem::path& file,
                 const std::vector<std::pair<std::string, std::string>>& set, const RobotOptions& options,
                 std::string* text) {
  const Found loops = loops_of(file, options);
  const Made made =
      make(text_of_file(file, "robot file", largest_xml_file), file, options, loops.text, loops.path);
  if (text) *text = made.text.text;
  try {
    Model model = read_model_text(made.text.text, file, set);
    model.notes = made.text.notes;
    return model;
  } catch (const ModelError& error) {
    // Lines of the text mean nothing to anybody; those of the loops file do.
    std::vector<ModelFault> own, theirs;
    for (ModelFault fault : error.faults()) {
      if (made.loops_from > 0 && fault.line >= made.loops_from) {
        fault.line += made.loops_line - made.loops_from;
        theirs.push_back(std::move(fault));
      } else {
        fault.line = fault.column = 0;
        own.push_back(std::move(fault));
      }
    }
    if (theirs.empty()) throw ModelError(file, std::move(own));
    throw ModelError(loops.path, std::move(theirs));
  }
}

}  // namespace driftless::io

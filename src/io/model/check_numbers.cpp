// Numbers of the file that look like another unit: gravity that no planet has, and angles of many turns.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using Severity = Finding::Severity;

constexpr double weakest = 1.6, strongest = 25;     // m/s^2: from the Moon to Jupiter
constexpr double earth_from = 9.7, earth_to = 9.9;  // m/s^2
constexpr double most_turns = 2;
constexpr double most_upward = 0.5;  // of gravity

// In which unit of length the number would be that of the Earth.
std::string fitting_unit(double number, double time) {
  for (const auto& [name, length] : {std::pair{"m", 1.0},
                                     {"mm", 1e-3},
                                     {"cm", 1e-2},
                                     {"km", 1e3},
                                     {"um", 1e-6},
                                     {"in", 0.0254},
                                     {"ft", 0.3048}})
    if (const double g = number * length / (time * time); g > earth_from && g < earth_to) return name;
  return {};
}

// Nobody knows which way is up, but most files have it along y in the plane and z in space.
void look_at_direction(const CheckedParts& mechanism, ModelCheck& check) {
  const mechanics::Vec3 g = mechanism.parts.gravity;
  const std::vector<ModelBody>& bodies = mechanism.model.bodies;
  const bool planar = std::all_of(bodies.begin(), bodies.end(), [](const ModelBody& b) { return b.planar; });
  const double up = planar ? g.y : g.z;
  if (!(up > most_upward * norm(g))) return;
  add_finding(
      check, Severity::note, "gravity-up", "gravity",
      fmt::format("gravity points up, along +{0}, and bodies fall that way; for {0} upwards write a minus: "
                  "gravity = {1}",
                  planar ? "y" : "z", planar ? "[0, -9.81]" : "[0, 0, -9.81]"));
}

// In which unit of time.
std::string fitting_time(double number, double length) {
  for (const auto& [name, time] : {std::pair{"s", 1.0}, {"ms", 1e-3}, {"min", 60.0}})
    if (const double g = number * length / (time * time); g > earth_from && g < earth_to) return name;
  return {};
}

void look_at_gravity(const CheckedParts& mechanism, ModelCheck& check) {
  const double g = norm(mechanism.parts.gravity);
  if (g == 0 || (g >= weakest && g <= strongest)) return;
  const mechanics::Units& units = mechanism.model.units;
  const NamedAmount amount = mechanism.in_units(g, {.length = 1, .time = -2}, "gravity");
  const std::string unit = fitting_unit(amount.value, units.time),
                    clock = fitting_time(amount.value, units.length);
  const std::string& time = mechanism.model.unit_names.at("time");
  const std::string advice =
      !clock.empty() ? fmt::format(
                           "the number is that of the Earth in {0}/{1}2, and the file's unit of "
                           "time is {2}, in which it is "
                           "{3:.4g}: write that, or change [units]",
                           mechanism.model.unit_names.at("length"), clock, time,
                           9.81 / units.of({.length = 1, .time = -2}))
      : !unit.empty() ? fmt::format(
                            "the number is that of the Earth in {0}/{1}2, and the file's unit of "
                            "length is {2}, in which it is "
                            "{3:.4g}: write that, or change [units]",
                            unit, time, mechanism.model.unit_names.at("length"),
                            9.81 / units.of({.length = 1, .time = -2}))
                      : std::string("check it and its units: it is in those of the file");
  add_finding(check, Severity::warning, "gravity", "gravity",
              fmt::format("gravity is {:.4g} {}, in SI {:.4g} m/s2 ({} to {} expected, or 0); {}",
                          amount.value, amount.unit, g, weakest, strongest, advice));
}

void look_at_angle(double angle, const std::string& subject, ModelCheck& check) {
  const double turns = std::abs(angle) / (2 * std::numbers::pi);
  if (turns <= most_turns) return;
  add_finding(
      check, Severity::warning, "angle", subject,
      fmt::format("its angle is {:.6g} rad, {:.3g} turns (at most {} expected); if degrees are meant, write "
                  "\"{:.6g}*deg\", or give [units] angle = \"deg\"",
                  angle, turns, most_turns, angle));
}

// Who works in degrees or turns does not mean radians.
void look_at_angles(const CheckedParts& mechanism, ModelCheck& check) {
  const Model& model = mechanism.model;
  if (model.units.angle != 1) return;
  const State start = model.mechanism.start();
  for (const ModelBody& body : model.bodies)
    if (body.planar) look_at_angle(mechanism.results.pose(start, body.id).angle, "body " + body.name, check);
  std::map<std::string, mechanics::JointId> joints;
  for (const ModelJoint& joint : model.joints) joints.emplace(joint.name, joint.id);
  for (const auto& [name, value] : model.closing.positions) {
    const auto dot = name.rfind('.');
    const auto joint = dot == std::string::npos ? joints.end() : joints.find(name.substr(0, dot));
    const bool of_body = joint == joints.end() && name.ends_with(".angle");
    const bool of_joint =
        joint != joints.end() && model.mechanism.is_angle(joint->second, name.substr(dot + 1));
    if (of_joint || of_body) look_at_angle(value, "start of " + name, check);
  }
}

}  // namespace

void look_at_numbers(const CheckedParts& mechanism, ModelCheck& check) {
  look_at_gravity(mechanism, check);
  look_at_direction(mechanism, check);
  look_at_angles(mechanism, check);
}

}  // namespace driftless::io

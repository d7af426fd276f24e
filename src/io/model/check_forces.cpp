// Forces and points that sit beside their bodies, and forces whose numbers push the wrong way. Where a force acts is read off what it pulls along: a
// torque has no place, a spring has two, and all else has one, on body b, or on a where b is the ground.
#include <fmt/format.h>

#include "io/model/body_places.hpp"
#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Force;
using mechanics::Marker;
using mechanics::Measure;
using mechanics::Vec3;
using Severity = Finding::Severity;

constexpr double on_body = 0.005;  // of the size of a body

// Where it acts.
std::vector<const Marker*> places_of(const CheckedParts& mechanism, const ModelForce& own) {
  const std::string part_of = own.name + ", ";
  for (const Force& part : mechanism.parts.forces) {
    if (part.name != own.name && !part.name.starts_with(part_of)) continue;
    switch (mechanism.parts.measure(part.measure).kind) {
      case Measure::Kind::distance:
        return {&own.a, &own.b};
      case Measure::Kind::component:
      case Measure::Kind::along:
      case Measure::Kind::slip:
        return {own.b.body != 0 ? &own.b : &own.a};
      default:
        break;
    }
  }
  return {};
}

void look_at_place(const CheckedParts& mechanism, const BodyPlaces& places, const ModelForce& own,
                   ModelCheck& check) {
  const auto length = [&](double si) { return mechanism.told(si, mechanics::length_unit); };
  const std::vector<const Marker*> ends = places_of(mechanism, own);
  for (const Marker* marker : ends) {
    const BodyPlaces::Beside off = places.beside_of(*marker, own.placed);
    if (!off.body) continue;
    if (own.placed)
      add_finding(
          check, Severity::warning, "force-place", "force " + own.name,
          fmt::format("it acts {} beside body {} (at most {} from its shapes, ends, points and origin "
                      "expected); {}, or give the body a [point.NAME] there if that is meant",
                      length(off.distance), off.body->name, length(off.allowed),
                      ends.size() == 2
                          ? fmt::format("check its two ends, of which the first is on {} and the second on "
                                        "{}, and the units",
                                        own.of.front(), own.of.back())
                          : "check at and the units"));
    else
      add_finding(
          check, Severity::error, "force-place", "force " + own.name,
          fmt::format("'at' is missing, and at the origin of the world it acts {} beside body {}; write "
                      "where it acts at the start, like at = {}",
                      length(off.distance), off.body->name, off.body->planar ? "[0.1, 0]" : "[0.1, 0, 0]"));
    return;
  }
}

// Places of points are by the body, and those of joints by the world: numbers of the world put a point on the body that is beside it.
void look_at_point(const CheckedParts& mechanism, const BodyPlaces& places, const ModelPoint& point,
                   ModelCheck& check) {
  const BodyPlaces::Beside off = places.beside_of(point);
  if (!off.body) return;
  const auto length = [&](double si) { return mechanism.told(si, mechanics::length_unit); };
  const Vec3 given = point.arm + off.body->center;
  const mechanics::Pose pose = mechanism.results.pose(mechanism.model.mechanism.start(), off.body->id);
  const Vec3 by_world = to_body(pose.R, given - pose.r) + off.body->center;
  const bool of_world = distance_from(*off.body, {}, {by_world}) < on_body * size_of(*off.body);
  if (!of_world && !(off.distance > off.allowed)) return;
  const double unit = mechanism.model.units.of(mechanics::length_unit);
  const auto list = [&](const Vec3& p) {
    return point.planar ? fmt::format("[{:.4g}, {:.4g}]", p.x / unit, p.y / unit)
                        : fmt::format("[{:.4g}, {:.4g}, {:.4g}]", p.x / unit, p.y / unit, p.z / unit);
  };
  add_finding(
      check, Severity::warning, "point-place", "point " + point.name,
      of_world
          ? fmt::format(
                "it is {} beside body {} ({} at most expected), and {} in the world is on it; at is by "
                "the body's own origin and axes: write at = {} if that place is meant",
                length(off.distance), off.body->name, length(0.25 * size_of(*off.body)), list(given),
                list(by_world))
          : fmt::format("it is {} beside body {} (at most {} expected); check at, which is by the body's own "
                        "origin and axes, and the units",
                        length(off.distance), off.body->name, length(off.allowed)));
}

void look_at_law(const CheckedParts& mechanism, const Force& force, ModelCheck& check) {
  const Measure& measure = mechanism.parts.measure(force.measure);
  const auto warn = [&](const std::string& text) {
    add_finding(check, Severity::warning, "force-sign", "force " + force.name, text);
  };
  const auto told = [&](double si, mechanics::Dimension d) {
    return mechanism.told(si, d.along(measure.is_angle()));
  };
  if (const auto* spring = std::get_if<mechanics::SpringLaw>(&force.law)) {
    if (spring->stiffness < 0)
      warn(
          fmt::format("its stiffness is {} (0 or more expected), so that it pushes away from its rest; leave "
                      "the minus out, unless that is meant",
                      told(spring->stiffness, mechanics::stiffness_unit)));
    if (spring->rest < 0 && measure.kind == Measure::Kind::distance)
      warn(
          fmt::format("its rest is {} (0 or more expected), and two points are never that far from each "
                      "other; give the length without force, or a preload",
                      told(spring->rest, mechanics::stretch_unit)));
  } else if (const auto* servo = std::get_if<mechanics::PdLaw>(&force.law)) {
    if (servo->proportional < 0)
      warn(fmt::format(
          "proportional is {} (0 or more expected), so that it drives away from its target; leave "
          "the minus out, unless that is meant",
          told(servo->proportional, mechanics::stiffness_unit)));
    if (servo->derivative < 0)
      warn(
          fmt::format("derivative is {} (0 or more expected), so that it pushes with the motion and not "
                      "against it; leave the minus out, unless that is meant",
                      told(servo->derivative, mechanics::damping_unit)));
  }
}

}  // namespace

void look_at_forces(const CheckedParts& mechanism, ModelCheck& check) {
  const BodyPlaces places(mechanism);
  for (const ModelForce& own : mechanism.model.force_places) look_at_place(mechanism, places, own, check);
  for (const ModelPoint& point : mechanism.model.points) look_at_point(mechanism, places, point, check);
  for (const Force& force : mechanism.parts.forces) look_at_law(mechanism, force, check);
}

}  // namespace driftless::io

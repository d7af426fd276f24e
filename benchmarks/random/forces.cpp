#include "forces.hpp"

#include <algorithm>

namespace driftless::benchmarks::random {

namespace {

double lighter(const Sketch& sketch, int a, int b) {
  if (a == 0) return sketch.body(b).mass;
  return b == 0 ? sketch.body(a).mass : std::min(sketch.body(a).mass, sketch.body(b).mass);
}

// Rate and damping of a spring on which `mass` swings at a circular frequency.
Settings spring(Draw& draw, double mass, double decades, int length) {
  const double frequency = 3 * draw.decades(0, decades / 2);
  const double damping = draw.chance(0.5) ? 0 : draw.decades(-2, 0);
  Settings settings = {{"stiffness", {.value = mass * frequency * frequency, .length = length, .time = -2}}};
  if (damping > 0)
    settings.push_back({"damping", {.value = 2 * damping * mass * frequency, .length = length, .time = -1}});
  return settings;
}

}  // namespace

void add_forces(Sketch& sketch, Draw& draw, int count, double decades) {
  const int bodies = static_cast<int>(sketch.bodies.size());
  for (int i = 0; i < count; ++i) {
    if (draw.chance(0.4)) {
      const int joint = draw.whole(0, static_cast<int>(sketch.joints.size()) - 1);
      const SketchJoint& on = sketch.joints[static_cast<std::size_t>(joint)];
      const std::vector<SketchCoordinate> coordinates = coordinates_of(on.type);
      if (coordinates.empty() || !on.joints.empty()) continue;
      const SketchCoordinate& coordinate = draw.one_of(coordinates);
      const double mass = lighter(sketch, on.a, on.b) * (coordinate.angle ? 0.1 : 1);
      sketch.forces.push_back({.type = "spring-damper",
                               .joint = joint,
                               .coordinate = coordinate.name,
                               .settings = spring(draw, mass, decades, coordinate.angle ? 2 : 0)});
      continue;
    }
    const int a = draw.whole(0, bodies), b = draw.whole(1, bodies);
    const Vec3 ground = draw.within(sketch.planar), end = draw.offset(0, 0.5, sketch.planar);
    if (a == b) continue;
    SketchForce force{.type = "spring-damper",
                      .a = a,
                      .b = b,
                      .from = a == 0 ? ground : sketch.body(a).at,
                      .to = sketch.body(b).at + end,
                      .coordinate = "",
                      .settings = spring(draw, lighter(sketch, a, b), decades, 0)};
    const double length = norm(force.to - force.from);
    // A stiff one that is far from its rest would shoot its bodies away.
    if (draw.chance(0.5) && decades < 3)
      force.settings.push_back({"rest", {.value = length * draw.between(0.5, 1.2), .length = 1}});
    if (length > 0.05) sketch.forces.push_back(force);
  }
}

void add_drive(Sketch& sketch, Draw& draw) {
  for (int tries = 0; tries < 10; ++tries) {
    const int joint = draw.whole(0, static_cast<int>(sketch.joints.size()) - 1);
    const SketchJoint& on = sketch.joints[static_cast<std::size_t>(joint)];
    const double amplitude = draw.between(0.05, 0.5), frequency = draw.between(1, 8);
    if ((on.type != "revolute" && on.type != "prismatic") || sketch.freedoms < 2) continue;
    sketch.drives.push_back({joint, coordinates_of(on.type).front().name, amplitude, frequency});
    --sketch.freedoms;
    sketch.classes.insert("driven");
    return;
  }
}

}  // namespace driftless::benchmarks::random

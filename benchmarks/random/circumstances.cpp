#include "circumstances.hpp"

#include <cmath>

namespace driftless::benchmarks::random {

void spread_masses(Sketch& sketch, Draw& draw, double decades) {
  for (SketchBody& body : sketch.bodies) {
    body.mass = draw.decades(-decades / 2, decades / 2);
    body.inertia = body.mass * body.inertia;
  }
}

void rescale(Sketch& sketch, Draw& draw) {
  sketch.length = draw.decades(-6, 9);
  sketch.mass = draw.decades(-4, 4);
  if (draw.chance(0.4)) sketch.time = std::sqrt(sketch.length);  // gravity stays 9.81 m/s^2
}

void move_far_away(Sketch& sketch, Draw& draw) {
  const double sizes = draw.decades(2, 6);
  sketch.origin = sizes * draw.direction(sketch.planar);
}

void make_inconsistent(Sketch& sketch, Draw& draw) {
  sketch.by_markers = true;
  if (draw.chance(0.5)) {
    sketch.digits = draw.whole(4, 10);
    return;
  }
  const double most = draw.decades(-10, -2);
  for (SketchJoint& joint : sketch.joints) joint.missed_by = most * draw.within(sketch.planar);
}

}  // namespace driftless::benchmarks::random

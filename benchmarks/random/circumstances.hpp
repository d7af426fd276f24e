// What makes a mechanism harder without changing what it is: masses over decades, units, a far origin,
// rounded coordinates.
#pragma once

#include "draw.hpp"
#include "sketch.hpp"

namespace driftless::benchmarks::random {

void spread_masses(Sketch& sketch, Draw& draw, double decades);
// From 1e-6 m to 1e9 m, with times of about a second or with gravity as it is.
void rescale(Sketch& sketch, Draw& draw);
void move_far_away(Sketch& sketch, Draw& draw);
// Joints miss each other: by rounding of all coordinates, or by more.
void make_inconsistent(Sketch& sketch, Draw& draw);

}  // namespace driftless::benchmarks::random

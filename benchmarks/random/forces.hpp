// Springs, dampers and drives.
#pragma once

#include "draw.hpp"
#include "sketch.hpp"

namespace driftless::benchmarks::random {

// `decades`: how far the rates of springs may lie above those of gravity.
void add_forces(Sketch& sketch, Draw& draw, int count, double decades);
void add_drive(Sketch& sketch, Draw& draw);

}  // namespace driftless::benchmarks::random

// Joints that close loops, while they leave the mechanism a motion.
#pragma once

#include "draw.hpp"
#include "sketch.hpp"

namespace driftless::benchmarks::random {

void close_loops(Sketch& sketch, Draw& draw, int most);

// A massless bar of no length: its two points begin at one place, where the direction of the bar is nowhere.
void add_bar_without_length(Sketch& sketch, Draw& draw);

// Gears, racks and couplings between joints of one body.
void couple_joints(Sketch& sketch, Draw& draw);

}  // namespace driftless::benchmarks::random

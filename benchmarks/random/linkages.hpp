// Planar linkages of equal and unequal links, many with change points: places where they may go on in two
// ways, and their constraints depend on each other for a moment.
#pragma once

#include "draw.hpp"
#include "sketch.hpp"

namespace driftless::benchmarks::random {

void four_bar(Sketch& sketch, Draw& draw);
// Cells with equal cranks on a line.
void parallelograms(Sketch& sketch, Draw& draw);
// Crank and rod of one length: with both on top of each other the slider stands still and the pin may stay.
void equal_slider_crank(Sketch& sketch, Draw& draw);
// Two links between two pins of the ground, stretched or nearly so.
void stretched_arch(Sketch& sketch, Draw& draw);

}  // namespace driftless::benchmarks::random

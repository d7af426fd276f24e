// Mechanisms with more constraints than they need: they hold all the same, and the motion is that of the
// independent ones.
#pragma once

#include "draw.hpp"
#include "sketch.hpp"

namespace driftless::benchmarks::random {

// A planar mechanism as one of spatial bodies and joints, turned anyhow: of five rows of a hinge that closes
// a loop, three are too many.
void lift_into_space(Sketch& sketch, Draw& draw);
// Some joints are given twice, at the same place or another one of their axis.
void double_joints(Sketch& sketch, Draw& draw);
// Three bodies that hold each other rigidly, by two hinges and a ball or by three hinges, and hang on the
// ground or on nothing.
void rigid_triangle(Sketch& sketch, Draw& draw);

}  // namespace driftless::benchmarks::random

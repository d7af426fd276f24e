// Bodies on bodies, each by one joint.
#pragma once

#include "draw.hpp"
#include "sketch.hpp"

namespace driftless::benchmarks::random {

// With the masses of rods as long as it is, and turned anyhow. Returns its number.
int add_body(Sketch& sketch, Draw& draw, const Vec3& at);
// Between bodies that are there, at a place of the world. Returns its number.
int add_joint(Sketch& sketch, const std::string& type, int a, int b, const Vec3& at,
              const Vec3& axis = {0, 0, 1});

// That many more bodies, hanging on the ground, on those that are there, and on each other.
void grow_tree(Sketch& sketch, Draw& draw, int bodies);

}  // namespace driftless::benchmarks::random

// Mechanisms of any number of bodies for which every method should do the same: loops within loops, a velocity constraint, springs with dampers.
#pragma once

#include <driftless/mechanics/mechanism.hpp>

namespace driftless::benchmarks::conformance {

struct Subject {
  mechanics::Mechanism mechanism;
  State start;  // on all constraints, moving
};

// Planar four-bar linkages side by side, the tips of neighbouring cranks joined by rods. Sleighs: each linkage pulls one, on a knife edge, by a
// spring with a damper.
enum class Sleighs { none, one_each };
Subject planar_row(int bodies, Sleighs sleighs);

// The same of spatial bodies; on each coupler a bob hangs from a ball, with a spring and a damper, and a rod leads from it to the next crank.
// Axes: of four parallel hinges, which are three rows too many, or of two with a ball and a universal joint.
enum class Axes { independent, redundant };
Subject spatial_row(int bodies, Axes axes);

}  // namespace driftless::benchmarks::conformance

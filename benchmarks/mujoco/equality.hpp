// <equality>: rows of MuJoCo beside ours, with V the velocities of bodies for unit qvel, read as states are (ours.hpp).
//   anywhere   connect and joint have the same rows in both programs but for a sign s of the whole element:
//                efc_pos = s g,  efc_J = s G V                       (of welds, rows of turning are other functions of the same turn)
//   closed     where MuJoCo's efc_pos vanish, by Newton's method on MuJoCo's own rows, g vanishes too, and of every element, welds included,
//              the rows of G V span what those of efc_J do
// All other rows are joints of the tree and gears of rotors: for them g = 0 and G V = 0 at any qpos.
#pragma once

#include <random>

#include "ours.hpp"

namespace driftless::benchmarks::mujoco {

struct EqualityDifferences {
  int elements = 0;
  double anywhere = 0, closed = 0;
};

EqualityDifferences compare_equalities(Theirs& theirs, const Ours& ours, const Asked& at);

}  // namespace driftless::benchmarks::mujoco

// linearize(): the motion near a state of the constraint manifold {g = 0, .., g^(m-1) = 0, w = 0}, in local
// coordinates x of it, x' = R x + ... With T a basis of null(G) and no velocity constraints, order 2:
//   in an equilibrium   T^T M T x'' = T^T f_v T x' + T^T (f_q - (G^T lambda)_q) T x
//   elsewhere           the frozen linearisation: R = d(x')/dx of the ODE that x = T^T (q - q0) and T^T v obey, with T
//                       and t held fast (where q' = N(q) v, q - q0 = N delta, seen from the moving body). It depends on
//                       the coordinates q that the model was written in, and its eigenvalues prove neither
//                       stability nor instability of a motion.
// Velocity constraints, given B, q' = N(q) v and systems of any order are included; all derivatives are the
// problem's own, none by differences. A state counts as an equilibrium when speeds are below 1e-10 and the
// unbalanced force is below 1e-10 of the forces that hold each other; time is then frozen. Refuses states that
// violate constraints and places where constraints depend on each other.
#pragma once

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>

namespace driftless::analysis {

struct Linearization {
  State state;          // with the multipliers that belong to it
  Vector acceleration;  // its highest derivative
  bool equilibrium = false;
  bool time_frozen = false;  // t enters the equations and was held fast
  double residual = 0;       // largest entry of the unbalanced force M a
  Matrix reduced;            // R
  Matrix displacements;      // of z (order * nv rows, x_0 moving along N delta) for each local coordinate
  // In an equilibrium of order 2, on the motions allowed: T^T ((G^T lambda)_q - f_q) T and T^T M T.
  Matrix stiffness, mass;
};

// Throws InputError where that is not possible, and says why.
Linearization linearize(const Problem& problem, const State& state);

}  // namespace driftless::analysis

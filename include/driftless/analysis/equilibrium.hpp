// equilibrium(): a state of rest of a problem,
//   v = 0,   f(q, 0) = B lambda + K^T kappa,   g(q) = 0,   w(q, 0) = 0        (order 1: f(x) = B lambda, g(x) = 0)
// from a given start. On the manifold, with T a basis of the motions allowed, r = T^T a the acceleration with
// which the system would start from rest and P = dr/dx (tangent_motion), each iteration solves
//   newton     P y = -r, of least norm where equilibria are not isolated; shortened until |r| falls
//   downhill   the same where -P is positive definite (in the mass metric); elsewhere -|P| in place of P,
//              which makes y lead downhill, away from maxima and saddles; shortened until the force along y has
//              not turned round by more than half: so a mechanism ends where it would settle under friction.
// Then q moves by T y and back onto g = 0. Moves are allowed by velocity constraints too, so that a
// wheel does not slip on its way. Time is frozen at that of the start. Fails where there is no equilibrium (a free
// fall, a spinning top, an orbit), which the report says; newton also stalls where dr/dx is singular on its way.
#pragma once

#include <string>

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>

namespace driftless::analysis {

struct EquilibriumOptions {
  enum class Search { downhill, newton };
  Search search = Search::downhill;  // for systems of order 2; others are always searched by newton
  double tolerance =
      1e-10;  // unbalanced force, relative to the forces that hold each other; roundoff is reached anyway
  double longest_move = 0.25;  // of a coordinate in one iteration, relative to the largest (at least 1)
  int max_iterations = 200;
};

struct Equilibrium {
  State state;  // with multipliers; where none was found, where the search ended
  bool found = false;
  double residual = 0;  // largest entry of the unbalanced force M a
  int iterations = 0;
  bool time_frozen = false;  // t enters the equations: it is an equilibrium of those frozen at state.t
  std::string report;        // one sentence: how it was found, or why not
};

// Throws InputError where the start cannot be made consistent, or constraints depend on each other there.
Equilibrium equilibrium(const Problem& problem, const State& start, const EquilibriumOptions& options = {});

}  // namespace driftless::analysis

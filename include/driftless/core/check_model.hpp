// check_model(): whether a model agrees with itself at a state. Whoever writes derivatives by hand, or all
// that an acceleration needs in one function (see model.hpp), says the same thing twice, and methods differ
// in which of the two they read. Compared are
//   M, f, g                          of `dynamics` and `equations` with `mass`, `force` and `constraint`
//   G, c, K, ck, L, (G^T lambda)_q   with automatic derivatives of the constraints
//   f_q, f_v, (M a)_q                with differences of `force` and `mass`
//   w, q' = N v                      for being linear in v, as they are taken to be
// and whether t enters what is not declared to be `moving`. Forgiven is 1e-6 of an entry's size and ten times
// what a relative change of the state by 1e-9 makes of it, which is how roundoff is told from a
// contradiction.
//
// Runs do this at the start, after 10, 1000, .. accepted steps and where they end early.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless {

struct ModelFinding {
  std::string part = {};  // the function to blame: "jacobian"
  int row = -1, column = -1;
  double given = 0;       // there
  double expected = 0;    // by the others
  std::string text = {};  // one sentence: part, entry, both values, what to do
};

// Where v = 0 much of it vanishes, rightly written or not: give a state that moves.
std::vector<ModelFinding> check_model(const Problem& problem, const State& state);

}  // namespace driftless

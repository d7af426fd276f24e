// Theorems 3.1 and 4.1 of Fuehrer, Leimkuhler (1991) on one step of a multistep method. The overdetermined equations of a step,
//   r_1(y) = 0,  r_2(y) = 0,        A_1, A_2 their derivatives
// have the iterates  y <- y - (ssf solution of A_1 d = r_1, A_2 d = r_2),  and the extended system is
//   r_1(y) + A_2(y)^T m = 0,  r_2(y) = 0,       m = (mu, eta)
// The theorems say that both have the same y. They do, iterate by iterate, when A_2 belongs to the iterate; with matrices frozen at the
// predicted value the iteration converges elsewhere, since it leaves its residual in the range of another A_2^T.
#pragma once

#include <vector>

#include <driftless/core/system.hpp>

namespace driftless::analysis {

// A step of the backward differentiation formula of order k with constant step h to time t.
struct BdfStep {
  double t = 0, h = 0;
  int order = 1;
  std::vector<State> history =
      {};  // at t - h, t - 2h, ..: as many as the order, through which the prediction extrapolates
};

// How far two y are from each other: the largest difference of their entries, divided by these.
struct SsfScales {
  double q = 1, v = 1, lambda = 1;
};

struct SsfEquivalence {
  double first_iterate = 0;  // ssf against modified Newton's method for the extended system, first iterates
  double limit = 0;          // limit of the ssf iterates against the solution of the extended system
  double multipliers = 0;    // max |m| there
};

// The system is an overdetermined one with y = (q, v, lambda), q' = v. With `frozen`, its matrices are made once, at the predicted value;
// then it must be one whose A_2 is frozen, too. Throws InputError where a matrix is singular or an iteration does not converge.
SsfEquivalence ssf_equivalence(System& system, const BdfStep& step, const SsfScales& scales,
                               bool frozen = false);

// The largest distance between the increments of two such systems from the same iterates, matrices renewed at each; refined once, since
// roundoff of lambda grows like 1/h.
double iterates_apart(System& one, System& other, const BdfStep& step, const SsfScales& scales);

}  // namespace driftless::analysis

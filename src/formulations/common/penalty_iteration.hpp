// PenaltyIteration: the saddle-point system by a factorisation of M + C^T W C alone, W = diag(weights) > 0,
//
//     M a + C^T l = f,   C a = r:        (M + C^T W C) a_{k+1} = f + C^T W r - C^T l_k,   l_{k+1} = l_k + W (C a_{k+1} - r)
//
// M + C^T W C is positive definite where M is so on ker C, also for a singular M and for rows of C that are dependent or zero. With
// S = C M^-1 C^T the error of l obeys e_{k+1} = (I + W S)^-1 e_k: a direction with eigenvalue s of W S converges by 1/(1 + s) per iteration,
// and what C^T does not see (s = 0) stays out of a. So a converges to the motion that satisfies C a = r in the sense of least squares.
//
// Roundoff. C^T W r in the first form is s times larger than the forces, and a has an error of s eps. Here it is solved for increments,
//     (M + C^T W C)(a_{k+1} - a_k) = (f - M a_k - C^T l_k) - C^T W (C a_k - r)
// whose first bracket vanishes but for the roundoff made so far: the iteration refines itself, and a ends at roundoff of the data as long as
// s eps < 1. l_k however keeps a noise of W eps |C a|, and for inconsistent dependent rows grows with every iteration by a part that C^T
// does not see. Therefore l is computed from a:
//     C^T l = f - M a   by   l := l + W C (M + C^T W C)^-1 (f - M a - C^T l)   from l = 0,
// which converges by the same factors and never leaves the range of W C: the l with the least sum of l_i^2/W_i.
#pragma once

#include <cmath>
#include <memory>

#include <driftless/core/errors.hpp>
#include <driftless/linalg/types.hpp>

#include "penalty_matrix.hpp"

namespace driftless::formulations {

struct IterationLimit {
  int iterations = 50;
  double tolerance = 1e-12;  // of a, relative; 0: that many iterations, whatever they reach
};

struct Convergence {
  int iterations = 0;
  double factor = 0;     // of the last increment beside the one before
  double moved = 0;      // the last increment, relative to a
  double remaining = 0;  // estimate of what is left, relative to a
  bool reached = false;
  bool finite = true;  // false: an increment, or the size of a, overflowed
};

class PenaltyIteration {
 public:
  PenaltyIteration(std::unique_ptr<PenaltyMatrix> matrix, const IterationLimit& limit);

  PenaltyMatrix& matrix() { return *matrix_; }
  // Of what the matrix has taken. importance: how much an entry of a counts in the norm that convergence is measured in.
  // singular_mass where M + C^T W C is not positive definite.
  Status factor(VectorIn weights, VectorIn importance);

  // a, starting from multipliers l_0.
  Convergence solve(VectorIn f, VectorIn r, VectorIn l_0, VectorOut a);
  // l of that a: the one of least norm.
  void multipliers(VectorIn f, VectorIn a, VectorOut l);

 private:
  double norm(const Vector& a) const { return std::sqrt(a.cwiseAbs2().dot(importance_)); }
  bool balanced(VectorIn f, double factor) const;

  std::unique_ptr<PenaltyMatrix> matrix_;
  IterationLimit limit_;
  // Rows and multipliers are scaled by W^(1/2) inside, as those of the matrix.
  Vector root_, importance_, scaled_r_, scaled_l_, violation_, push_, a_, increment_;
};

}  // namespace driftless::formulations

// The saddle-point system whose constraints depend on each other: as many rows of C (columns of B) as are
// independent are told, and the others count only as far as they lie in their span.
//
//     [M B] [a]   [f]      M = L L^T,  X = C L^-T,  Y = B^T L^-T,  y = L^-1 f
//     [C 0] [l] = [r]      Q spans the named rows of X, P those of Y;  W the named rows of X Q,  V = Y P
//
//     (rows of X and r divided by the lengths of rows of X, which may differ by the unit of length to any power)
//     Q^T a' = W^-1 r,  a' = y - P p,  (Q^T P) p = Q^T y - W^-1 r,  l = V (V^T V)^-1 p,  a = L^-T a'
//
// so that a is the motion of the named constraints and l, among all multipliers with that B l, the one of least
// norm. Where other rows of r contradict these, a does not meet them: who minds compares C a with r. A singular M is
// replaced by M + rho C^T C, and f by f + rho C^T r, with the named rows, which changes neither a nor l.
// Fails with rank_loss where Q^T P is singular (C M^-1 B loses rank although C and B do not), with singular_mass where a
// motion that the constraints allow has no inertia. Allocates: meant for mechanisms that need it.
#pragma once

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

class DependentSaddle {
 public:
  /// M whole (both triangles), B n x m, C m x n; as many columns as rows are named.
  FactorStatus factor(const Matrix& M, const Matrix& B, const Matrix& C, const std::vector<int>& rows,
                      const std::vector<int>& columns);
  /// f and a, r and l may be the same vectors.
  void solve(VectorIn f, VectorIn r, VectorOut a, VectorOut l) const;

 private:
  FactorStatus factor_mass(const Matrix& M, const Matrix& C);

  Eigen::LLT<Matrix> mass_;
  double rho_ = 0;  // of M + rho C^T C; 0: M itself
  Matrix C_, Q_, P_;
  Vector lengths_;  // of the rows of X
  Eigen::HouseholderQR<Matrix> W_, V_;
  Eigen::PartialPivLU<Matrix> between_;  // Q^T P
};

}  // namespace driftless::linalg

// An approximate solution of minimum norm of C a = r, with nothing factored and C C^T not even formed:
//
//     (C C^T) x = r,  a = C^T x     by symmetric SOR on x: in one sweep the rows forward, then backward,
//     x_i += omega (r_i - C_i a)/|C_i|^2,   a += that times C_i^T       (Kaczmarz; Bjorck, Elfving 1979)
//
// C C^T is symmetric and positive definite, so that sweeps converge for 0 < omega < 2; because they run both
// ways, every part of the error keeps its sign while it shrinks. The more alike two rows, the slower it is.
#pragma once

#include <vector>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

class RowSor {
 public:
  RowSor() = default;
  explicit RowSor(int rows) : inverse_norms_(Vector::Zero(rows)) {}

  /// Rank loss is seen only where a row vanishes; rows left out are not visited.
  FactorStatus prepare(MatrixIn C, const std::vector<int>& left_out = {});
  /// After ok, with the same C. Starts from the x given; x and a are those after the sweeps.
  void solve(MatrixIn C, VectorIn r, int sweeps, double relaxation, VectorOut x, VectorOut a) const;

 private:
  Vector inverse_norms_;  // 1/|C_i|^2
};

}  // namespace driftless::linalg

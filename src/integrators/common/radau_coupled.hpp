// The stages of a Radau step all at once, by Newton's method with the derivatives of every stage:
//   sum_j ((A^-1)_ij/h F_y'(i) + delta_ij F_y(i)) dZ_j = -F(i),     F(i) at (t_0 + c_i h, y_0 + Z_i, (1/h) sum_j (A^-1)_ij Z_j)
// A dense matrix of three times the unknowns: many times the work of the transformed iteration (radau_newton.hpp), which has the derivatives
// of one point for all stages and so fails where they change much within a step that the solution itself would allow: constraints that turn
// fast, for instance (Ascher, Petzold 1993, Examples 1 and 4).
#pragma once

#include <driftless/core/system.hpp>
#include <driftless/linalg/dense_lu.hpp>

namespace driftless::integrators {

class RadauCoupled {
 public:
  RadauCoupled(DaeSystem& system, Work& work);

  static constexpr Eigen::Index most_unknowns = 300;

  // Z comes in as start values; in the end system is linearized at the last stage. at_t and at_y say where it failed.
  Status solve(double t, VectorIn y, double h, VectorIn weights, double limit, int iterations, Matrix& Z,
               double& at_t, Vector& at_y);

 private:
  Status set_up(double t, VectorIn y, double h, const Matrix& Z, double& at_t, Vector& at_y);

  DaeSystem& system_;
  Work& work_;
  const Eigen::Index n_;
  Matrix F_y_, F_yp_, matrix_;
  Vector yp_, right_, increment_;
  linalg::DenseLu<double> lu_;
};

}  // namespace driftless::integrators

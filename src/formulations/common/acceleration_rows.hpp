// AccelerationRows: the constraints differentiated until they determine the multipliers, which are unknowns here,
//   0 = G a + c,   0 = K a + ck,     a = M^-1 (f - B lambda - K^T kappa)
// Fuehrer, Leimkuhler (1991), (6), and their derivatives (Gamma_1, Gamma_2, -H there). Fails where M is singular.
#pragma once

#include <driftless/core/problem.hpp>

namespace driftless::formulations {

class AccelerationRows {
 public:
  explicit AccelerationRows(const Problem& problem);

  Parts parts() const;  // of the problem, for residual()
  // top: the residual M x_{m-1}' - f + B lambda + K^T kappa of the equations of motion, so that a = x_{m-1}' - M^-1 top.
  Status residual(const Evaluation& parts, VectorIn rate, VectorIn top, VectorOut r);
  // Along displacements of all levels, and by the multipliers.
  Status jacobian(double t, VectorIn z, VectorIn lambda, VectorIn kappa, MatrixOut by_levels,
                  MatrixOut by_multipliers);

 private:
  Status factor_mass(const Matrix& M);
  void divide_by_mass(VectorOut column);

  const Problem& problem_;
  const Shape& shape_;
  linalg::SaddlePoint mass_;
  Evaluation at_;
  const Matrix no_rows_;
  Vector none_, a_;
  Matrix columns_;  // M^-1 times derivatives of the forces: by displacements, then by multipliers
};

}  // namespace driftless::formulations

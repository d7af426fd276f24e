// The derivative of the acceleration of the saddle-point equations, along displacements of z:
//   M a + B l = f,  C a + c = r        differentiated:   M a_z + B l_z = f_z - (M a)_z - (B l)_z,   C a_z = r_z - (C a + c)_z
// with l = (lambda, kappa), C = [G; K], B = [B, K^T]. Used by every formulation in which the acceleration is resolved.
#pragma once

#include <driftless/core/problem.hpp>

#include "acceleration_law.hpp"

namespace driftless::formulations {

class AccelerationJacobian {
 public:
  explicit AccelerationJacobian(const Problem& problem) : problem_(problem) {}

  // At a point where a and l are known. r_z has a row for every multiplier, or none where r does not depend on z.
  // With a law, whose last acceleration() was there, the equations are solved as it solves them.
  Status compute(double t, VectorIn z, VectorIn a, VectorIn multipliers, MatrixIn r_z,
                 AccelerationLaw* law = nullptr);
  const Matrix& a_z() const { return a_z_; }  // nv rows, a column for every entry of a displacement

 private:
  void prepare();
  Status solve_by(AccelerationLaw& law);

  const Problem& problem_;
  Evaluation parts_;
  Matrix B_, C_, top_, bottom_, a_z_;
  Vector l_z_;
  linalg::SaddlePoint saddle_;
  RankDecision rank_;
};

}  // namespace driftless::formulations

// The direction in which a control changes the highest derivative without touching the constraints: d and d_lambda with
//   [ M  B ] [ d        ]   [ -psi_v^T ]
//   [ C  0 ] [ d_lambda ] = [    0     ]        C = [G; K], B joined by K^T
// and s = -psi_v d, which is psi_v M^-1 psi_v^T less what the constraints take: twice the kinetic energy that can be
// changed. Fails where rows of C depend on each other.
#pragma once

#include <driftless/core/problem.hpp>
#include <driftless/linalg/saddle_point.hpp>

namespace driftless::controls {

// 1/s, but fading near rest, where a force along d would change velocities much to take up little energy: with c = psi_v a,
// half the rate of s, s/c is the time t from the moment of rest, and t^2/(t^2 + tau^2) of 1/s is left. 0 where s = 0.
inline double inverse_fading(double s, double c, double tau) {
  const double change = tau * c;
  return s > 0 ? s / (s * s + change * change) : 0;
}

class TangentDirection {
 public:
  // With `force` the parts have f too.
  TangentDirection(const Problem& problem, bool force);

  Status find(double t, VectorIn z, VectorIn psi_v);
  const Vector& d() const { return d_; }
  const Vector& multipliers() const { return d_multipliers_; }
  double s() const { return s_; }

  // At the point of the last find().
  const Evaluation& parts() const { return parts_; }
  void constraint_force(VectorIn lambda, VectorIn kappa, VectorOut force) const;  // B lambda + K^T kappa
  void derivative_by_v(MatrixOut d_v);                                            // with psi_v = (M v)^T

 private:
  const Problem& problem_;
  const Shape& shape_;
  Parts needed_;
  linalg::SaddlePoint saddle_;
  RankDecision rank_;
  Evaluation parts_;
  Matrix B_, C_;
  Vector d_, right_, d_multipliers_, no_residual_;
  double s_ = 0;
};

}  // namespace driftless::controls

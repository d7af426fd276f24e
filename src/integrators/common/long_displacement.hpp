// q (+) d: where coordinates get that follow q' = N(q) d for one unit of time, so that q (+) h v is a step along constant velocities: q + d where
// N = I, a rotation by exp(d) for unit quaternions. Problem::displace follows the tangent, which is a good map for small corrections but not
// for steps. By the classical Runge-Kutta method: an error of d^5/120, far below that of methods of order 2.
#pragma once

#include <driftless/core/problem.hpp>
#include <driftless/linalg/dense_lu.hpp>

namespace driftless::integrators {

class LongDisplacement {
 public:
  explicit LongDisplacement(const Problem& problem)
      : problem_(problem), k_(Vector::Zero(problem.shape().nq)), sum_(k_), point_(k_) {}

  void move(double t, VectorIn q, VectorIn d, VectorOut to) {
    if (!problem_.shape().own_kinematics) {
      to = q + d;
      return;
    }
    problem_.coordinate_rates(t, q, d, k_, workspace_);
    sum_ = k_;
    point_ = q + k_ / 2;
    problem_.coordinate_rates(t, point_, d, k_, workspace_);
    sum_ += 2 * k_;
    point_ = q + k_ / 2;
    problem_.coordinate_rates(t, point_, d, k_, workspace_);
    sum_ += 2 * k_;
    point_ = q + k_;
    problem_.coordinate_rates(t, point_, d, k_, workspace_);
    sum_ += k_;
    point_ = q + sum_ / 6;
    problem_.normalize(point_);
    to = point_;
  }

 private:
  const Problem& problem_;
  Workspace workspace_;
  Vector k_, sum_, point_;
};

// How the end moves with d, by whole matrices.
class DisplacementDerivative {
 public:
  explicit DisplacementDerivative(const Problem& problem)
      : problem_(problem),
        k_(Vector::Zero(problem.shape().nq)),
        sum_(k_),
        point_(k_),
        k_d_(Matrix::Zero(problem.shape().nq, problem.shape().nv)),
        sum_d_(k_d_),
        point_d_(k_d_),
        normal_matrix_(problem.shape().nv, problem.shape().nv),
        normal_equations_(problem.shape().nv) {}

  // As a displacement of the end: N(end) T = d(q (+) d)/dd. Where N = I, T = I. False: N has lost its rank there.
  bool at(double t, VectorIn q, VectorIn d, MatrixOut T) {
    T.setIdentity();
    if (!problem_.shape().own_kinematics) return true;
    const double nodes[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
    k_.setZero();
    k_d_.setZero();
    sum_.setZero();
    sum_d_.setZero();
    for (int i = 0; i < 4; ++i) {
      point_ = q + nodes[i] * k_;
      point_d_ = nodes[i] * k_d_;
      set_kinematics(t, d);
      k_.noalias() = parts_.N.lazyProduct(d);
      k_d_ = parts_.N;
      k_d_.noalias() += parts_.Nv_q.lazyProduct(point_d_);
      sum_ += weights[i] * k_;
      sum_d_ += weights[i] * k_d_;
    }
    point_ = q + sum_ / 6;
    set_kinematics(t, d);
    normal_matrix_.noalias() = parts_.N.transpose().lazyProduct(parts_.N);
    if (!normal_equations_.factor(normal_matrix_)) return false;
    T.noalias() = parts_.N.transpose().lazyProduct(sum_d_) / 6;
    for (Eigen::Index j = 0; j < T.cols(); ++j) normal_equations_.solve(T.col(j), T.col(j));
    return T.allFinite();
  }

 private:
  void set_kinematics(double t, VectorIn d) {
    z_.resize(point_.size() + d.size());
    z_ << point_, d;
    problem_.evaluate(Part::kinematics | Part::kinematics_jacobian, Point(t, z_), parts_);
  }

  const Problem& problem_;
  Vector k_, sum_, point_, z_;
  Matrix k_d_, sum_d_, point_d_, normal_matrix_;
  linalg::DenseLu<double> normal_equations_;
  Evaluation parts_;
};

}  // namespace driftless::integrators

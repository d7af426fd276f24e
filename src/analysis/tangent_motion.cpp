#include "tangent_motion.hpp"

#include <algorithm>
#include <limits>

#include <driftless/core/manifold.hpp>
#include <driftless/linalg/least_norm.hpp>
#include <driftless/linalg/null_space.hpp>

namespace driftless::analysis {

namespace {

class Builder {
 public:
  Builder(const Problem& problem, const State& state, bool frozen)
      : problem_(problem), shape_(problem.shape()), frozen_(frozen) {
    m_.state = state;
    if (frozen) m_.state.z.tail((shape_.order - 1) * shape_.nv).setZero();
  }

  TangentMotion run() {
    evaluate_motion();
    evaluate_derivatives();
    displacements();
    rates();
    balance();
    return std::move(m_);
  }

 private:
  [[noreturn]] void refuse(Status status) const {
    throw InputError("the motion cannot be linearised: " + problem_.explain(status, m_.state.t, m_.state.z));
  }

  // Acceleration, multipliers and the factorization that the variations need too.
  void evaluate_motion() {
    const int ng = shape_.ng, nk = shape_.nk, rows = ng + nk;
    Parts parts = Part::mass | Part::force | Part::jacobian | Part::curvature | Part::input;
    if (nk > 0) parts = parts | Part::velocity_jacobian;
    problem_.evaluate(parts, Point(m_.state.t, m_.state.z), e_);
    C_.resize(rows, shape_.nv);
    B_.resize(shape_.nv, rows);
    Vector c = Vector::Zero(rows);
    C_.topRows(ng) = e_.G;
    B_.leftCols(ng) = e_.B;
    if (!frozen_) c.head(ng) = e_.c;
    if (nk > 0) {
      C_.bottomRows(nk) = e_.K;
      B_.rightCols(nk) = e_.K.transpose();
      if (!frozen_) c.tail(nk) = e_.ck;
    }
    saddle_ = linalg::SaddlePoint({shape_.nv, rows, shape_.mass, shape_.mass_blocks});
    RankDecision rank;
    const double t = m_.state.t;
    const Status status = shape_.given_input ? rank.factor(saddle_, problem_, t, m_.state.z, e_.M, B_, C_)
                                             : rank.factor(saddle_, problem_, t, m_.state.z, e_.M, C_);
    if (status != Status::ok) refuse(status);
    m_.a.resize(shape_.nv);
    Vector multipliers(rows);
    saddle_.solve(e_.f, -c, m_.a, multipliers);
    if (!m_.a.allFinite() || !multipliers.allFinite()) refuse(Status::not_finite);
    m_.state.lambda = multipliers.head(ng);
    m_.state.kappa = multipliers.tail(nk);
    m_.M = e_.M;
  }

  void evaluate_derivatives() {
    Parts parts = Part::force_jacobian | Part::mass_product_jacobian | Part::multiplier_jacobian |
                  Part::curvature_jacobian;
    if (shape_.order > 1) parts = parts | Part::rate_jacobian;
    if (shape_.nk > 0) parts = parts | Part::velocity_drift;
    if (shape_.own_kinematics) parts = parts | Part::kinematics | Part::kinematics_jacobian;
    const State& s = m_.state;
    problem_.evaluate(parts, Point(s.t, s.z, m_.a, s.lambda, s.kappa), e_);
    if (shape_.multipliers() == 0) e_.Bl_x.setZero(shape_.nv, shape_.nv);
    if (!e_.f_z.allFinite() || !e_.Bl_x.allFinite() || !e_.Ma_x.allFinite())
      throw InputError(
          "the motion cannot be linearised: a derivative of the force, of the mass matrix or of "
          "the constraints is not finite there; look at another state");
  }

  auto level(Matrix& of, int j) const { return of.middleRows(j * shape_.nv, shape_.nv); }

  void displacements() {
    const int nv = shape_.nv, order = shape_.order;
    m_.T = linalg::null_space(e_.G);
    m_.T_v = shape_.nk > 0 ? linalg::null_space(C_) : m_.T;
    const Eigen::Index n0 = m_.T.cols(), n1 = m_.T_v.cols();
    m_.Z = Matrix::Zero(order * nv, n0 + (order - 1) * n1);
    m_.Z.topLeftCorner(nv, n0) = m_.T;
    for (int j = 1; j < order; ++j) {
      Matrix moved = Matrix::Zero(C_.rows(), m_.Z.cols());
      for (int i = 0; i < j && !frozen_ && shape_.ng > 0; ++i)
        moved.topRows(shape_.ng) +=
            binomial(j, i) * e_.L[static_cast<std::size_t>(j - i - 1)] * level(m_.Z, i);
      if (shape_.nk > 0) moved.bottomRows(shape_.nk) = e_.w_x * level(m_.Z, 0);
      if (C_.rows() > 0) level(m_.Z, j) = -linalg::least_norm_solution(C_, moved);
      m_.Z.block(j * nv, n0 + (j - 1) * n1, nv, n1) += m_.T_v;
    }
  }

  void rates() {
    const int nv = shape_.nv, order = shape_.order;
    const Eigen::Index n0 = m_.T.cols(), n1 = m_.T_v.cols();
    Matrix rate = Matrix::Zero(order * nv, m_.Z.cols());
    for (int j = 0; j + 1 < order; ++j) level(rate, j) = level(m_.Z, j + 1);
    if (shape_.own_kinematics && !frozen_) level(rate, 0) += turning();
    const Matrix forces = e_.f_z * m_.Z - (e_.Ma_x + e_.Bl_x) * level(m_.Z, 0), rows = constraint_rates();
    Vector a(nv), multipliers(C_.rows());
    for (Eigen::Index i = 0; i < m_.Z.cols(); ++i) {
      saddle_.solve(forces.col(i), rows.col(i), a, multipliers);
      rate.col(i).tail(nv) = a;
    }
    m_.reduced.resize(m_.Z.cols(), m_.Z.cols());
    m_.reduced.topRows(n0) = m_.T.transpose() * level(rate, 0);
    for (int j = 1; j < order; ++j)
      m_.reduced.middleRows(n0 + (j - 1) * n1, n1) = m_.T_v.transpose() * level(rate, j);
    if (!m_.reduced.allFinite()) refuse(Status::not_finite);
  }

  // What delta_0 changes by because N turns: N^+ ((N v)_q N delta - (N delta)_q N v); -w x delta for rotations.
  Matrix turning() {
    const int nv = shape_.nv;
    Matrix change = e_.Nv_q * e_.N * level(m_.Z, 0);
    const Vector rates = e_.N * m_.state.v();
    Evaluation along;
    Vector z = m_.state.z;
    for (Eigen::Index i = 0; i < change.cols(); ++i) {
      z.tail(nv) = m_.Z.col(i).head(nv);
      problem_.evaluate(Part::kinematics_jacobian, Point(m_.state.t, z), along);
      change.col(i) -= along.Nv_q * rates;
    }
    return linalg::least_norm_solution(e_.N, change);
  }

  // Right-hand sides of G da and K da, one column for every column of Z.
  Matrix constraint_rates() {
    Matrix rows = Matrix::Zero(C_.rows(), m_.Z.cols());
    if (!frozen_ && shape_.ng > 0) rows.topRows(shape_.ng) = -e_.c_z * m_.Z;
    if (shape_.nk > 0) {
      if (frozen_)
        rows.bottomRows(shape_.nk) = -e_.w_x * level(m_.Z, 1);
      else
        rows.bottomRows(shape_.nk) = -e_.ck_z * m_.Z;
    }
    return rows;
  }

  void balance() {
    const Matrix f_x = e_.f_z.leftCols(shape_.nv);
    m_.stiffness = m_.T_v.transpose() * (e_.Bl_x - f_x) * m_.T_v;
    m_.unbalanced = m_.M * m_.a;
    Vector multipliers(C_.rows());
    multipliers << m_.state.lambda, m_.state.kappa;
    const double reach = std::max(1.0, m_.state.q().cwiseAbs().maxCoeff());
    m_.balanced =
        e_.f.cwiseAbs() + B_.cwiseAbs() * multipliers.cwiseAbs() + reach * f_x.cwiseAbs().rowwise().sum();
  }

  const Problem& problem_;
  const Shape& shape_;
  bool frozen_;
  TangentMotion m_;
  Evaluation e_;
  Matrix C_, B_;  // [G; K] and [B, K^T]
  linalg::SaddlePoint saddle_;
};

}  // namespace

Vector TangentMotion::force_scale() const {
  constexpr double least =
      1e-4;  // of the largest row: others reach a row without forces of its own as roundoff
  const double floor = std::max(least * balanced.maxCoeff(), std::numeric_limits<double>::min());
  return balanced.cwiseMax(floor);
}

double TangentMotion::relative_residual() const {
  return unbalanced.cwiseAbs().cwiseQuotient(force_scale()).maxCoeff();
}

TangentMotion tangent_motion(const Problem& problem, const State& state, bool frozen) {
  return Builder(problem, state, frozen).run();
}

bool depends_on_time(const Problem& problem, const State& state) {
  const Shape& shape = problem.shape();
  if (shape.moving) return true;
  Parts parts = Part::mass | Part::force | Part::position;
  if (shape.nk > 0) parts = parts | Part::velocity;
  Evaluation now, later;
  problem.evaluate(parts, Point(state.t, state.z), now);
  problem.evaluate(parts, Point(state.t + 0.12345, state.z), later);
  return now.M != later.M || now.f != later.f || now.g != later.g || now.w != later.w;
}

}  // namespace driftless::analysis

#include "local_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/linalg/null_space.hpp>

namespace driftless::formulations {

namespace {

// Increments relative to 1 + |q|. Below the first nothing is left but roundoff; below the second, if they no
// longer shrink.
constexpr double converged = 1e-15, roundoff_at_most = 1e-10;
constexpr int iterations = 20;  // Newton's method squares the error; who needs more is lost

Parts position_parts_of(const Shape& s) {
  const Parts parts = Part::position | Part::jacobian;
  return s.own_kinematics ? parts | Part::kinematics : parts;
}

// g_t, k0 and K; where g does not move, g_t = 0.
Parts velocity_parts_of(const Shape& s) {
  Parts parts;
  if (s.order == 1 && s.moving) parts = parts | Part::curvature;
  if (s.order > 2 || (s.order == 2 && s.moving)) parts = parts | Part::rates;
  if (s.nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian;
  return parts;
}

// Rows span what C leaves free. Where rows of C depend on each other, part of that: [R; C] is singular then.
Matrix free_directions(const Matrix& C, int freedoms) {
  if (!C.allFinite()) return Matrix::Constant(freedoms, C.cols(), std::numeric_limits<double>::quiet_NaN());
  return linalg::null_space(C).rightCols(freedoms).transpose();
}

}  // namespace

LocalCoordinates::LocalCoordinates(const Problem& problem, MatrixIn R)
    : problem_(problem),
      shape_(problem.shape()),
      layout_(shape_.layout()),
      free_q_(shape_.nv - shape_.ng),
      free_v_(free_q_ - shape_.nk),
      given_(R.size() > 0),
      one_chart_(!shape_.own_kinematics && shape_.nk == 0),
      position_parts_(position_parts_of(shape_)),
      velocity_parts_(velocity_parts_of(shape_)),
      R_q_(Matrix::Zero(free_q_, shape_.nq)),
      R_v_(Matrix::Zero(free_v_, shape_.nv)),
      beginning_lu_(shape_.nv),
      beginning_g_t_(Vector::Zero(shape_.ng)),
      solved_y_(Vector::Zero(size())),
      z_(Vector::Zero(layout_.size())),
      position_lu_(shape_.nv),
      level_lu_(shape_.nv),
      A_(Matrix::Zero(shape_.nv, shape_.nv)),
      V_(A_),
      right_(Vector::Zero(shape_.nv)),
      delta_(right_) {
  beginning_.q.setZero(shape_.nq);
  if (given_) R_q_ = R_v_ = R;
}

void LocalCoordinates::choose(double t, VectorIn z) {
  if (!given_) {
    problem_.evaluate(position_parts_ | velocity_parts_, Point(t, z), parts_);
    R_q_ = free_directions(parts_.G, free_q_);
    R_v_ = R_q_;
    if (shape_.nk > 0) {
      Matrix C(shape_.multipliers(), shape_.nv);
      C.topRows(shape_.ng) = parts_.G;
      C.bottomRows(shape_.nk) = parts_.K;
      R_v_ = free_directions(C, free_v_);
    }
    if (shape_.own_kinematics) {
      Matrix along = Matrix::Zero(free_q_, layout_.tangent_size()), by(free_q_, layout_.size());
      along.leftCols(shape_.nv) = R_q_;
      Manifold(problem_).by_coordinates(t, z, along, by);
      R_q_ = by.leftCols(shape_.nq);
    }
  }
  ready_ = true;
  begin_at(t, z.head(shape_.nq));
}

void LocalCoordinates::begin_at(double t, VectorIn q) {
  beginning_.t = t;
  beginning_.q = q;
  solved_ = false;
  z_.setZero();
  z_.head(shape_.nq) = q;
  problem_.evaluate(position_parts_, Point(t, z_), parts_);
  evaluate_velocity_parts(t);
  if (shape_.moving)
    beginning_g_t_ = shape_.order == 1 ? velocity_evaluation_.c : velocity_evaluation_.rates.col(0);
  assemble_positions();
  beginning_regular_ = beginning_lu_.factor(A_);
  stretch_ = stretch_of(beginning_lu_, beginning_regular_, free_q_);
  if (one_chart_) return;
  assemble_levels();
  const bool regular = level_lu_.factor(V_);
  stretch_ = std::max(stretch_, stretch_of(level_lu_, regular, free_v_));
}

// With R X = I and orthonormal rows of R no singular value of X = dx/du is below 1, so that the largest is at
// most this. It is the largest where only one direction is stretched.
double LocalCoordinates::stretch_of(const linalg::DenseLu<double>& lu, bool regular, int freedoms) {
  if (!regular) return std::numeric_limits<double>::infinity();
  double squares = 0;
  for (int i = 0; i < freedoms; ++i) {
    right_.setZero();
    right_(i) = 1;
    lu.solve(right_, delta_);
    squares += delta_.squaredNorm();
  }
  if (given_) return R_q_.norm() * std::sqrt(squares) / freedoms;
  return std::sqrt(std::max(1.0, squares - (freedoms - 1)));
}

void LocalCoordinates::assemble_positions() {
  if (shape_.own_kinematics)
    A_.topRows(free_q_).noalias() = R_q_.lazyProduct(parts_.N);
  else
    A_.topRows(free_q_) = R_q_;
  A_.bottomRows(shape_.ng) = parts_.G;
}

void LocalCoordinates::assemble_levels() {
  V_.topRows(free_v_) = R_v_;
  V_.middleRows(free_v_, shape_.ng) = parts_.G;
  if (shape_.nk > 0) V_.bottomRows(shape_.nk) = velocity_evaluation_.K;
}

void LocalCoordinates::evaluate_velocity_parts(double t) {
  problem_.evaluate(velocity_parts_, Point(t, z_), velocity_evaluation_);
}

void LocalCoordinates::pack(VectorIn z, VectorOut y) const {
  y.head(free_q_).noalias() = R_q_.lazyProduct(z.head(shape_.nq));
  for (int j = 1; j < layout_.order; ++j)
    y.segment(free_q_ + (j - 1) * free_v_, free_v_).noalias() =
        R_v_.lazyProduct(z.segment(layout_.offset(j), shape_.nv));
}

Status LocalCoordinates::solve(double t, VectorIn y) {
  if (solved_ && t == solved_t_ && y == solved_y_) return solved_status_;
  solved_ = true;
  linearized_ = false;
  solved_t_ = t;
  solved_y_ = y;
  if (!y.allFinite()) {
    z_.setConstant(std::numeric_limits<double>::quiet_NaN());
    return solved_status_ = Status::not_finite;
  }
  solved_status_ = find_positions(t, y);
  if (solved_status_ == Status::ok) solved_status_ = find_levels(t, y);
  return solved_status_;
}

Status LocalCoordinates::find_positions(double t, VectorIn y) {
  const auto u = y.head(free_q_);
  auto q = z_.head(shape_.nq);
  z_.setZero();
  q = beginning_.q;
  if (beginning_regular_) {  // along the tangent
    right_.head(free_q_).noalias() = u - R_q_.lazyProduct(q);
    right_.tail(shape_.ng) = (beginning_.t - t) * beginning_g_t_;
    beginning_lu_.solve(right_, delta_);
    problem_.displace(beginning_.t, q, delta_, work_);
  }
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < iterations; ++k) {
    problem_.evaluate(position_parts_, Point(t, z_), parts_);
    if (!parts_.g.allFinite() || !parts_.G.allFinite()) return Status::not_finite;
    assemble_positions();
    if (!position_lu_.factor(A_)) return Status::rank_loss;
    right_.head(free_q_).noalias() = u - R_q_.lazyProduct(q);
    right_.tail(shape_.ng) = -parts_.g;
    position_lu_.solve(right_, delta_);
    if (!delta_.allFinite()) return Status::too_far;
    problem_.displace(t, q, delta_, work_);
    const double size = delta_.lpNorm<Eigen::Infinity>() / (1 + q.lpNorm<Eigen::Infinity>());
    if (size <= converged || (size <= roundoff_at_most && size > last / 2)) return Status::ok;
    last = size;
  }
  return Status::too_far;
}

// g^(j) is linear in x_j: with x_j = 0 what is left of it is the right-hand side.
Status LocalCoordinates::find_levels(double t, VectorIn y) {
  if (layout_.order == 1) return Status::ok;
  evaluate_velocity_parts(t);
  if (!one_chart_) {
    assemble_levels();
    if (!level_lu_.factor(V_)) return V_.allFinite() ? Status::rank_loss : Status::not_finite;
  }
  for (int j = 1; j < layout_.order; ++j) {
    if (j > 1) evaluate_velocity_parts(t);
    right_.setZero();
    right_.head(free_v_) = y.segment(free_q_ + (j - 1) * free_v_, free_v_);
    if (shape_.moving || j > 1) right_.segment(free_v_, shape_.ng) = -velocity_evaluation_.rates.col(j - 1);
    if (shape_.nk > 0) right_.tail(shape_.nk) = -velocity_evaluation_.w;
    level_lu().solve(right_, delta_);
    z_.segment(layout_.offset(j), shape_.nv) = delta_;
  }
  return z_.allFinite() ? Status::ok : Status::not_finite;
}

void LocalCoordinates::linearize() {
  if (linearized_ || layout_.order == 1) return;
  Parts parts = Part::rate_jacobian;
  if (shape_.nk > 0) parts = parts | Part::velocity_drift;
  problem_.evaluate(parts, Point(solved_t_, z_), linear_parts_);
  linearized_ = true;
}

// d g^(j) / d x_i = binomial(j, i) L_{j-i}.
void LocalCoordinates::displacement(VectorIn dy, VectorOut delta) {
  const int nv = shape_.nv, ng = shape_.ng;
  right_.head(free_q_) = dy.head(free_q_);
  right_.tail(ng).setZero();
  position_lu_.solve(right_, delta.head(nv));
  for (int j = 1; j < layout_.order; ++j) {
    right_.setZero();
    right_.head(free_v_) = dy.segment(free_q_ + (j - 1) * free_v_, free_v_);
    for (int i = 0; i < j; ++i)
      right_.segment(free_v_, ng).noalias() -=
          binomial(j, i) *
          linear_parts_.L[static_cast<std::size_t>(j - i - 1)].lazyProduct(delta.segment(i * nv, nv));
    if (shape_.nk > 0) right_.tail(shape_.nk).noalias() = -linear_parts_.w_x.lazyProduct(delta.head(nv));
    level_lu().solve(right_, delta.segment(j * nv, nv));
  }
}

std::size_t LocalCoordinates::memory_size() const {
  return static_cast<std::size_t>(1 + shape_.nq + R_q_.size() + R_v_.size());
}

std::vector<double> LocalCoordinates::memory() const {
  std::vector<double> memory = {beginning_.t};
  memory.insert(memory.end(), beginning_.q.begin(), beginning_.q.end());
  memory.insert(memory.end(), R_q_.data(), R_q_.data() + R_q_.size());
  memory.insert(memory.end(), R_v_.data(), R_v_.data() + R_v_.size());
  return memory;
}

void LocalCoordinates::remember(const std::vector<double>& memory) {
  const double* next = memory.data() + 1 + shape_.nq;
  std::copy_n(next, R_q_.size(), R_q_.data());
  std::copy_n(next + R_q_.size(), R_v_.size(), R_v_.data());
  ready_ = true;
  begin_at(memory.front(), Eigen::Map<const Vector>(memory.data() + 1, shape_.nq));
}

}  // namespace driftless::formulations

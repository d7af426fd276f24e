#include "alpha_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <driftless/core/idle_multipliers.hpp>

#include "contraction.hpp"

namespace driftless::integrators {

namespace {

constexpr double roundoff = 16 * std::numeric_limits<double>::epsilon();
constexpr double noise = 1e-12;  // increments below it that stall are roundoff
constexpr double stalled = 0.3;
constexpr double slow_rate = 0.1;  // beyond it a new Jacobian costs less than the iterations it saves
constexpr double part_of_tolerance = 1e-3;  // an error of v is one of v/h in the multipliers

Parts parts_of_residual(const Shape& shape, bool both) {
  Parts parts = Part::mass | Part::force | Part::input | Part::position;
  if (both) parts = parts | Part::rates;
  if (shape.nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian;
  return parts;
}

Parts parts_of_matrix(const Shape& shape, bool both) {
  Parts parts = Part::mass | Part::input | Part::jacobian | Part::force_jacobian |
                Part::mass_product_jacobian | Part::multiplier_jacobian;
  if (both) parts = parts | Part::rate_jacobian;
  if (shape.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  return parts;
}

}  // namespace

AlphaEquations::AlphaEquations(MechanicalSystem& system, Work& work, const NewtonSettings& settings,
                               const std::optional<Tolerance>& judged_by, Vector* offsets)
    : system_(system),
      work_(work),
      problem_(system.problem()),
      shape_(problem_.shape()),
      both_(system.imposed() == Imposed::both && shape_.ng > 0),
      settings_(settings),
      judged_by_(judged_by),
      residual_parts_(parts_of_residual(shape_, both_)),
      linear_parts_(parts_of_matrix(shape_, both_)),
      offsets_(offsets),
      lu_(shape_.nv, shape_.multipliers()),
      GD_lu_(both_ ? shape_.ng : 0),
      displacement_(problem_) {
  const int nv = shape_.nv, ng = both_ ? shape_.ng : 0, rows = shape_.multipliers();
  X_.setZero(nv, nv);
  T_.setIdentity(nv, nv);
  DG_.setZero(nv, nv);
  GD_.setZero(ng, ng);
  D_.setZero(nv, ng);
  rows_.setZero(rows, nv);
  matrix_.setZero(nv + rows, nv + rows);
  right_.setZero(nv + rows);
  r_g_.setZero(ng);
  push_.setZero(nv);
  row_.setZero(nv);
  q_increment_.setZero(nv);
  z_increment_.setZero(shape_.layout().size());
  z_ = z_increment_;
  x_ = {Vector::Zero(nv), Vector::Zero(shape_.ng), Vector::Zero(shape_.nk), Vector::Zero(ng)};
  start_ = x_;
}

Status AlphaEquations::solve(const AlphaStep& step, AlphaUnknowns& x, Vector& z) {
  start_ = x;
  if (state_ == Kept::kept) {
    const bool same = std::abs(step.b1 - b1_) <= same_step * std::abs(b1_);
    Status status = same ? Status::ok : factor(step.b1, step.b2, step.D);
    if (status == Status::ok) status = iterate(step, x, z, Mode::modified);
    if (status == Status::ok) return status;
    x = start_;
  }
  if (const Status status = renew(step, x, z); status != Status::ok) return status;
  if (!settings_.fresh) {
    const Status status = iterate(step, x, z, Mode::modified);
    if (status != Status::no_convergence) return status;
    x = start_;
  }
  return iterate(step, x, z, Mode::full);
}

void AlphaEquations::accepted() {
  const bool serves = !settings_.fresh && state_ != Kept::none && rate_ <= slow_rate;
  state_ = serves ? Kept::kept : Kept::none;
}

Status AlphaEquations::prepare(const AlphaStep& step, const AlphaUnknowns& x) {
  if (state_ != Kept::kept) {
    const Status status = renew(step, x, z_increment_);
    if (status == Status::ok) state_ = Kept::kept;
    return status;
  }
  return std::abs(step.b1 - b1_) <= same_step * std::abs(b1_) ? Status::ok : factor(step.b1, step.b2, step.D);
}

void AlphaEquations::place(const AlphaStep& step, const AlphaUnknowns& x, Vector& z) {
  const int nq = shape_.nq, nv = shape_.nv;
  push_ = x.a;
  if (both_) push_.noalias() += step.D.lazyProduct(x.nu);
  push_ = step.p + step.b2 * push_;
  displacement_.move(step.t, step.q0, push_, z.head(nq));
  z.tail(nv) = step.u + step.b1 * x.a;
}

Status AlphaEquations::residual(const AlphaStep& step, const AlphaUnknowns& x, VectorIn z) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  if (const Status status = system_.evaluate(residual_parts_, Point(step.t, z), at_); status != Status::ok)
    return status;
  auto force = right_.head(nv);
  force = at_.f;
  force.noalias() -= at_.M.lazyProduct(x.a);
  force.noalias() -= at_.B.lazyProduct(x.lambda);
  if (nk > 0) {
    force.noalias() -= at_.K.transpose().lazyProduct(x.kappa);
    right_.tail(nk) = -at_.w / step.b1;
  }
  if (both_) {
    r_g_ = -at_.g / step.b2;
    right_.segment(nv, ng) = -at_.rates.col(0) / step.b1;
  } else {
    if (offsets_) at_.g -= *offsets_;
    right_.segment(nv, ng) = -at_.g / step.b2;
  }
  if (!rank_.full()) replace_rows(x);
  return right_.allFinite() ? Status::ok : Status::not_finite;
}

Status AlphaEquations::renew(const AlphaStep& step, const AlphaUnknowns& x, Vector& z) {
  state_ = Kept::none;
  place(step, x, z);
  if (!displacement_.derivative(step.t, step.q0, push_, T_)) return Status::not_finite;
  if (const Status status = linearize(step.t, z, x); status != Status::ok) return status;
  state_ = Kept::tried;
  return factor(step.b1, step.b2, step.D);
}

Status AlphaEquations::linearize(double t, VectorIn z, const AlphaUnknowns& x) {
  t_ = t;
  z_ = z;
  x_ = x;
  if (!z_.allFinite()) return Status::not_finite;
  const Status status = system_.evaluate(linear_parts_, Point(t, z_, x_.a, x_.lambda, x_.kappa), linear_);
  if (status != Status::ok) return status;
  X_ = linear_.Ma_x + linear_.Bl_x - linear_.f_z.leftCols(shape_.nv);
  G_ = linear_.G;
  if (both_) L_ = linear_.L[0];
  if (shape_.nk > 0) w_x_ = linear_.w_x;
  if (shape_.own_kinematics)
    for (Matrix* by_position : {&X_, &G_, &L_, &w_x_})
      for (Eigen::Index i = 0; i < by_position->rows(); ++i) {
        row_.noalias() = by_position->row(i).lazyProduct(T_);
        by_position->row(i) = row_;
      }
  if (rank_.pending()) rank_.decide(problem_, t, z_);
  if (!rank_.full() && both_)
    for (const int i : rank_.left_out())
      if (i < shape_.ng) G_.row(i).setZero();
  return X_.allFinite() && linear_.f_z.allFinite() ? Status::ok : Status::not_finite;
}

Matrix AlphaEquations::forces_matrix(const Evaluation& at) const {
  Matrix B(shape_.nv, shape_.multipliers());
  B.leftCols(shape_.ng) = at.B;
  if (shape_.nk > 0) B.rightCols(shape_.nk) = at.K.transpose();
  return B;
}

void AlphaEquations::leave_out_rows() {
  const int nv = shape_.nv, rows = shape_.multipliers();
  const Matrix B = forces_matrix(linear_);
  idle_ = idle_multipliers(B, idle_columns(B, rank_.left_out().size()));
  Eigen::Index next = 0;
  for (const int i : rank_.left_out()) {
    rows_.row(i).setZero();
    matrix_.row(nv + i).setZero();
    matrix_.row(nv + i).tail(rows) = idle_.col(next++).transpose();
  }
}

void AlphaEquations::leave_out_pushes() {
  std::size_t positions = 0;
  for (const int i : rank_.left_out()) positions += i < shape_.ng;
  const std::vector<int> pushes = idle_columns(D_, positions);
  for (std::size_t k = 0; k < positions; ++k) {
    D_.col(pushes[k]).setZero();
    GD_.col(pushes[k]).setZero();
    GD_(rank_.left_out()[k], pushes[k]) = 1;
  }
}

void AlphaEquations::replace_rows(const AlphaUnknowns& x) {
  Vector all(shape_.multipliers());
  all << x.lambda, x.kappa;
  const Vector idle = idle_.transpose() * (rank_.least_norm(forces_matrix(at_), all) - all);
  Eigen::Index next = 0;
  for (const int i : rank_.left_out()) {
    right_(shape_.nv + i) = idle(next++);
    if (both_ && i < shape_.ng) r_g_(i) = 0;
  }
}

Status AlphaEquations::factor(double b1, double b2, const Matrix& D) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  const Evaluation& e = linear_;
  b1_ = b1;
  b2_ = b2;
  ++work_.factorizations;
  auto dynamics = matrix_.topLeftCorner(nv, nv);
  dynamics = e.M + b2 * X_ - b1 * e.f_z.rightCols(nv);
  rows_.topRows(ng) = both_ ? e.G : G_;
  if (nk > 0) rows_.bottomRows(nk) = e.K + (b2 / b1) * w_x_;
  if (both_) {
    D_ = D;
    GD_.noalias() = G_.lazyProduct(D_);
    if (!rank_.full()) leave_out_pushes();
    if (!GD_lu_.factor(GD_)) return Status::singular_step;
    for (int j = 0; j < nv; ++j) {  // D (G D)^-1 G by columns
      r_g_ = G_.col(j);
      GD_lu_.solve(r_g_, r_g_);
      DG_.col(j).noalias() = D_.lazyProduct(r_g_);
    }
    dynamics.noalias() -= b2 * X_.lazyProduct(DG_);
    rows_.topRows(ng) += (b2 / b1) * L_;
    rows_.topRows(ng).noalias() -= (b2 / b1) * L_.lazyProduct(DG_);
    if (nk > 0) rows_.bottomRows(nk).noalias() -= (b2 / b1) * w_x_.lazyProduct(DG_);
  }
  matrix_.block(0, nv, nv, ng) = e.B;
  if (nk > 0) matrix_.topRightCorner(nv, nk) = e.K.transpose();
  matrix_.bottomRightCorner(ng + nk, ng + nk).setZero();
  matrix_.bottomLeftCorner(ng + nk, nv) = rows_;
  if (!rank_.full()) leave_out_rows();
  return lu_.factor(matrix_) ? Status::ok : Status::singular_step;
}

AlphaEquations::Size AlphaEquations::increment(const AlphaStep& step, AlphaUnknowns& x, VectorIn z) {
  const int nq = shape_.nq, nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  if (both_) {
    GD_lu_.solve(r_g_, r_g_);
    push_.noalias() = D_.lazyProduct(r_g_);
    right_.head(nv).noalias() -= b2_ * X_.lazyProduct(push_);
    right_.segment(nv, ng).noalias() -= (b2_ / b1_) * L_.lazyProduct(push_);
    if (nk > 0) right_.tail(nk).noalias() -= (b2_ / b1_) * w_x_.lazyProduct(push_);
  }
  lu_.solve(right_);
  const auto a = right_.head(nv);
  x.a += a;
  x.lambda += right_.segment(nv, ng);
  x.kappa += right_.tail(nk);
  q_increment_ = a;
  if (both_) {
    GD_.col(0).noalias() = G_.lazyProduct(a);
    GD_lu_.solve(GD_.col(0), GD_.col(0));
    r_g_ -= GD_.col(0);
    x.nu += r_g_;
    q_increment_.noalias() += D_.lazyProduct(r_g_);
  }
  // Coordinates of another kind than velocities move by about as much.
  Size size;
  z_increment_.setZero();
  if (nq == nv) z_increment_.head(nq) = step.b2 * q_increment_;
  // Forces of constraint that have changed are a change of velocities too: one that this matrix may have given to the wrong unknowns.
  push_.noalias() = linear_.B.lazyProduct(right_.segment(nv, ng));
  if (nk > 0) push_.noalias() += linear_.K.transpose().lazyProduct(right_.tail(nk));
  for (int i = 0; i < nv; ++i) {
    const double mass = shape_.mass == linalg::MassStructure::identity ? 1 : linear_.M(i, i),
                 change = std::abs(a[i]);
    z_increment_[nq + i] = step.b1 * (mass > 0 ? std::max(change, std::abs(push_[i]) / mass) : change);
  }
  if (nq == nv)
    for (int i = 0; i < nq; ++i)
      size.positions = std::max(size.positions, std::abs(z_increment_[i]) / (1 + std::abs(z[i])));
  else
    size.positions = step.b2 * q_increment_.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < z.size(); ++i)
    size.relative = std::max(size.relative, std::abs(z_increment_[i]) / (1 + std::abs(z[i])));
  size.judged = judged_by_ ? judged_by_->norm(z_increment_, z, z) / part_of_tolerance
                           : size.relative / settings_.tolerance;
  return size;
}

Status AlphaEquations::iterate(const AlphaStep& step, AlphaUnknowns& x, Vector& z, Mode mode) {
  Contraction contraction(settings_.iterations,
                          mode == Mode::full ? Contraction::Matrix::fresh : Contraction::Matrix::kept);
  rate_ = 0;
  for (int k = 1; k <= settings_.iterations; ++k) {
    if (mode == Mode::full && k > 1)
      if (const Status status = renew(step, x, z); status != Status::ok) return status;
    place(step, x, z);
    if (const Status status = residual(step, x, z); status != Status::ok) return status;
    const Size size = increment(step, x, z);
    ++work_.newton;
    if (!std::isfinite(size.relative))
      return mode == Mode::modified ? Status::no_convergence : Status::not_finite;
    // Where g = 0 alone is imposed, roundoff of positions comes back in velocities, divided by the step: nothing gets better any more.
    const bool at_roundoff = size.relative <= noise || (!both_ && k > 2 && size.positions <= roundoff);
    bool done = size.relative <= roundoff || (contraction.ratio(size.relative) >= stalled && at_roundoff);
    if (!done) {
      const auto verdict = contraction.observe(size.relative, size.judged);
      rate_ = contraction.rate();
      if (verdict == Contraction::Verdict::hopeless) return Status::no_convergence;
      done = verdict == Contraction::Verdict::converged;
    }
    if (done) {
      place(step, x, z);
      return Status::ok;
    }
  }
  return Status::no_convergence;
}

void AlphaEquations::smooth(VectorIn values, Across across, VectorOut smoothed) {
  const int nv = shape_.nv, rows = shape_.multipliers();
  right_.head(nv).noalias() = linear_.M.lazyProduct(values);
  if (across == Across::keep)
    right_.tail(rows).noalias() = rows_.lazyProduct(values);
  else
    right_.tail(rows).setZero();
  lu_.solve(right_);
  smoothed = right_.head(nv);
}

std::vector<double> AlphaEquations::memory() const {
  std::vector<double> memory = {state_ == Kept::kept ? 1.0 : 0.0, t_, b1_, b2_};
  for (const Vector* v : {&z_, &x_.a, &x_.lambda, &x_.kappa})
    memory.insert(memory.end(), v->begin(), v->end());
  for (const Matrix* A : {&D_, &T_}) memory.insert(memory.end(), A->data(), A->data() + A->size());
  return memory;
}

std::size_t AlphaEquations::memory_size() const {
  return 4 + static_cast<std::size_t>(z_.size() + x_.a.size() + x_.lambda.size() + x_.kappa.size() +
                                      D_.size() + T_.size());
}

Status AlphaEquations::remember(const double* memory) {
  if (memory[0] == 0) return Status::ok;
  const double t = memory[1], b1 = memory[2], b2 = memory[3];
  memory += 4;
  AlphaUnknowns x = x_;
  Vector z = z_;
  Matrix D = D_;
  for (Vector* v : {&z, &x.a, &x.lambda, &x.kappa}) {
    std::copy_n(memory, v->size(), v->data());
    memory += v->size();
  }
  std::copy_n(memory, D.size(), D.data());
  std::copy_n(memory + D.size(), T_.size(), T_.data());
  Status status = linearize(t, z, x);
  if (status == Status::ok) status = factor(b1, b2, D);
  state_ = status == Status::ok ? Kept::kept : Kept::none;
  return status;
}

}  // namespace driftless::integrators

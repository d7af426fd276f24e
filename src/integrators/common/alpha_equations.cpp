#include "alpha_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contraction.hpp"

namespace driftless::integrators {

namespace {

constexpr double roundoff = 16 * std::numeric_limits<double>::epsilon();
constexpr double noise = 1e-12;  // increments below it that stall are roundoff
constexpr double stalled = 0.3;
constexpr double slow_rate = 0.1;  // beyond it a new Jacobian costs less than the iterations it saves
constexpr double part_of_tolerance = 1e-3;  // an error of v is one of v/h in the multipliers

}  // namespace

AlphaEquations::AlphaEquations(MechanicalSystem& system, std::unique_ptr<AlphaMatrices> matrices, Work& work,
                               const NewtonSettings& settings, const std::optional<Tolerance>& judged_by,
                               Vector* offsets)
    : system_(system),
      work_(work),
      problem_(system.problem()),
      shape_(problem_.shape()),
      both_(imposes_both(system)),
      settings_(settings),
      judged_by_(judged_by),
      matrices_(std::move(matrices)),
      at_(matrices_->storage()),
      offsets_(offsets),
      displacement_(problem_) {
  const int nv = shape_.nv, ng = both_ ? shape_.ng : 0, rows = shape_.multipliers();
  right_.setZero(nv + rows);
  r_g_.setZero(ng);
  push_.setZero(nv);
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
  if (both_) matrices_->add_pushes(step.D, x.nu, push_);
  push_ = step.p + step.b2 * push_;
  displacement_.move(step.t, step.q0, push_, z.head(nq));
  z.tail(nv) = step.u + step.b1 * x.a;
}

Status AlphaEquations::residual(const AlphaStep& step, const AlphaUnknowns& x, VectorIn z) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  if (const Status status = system_.evaluate(matrices_->parts_of_residual(), Point(step.t, z), at_);
      status != Status::ok)
    return status;
  right_.head(nv) = at_.f;
  matrices_->subtract(at_, x, right_.head(nv));
  if (nk > 0) right_.tail(nk) = -at_.w / step.b1;
  if (both_) {
    r_g_ = -at_.g / step.b2;
    right_.segment(nv, ng) = -at_.rates.col(0) / step.b1;
  } else {
    if (offsets_) at_.g -= *offsets_;
    right_.segment(nv, ng) = -at_.g / step.b2;
  }
  if (rows_left_out()) matrices_->replace_rows(at_, x, right_, r_g_);
  return right_.allFinite() ? Status::ok : Status::not_finite;
}

Status AlphaEquations::renew(const AlphaStep& step, const AlphaUnknowns& x, Vector& z) {
  state_ = Kept::none;
  place(step, x, z);
  if (!matrices_->set_displacement(step.t, step.q0, push_)) return Status::not_finite;
  if (const Status status = linearize(step.t, z, x); status != Status::ok) return status;
  state_ = Kept::tried;
  return factor(step.b1, step.b2, step.D);
}

Status AlphaEquations::linearize(double t, VectorIn z, const AlphaUnknowns& x) {
  t_ = t;
  z_ = z;
  x_ = x;
  if (!z_.allFinite()) return Status::not_finite;
  return matrices_->linearize(t, z_, x_);
}

Status AlphaEquations::factor(double b1, double b2, const PushDirections& D) {
  b1_ = b1;
  b2_ = b2;
  ++work_.factorizations;
  return matrices_->factor(b1, b2, D);
}

AlphaEquations::Size AlphaEquations::increment(const AlphaStep& step, AlphaUnknowns& x, VectorIn z) {
  const int nq = shape_.nq, nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  matrices_->solve(right_, r_g_, q_increment_);
  const auto a = right_.head(nv);
  x.a += a;
  x.lambda += right_.segment(nv, ng);
  x.kappa += right_.tail(nk);
  if (both_) x.nu += r_g_;
  // Coordinates of another kind than velocities move by about as much.
  Size size;
  z_increment_.setZero();
  if (nq == nv) z_increment_.head(nq) = step.b2 * q_increment_;
  // Forces of constraint that have changed are a change of velocities too: one that this matrix may have given to the wrong unknowns.
  matrices_->pull(right_.tail(ng + nk), push_);
  for (int i = 0; i < nv; ++i) {
    const double mass = matrices_->mass(i), change = std::abs(a[i]);
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
    const bool at_roundoff = size.relative <= noise ||
                             (!both_ && k > 2 && size.positions <= std::max(roundoff, position_roundoff_));
    bool done = size.relative <= roundoff || (contraction.ratio(size.relative) >= stalled && at_roundoff);
    if (!done) {
      const auto verdict = contraction.observe(size.relative, size.judged);
      rate_ = contraction.rate();
      if (verdict == Contraction::Verdict::hopeless) return Status::no_convergence;
      done = verdict == Contraction::Verdict::converged;
    }
    if (done) {
      if (rows_left_out()) matrices_->least_norm(at_, x);
      place(step, x, z);
      return Status::ok;
    }
  }
  return Status::no_convergence;
}

std::vector<double> AlphaEquations::memory() const {
  std::vector<double> memory = {state_ == Kept::kept ? 1.0 : 0.0, t_, b1_, b2_};
  for (const Vector* v : {&z_, &x_.a, &x_.lambda, &x_.kappa})
    memory.insert(memory.end(), v->begin(), v->end());
  const std::vector<double> of_matrices = matrices_->memory();
  memory.insert(memory.end(), of_matrices.begin(), of_matrices.end());
  return memory;
}

std::size_t AlphaEquations::memory_size() const {
  return 4 + static_cast<std::size_t>(z_.size() + x_.a.size() + x_.lambda.size() + x_.kappa.size()) +
         matrices_->memory_size();
}

Status AlphaEquations::remember(const double* memory) {
  if (memory[0] == 0) return Status::ok;
  const double t = memory[1], b1 = memory[2], b2 = memory[3];
  memory += 4;
  AlphaUnknowns x = x_;
  Vector z = z_;
  PushDirections D;
  for (Vector* v : {&z, &x.a, &x.lambda, &x.kappa}) {
    std::copy_n(memory, v->size(), v->data());
    memory += v->size();
  }
  matrices_->remember(memory, D);
  Status status = linearize(t, z, x);
  if (status == Status::ok) status = factor(b1, b2, D);
  state_ = status == Status::ok ? Kept::kept : Kept::none;
  return status;
}

}  // namespace driftless::integrators

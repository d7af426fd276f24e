#include "correction.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/invariants_option.hpp>
#include <driftless/core/unit_of_time.hpp>

namespace driftless::stabilizers {

StabilizerTraits traits_of(const Scheme& scheme, NormalKind F) {
  const bool positions = F != NormalKind::velocity, velocities = F != NormalKind::position,
             solves = F != NormalKind::transpose;
  return {.corrects = true,
          .late = scheme.late,
          .leaves_nothing = scheme.leaves_nothing && solves,
          .moves_positions = positions,
          .moves_velocities = velocities,
          .positions_for_velocities = F == NormalKind::full || !solves,
          .each_level_by_itself = positions && velocities && solves,
          .along_forces = F == NormalKind::input};
}

std::optional<std::string> CorrectingStabilizer::refuses(const Shape& shape) const {
  if (const auto reason = refuse_time_of_model(options_.model_time, shape)) return reason;
  return normal_kind_refuses(options_.F, shape, !options_.invariants.empty());
}

Invariants CorrectingStabilizer::invariants(const Problem& problem) const {
  return choose_invariants(problem, options_.invariants);
}

void CorrectingStabilizer::start(const Manifold& manifold) {
  const int rows = manifold.rows();
  own_map_.start(manifold, options_.F, options_.solve);
  delta_.setZero(manifold.shape().layout().tangent_size());
  move_.setZero(manifold.shape().layout().size());
  error_delta_ = second_ = delta_;
  trial_ = kept_z_ = move_;
  He_.setZero(rows);
  x_.setZero(rows);
  x_new_ = x_;
  age_ = -1;
  tau_ = 1;
  layout_ = manifold.shape().layout();
  unit_of_time_ = {};
  if (options_.renew.always()) return;
  kept_map_.start(manifold, options_.F, options_.solve);
  kept_.emplace(manifold);
}

void CorrectingStabilizer::accepted() {
  if (age_ >= 0) ++age_;
  x_ = x_new_;
}

void CorrectingStabilizer::jumped() {
  age_ = -1;
  x_.setZero();
  unit_of_time_.jumped();
}

// ---- where F is made ----

Status CorrectingStabilizer::look_afresh(Manifold& manifold, double t, VectorIn z) {
  active_ = &own_map_;
  jacobians_ = &manifold;
  if (const Status status = manifold.linearize(t, z); status != Status::ok) return status;
  own_map_.measure_time_by(tau_);
  const Status status = own_map_.factor(manifold, t, z);
  return status == Status::ok ? rescale() : status;
}

Status CorrectingStabilizer::look(Manifold& manifold, double t, VectorIn z, Purpose purpose) {
  if (options_.renew.always() || purpose == Purpose::output) return look_afresh(manifold, t, z);
  const bool due = age_ < 0 || (!options_.renew.automatic && age_ >= options_.renew.steps);
  if (due)
    if (const Status status = renew(t, z, tau_); status != Status::ok) return status;
  active_ = &kept_map_;
  jacobians_ = &*kept_;
  return manifold.evaluate(t, z);
}

Status CorrectingStabilizer::renew(double t, VectorIn z, double tau) {
  age_ = -1;
  kept_map_.measure_time_by(tau);
  if (const Status status = kept_->linearize(t, z); status != Status::ok) return status;
  if (const Status status = kept_map_.factor(*kept_, t, z); status != Status::ok) return status;
  age_ = 0;
  kept_t_ = t;
  kept_z_ = z;
  return Status::ok;
}

// F = transpose is measured by the largest eigenvalue, so that 0 < alpha < 2 is its interval of stability too.
Status CorrectingStabilizer::rescale() {
  if (options_.F != NormalKind::transpose) return Status::ok;
  const double eigenvalue = own_map_.largest_eigenvalue();
  scale_ = 1 / eigenvalue;
  if (std::isfinite(scale_)) return Status::ok;
  return eigenvalue == 0 ? Status::rank_loss : Status::not_finite;
}

// ---- answers ----

Status CorrectingStabilizer::answer(Manifold& manifold, double t, VectorIn z, double alpha, Purpose purpose) {
  if (options_.solve.sweeps > 0 && purpose == Purpose::candidate) {
    x_new_ = x_;  // violations of one step and the next are alike, and so are the x that answer them
    map().apply_from(jacobians(), manifold.h(), x_new_, delta_);
  } else {
    map().apply(jacobians(), manifold.h(), delta_);
  }
  delta_ *= -alpha * scale_;
  if (!delta_.allFinite()) return Status::not_finite;
  if (!with_kept() || !options_.renew.automatic || age_ == 0) return Status::ok;
  if (!leaves_too_much(manifold, t, z, alpha)) return Status::ok;
  if (const Status status = renew(t, z, tau_); status != Status::ok) return status;
  if (const Status status = manifold.evaluate(t, z); status != Status::ok) return status;
  return answer(manifold, t, z, alpha, purpose);
}

// A right F leaves (1 - alpha) h; what it would answer to the rest is compared with delta_.
bool CorrectingStabilizer::leaves_too_much(Manifold& manifold, double t, VectorIn z, double alpha) {
  constexpr double limit = 0.1, roundoff = 1e-13;
  if (alpha == 0) return false;
  trial_ = z;
  manifold.displace(t, delta_, trial_);
  if (manifold.evaluate(t, trial_) != Status::ok) return true;
  map().apply(jacobians(), manifold.h(), second_);
  second_ += (1 - alpha) / alpha * delta_;
  const double left = second_.cwiseAbs().maxCoeff();
  return left > limit * delta_.cwiseAbs().maxCoeff() && left > roundoff * (1 + z.cwiseAbs().maxCoeff());
}

const Vector* CorrectingStabilizer::normalize_only(const Manifold& manifold, State& state) {
  if (!manifold.shape().own_kinematics) return nullptr;
  begin_move(manifold, state);
  return end_move(state);
}

void CorrectingStabilizer::begin_move(const Manifold& manifold, State& state) {
  move_ = -state.z;
  manifold.problem().normalize(state.z.head(state.layout.nq));
}

const Vector* CorrectingStabilizer::end_move(const State& state) {
  move_ += state.z;
  return &move_;
}

void CorrectingStabilizer::remove_normal_part(Manifold& manifold, const State& state, VectorOut error) {
  manifold.to_displacement(state.t, state.z, error, error_delta_);
  map().times_H(jacobians(), error_delta_, He_);
  removal(He_, second_);
  error_delta_ -= second_;
  manifold.from_displacement(error_delta_, error);
}

double CorrectingStabilizer::size_of(const Vector& delta, const State& state) const {
  const int nv = state.layout.nv;
  double largest = 0;
  for (int j = 0; j < state.layout.order; ++j) {
    const double scale = 1 + state.level(j).cwiseAbs().maxCoeff();
    largest = std::max(largest, delta.segment(j * nv, nv).cwiseAbs().maxCoeff() / scale);
  }
  return largest;
}

// ---- restart ----

// Where the kept F was made, in which unit of time, and how old it is; x of the sweeps.
std::vector<double> CorrectingStabilizer::memory() const {
  std::vector<double> memory;
  if (kept_) {
    memory = {static_cast<double>(age_), kept_t_, kept_map_.unit_of_time()};
    memory.insert(memory.end(), kept_z_.begin(), kept_z_.end());
  }
  if (options_.solve.sweeps > 0) memory.insert(memory.end(), x_.begin(), x_.end());
  if (compares_levels())
    for (const double value : unit_of_time_.memory(layout_)) memory.push_back(value);
  return memory;
}

bool CorrectingStabilizer::remember(const std::vector<double>& memory) {
  auto next = memory.begin();
  if (kept_) {
    const double age = *next++;
    if (!(age >= -1 && age <= 1e9)) return false;
    kept_t_ = *next++;
    const double tau = *next++;
    if (!(tau > 0)) return false;
    std::copy_n(next, kept_z_.size(), kept_z_.begin());
    next += kept_z_.size();
    if (age >= 0 && renew(kept_t_, Vector(kept_z_), tau) != Status::ok) return false;
    age_ = static_cast<int>(age);
  }
  if (options_.solve.sweeps > 0) {
    std::copy_n(next, x_.size(), x_.begin());
    next += x_.size();
  }
  if (compares_levels()) unit_of_time_.remember(&*next, layout_);
  return true;
}

}  // namespace driftless::stabilizers

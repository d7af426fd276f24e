#include "constraint_feedback.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/manifold.hpp>

namespace driftless::formulations {

namespace {

// Times 1/h, at the new point. Any decay would be damped; but a violation d of positions is answered by velocities of the size d times
// the rate, and with a rate above 1/h what the corrector leaves becomes an error of velocities that no step makes smaller.
constexpr double unhurried = 0.25;
constexpr double settled = 20;  // steps in a row

}  // namespace

ConstraintFeedback::ConstraintFeedback(const Problem& problem, const Feedback& feedback)
    : problem_(problem),
      shape_(problem.shape()),
      feedback_(feedback),
      r_(Vector::Zero(shape_.multipliers())),
      level_(Vector::Zero(shape_.nv)) {
  if (!feedback_.automatic) return;
  find_unit_gains();
  set_gains();
}

void ConstraintFeedback::find_unit_gains() {
  const int m = shape_.order;
  multistep_ = by_.decay > 0;
  at_new_point_ = feedback_.at_new_point || multistep_;
  const Discretization followed = at_new_point_ ? Discretization{.decay = unhurried} : by_;
  unit_velocity_gain_ = feedback_gains(followed, 1).front();
  if (feedback_.highest_only) {
    unit_gains_.assign(static_cast<std::size_t>(m), 0);
    unit_gains_.back() = unit_velocity_gain_;
  } else {
    unit_gains_ = feedback_gains(followed, m);
  }
  held_ = holds_feedback(followed);
}

// Another method, or the same after its start, or from another state on.
void ConstraintFeedback::follow(const StepContext& step) {
  if (step.discretization != by_) {
    by_ = step.discretization;
    find_unit_gains();
  }
  waits_ = step.starting;
  set_gains();
  r_.setZero();
  gain_step_.renew();
}

// Gains at the new point are those of a power of two above the steps of late. Gains that grew whenever steps shrink would make the
// solution rougher, and steps shrink further; and the tiny first steps of a multistep method have drifted nowhere.
bool ConstraintFeedback::settle(double t, double h) {
  if (t == slow_.t) return false;
  slow_.t = t;
  const double before = slow_.step;
  const bool was_young = slow_.age < settled;
  slow_.age = std::min(slow_.age + 1, settled);
  slow_.shorter = h < slow_.step / 4 ? slow_.shorter + 1 : 0;
  if (h > slow_.step) slow_.step = std::exp2(std::ceil(std::log2(h)));
  if (slow_.shorter >= settled) {
    slow_.step /= 2;
    slow_.shorter = 0;
  }
  return slow_.step != before || was_young;
}

bool ConstraintFeedback::begin_step(const StepContext& step, VectorIn z) {
  if (!feedback_.automatic) return false;
  if (step.h == 0 || step.starting != waits_ || step.discretization != by_) follow(step);
  if (step.h == 0) return true;
  const bool other = at_new_point_ ? settle(step.t, step.h) : gain_step_.begin(step.t, step.h);
  if (other) set_gains();
  if (held_) evaluate(step.t, z);
  return other || held_;
}

void ConstraintFeedback::save(VectorOut memory) const {
  memory << gain_step_.value(), slow_.step, slow_.t, slow_.age, slow_.shorter;
}

void ConstraintFeedback::restore(VectorIn memory) {
  gain_step_.restore(memory[0]);
  slow_ = {memory[1], memory[2], memory[3], memory[4]};
  if (at_new_point_) set_gains();
}

void ConstraintFeedback::set_gains() {
  const int m = shape_.order;
  const double h = at_new_point_ ? slow_.step : gain_step_.value();
  feedback_.gains.assign(unit_gains_.size(), 0);
  feedback_.velocity_gain = 0;
  if (h == 0 || waits_ || (multistep_ && slow_.age < settled)) return;  // h = 0: no step has begun
  for (int j = 0; j < m; ++j) {
    const auto i = static_cast<std::size_t>(j);
    feedback_.gains[i] = unit_gains_[i] / std::pow(h, feedback_.highest_only ? 1 : m - j);
  }
  feedback_.velocity_gain = unit_velocity_gain_ / h;
}

void ConstraintFeedback::evaluate(double t, VectorIn z) {
  if (feedback_.gains.empty()) return;  // r stays 0
  Parts parts = Part::position;
  if (shape_.order > 1) parts = parts | Part::rates;
  if (shape_.nk > 0) parts = parts | Part::velocity;
  const bool plain = feedback_.plain_rates && shape_.order > 2;
  if (plain) parts = parts | Part::jacobian;
  problem_.evaluate(parts, Point(t, z), parts_);
  auto r_g = r_.head(shape_.ng);
  r_g = -feedback_.gains[0] * parts_.g;
  for (int j = 1; j < shape_.order; ++j) {
    const double gain = feedback_.gains[static_cast<std::size_t>(j)];
    if (plain && j > 1)
      r_g.noalias() -= gain * parts_.G.lazyProduct(z.segment(shape_.layout().offset(j), shape_.nv));
    else
      r_g -= gain * parts_.rates.col(j - 1);
  }
  if (shape_.nk > 0) r_.tail(shape_.nk) = -feedback_.velocity_gain * parts_.w;
}

// d g^(j) / d x_i = binomial(j, i) L_{j-i};  (G x_j)_x is what x_j for a adds to the derivative of G a + c.
void ConstraintFeedback::jacobian(double t, VectorIn z, MatrixOut r_z) {
  r_z.setZero();
  if (feedback_.gains.empty()) return;
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv;
  Parts parts = Part::jacobian;
  if (shape_.order > 1) parts = parts | Part::rate_jacobian;
  if (nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  const bool plain = feedback_.plain_rates && shape_.order > 2;
  if (plain) parts = parts | Part::curvature_jacobian;
  problem_.evaluate(parts, Point(t, z), parts_);
  if (plain) c_z_ = parts_.c_z;
  for (int j = 0; j < shape_.order; ++j) {
    const double gain = feedback_.gains[static_cast<std::size_t>(j)];
    if (plain && j > 1) {
      level_ = z.segment(shape_.layout().offset(j), nv);
      problem_.evaluate(Part::curvature_jacobian, Point(t, z, level_, r_.head(0), r_.head(0)), parts_);
      r_z.block(0, 0, ng, nv) -= gain * (parts_.c_z.leftCols(nv) - c_z_.leftCols(nv));
      r_z.block(0, j * nv, ng, nv) -= gain * parts_.G;
      continue;
    }
    for (int i = 0; i <= j; ++i) {
      const Matrix& block = i == j ? parts_.G : parts_.L[static_cast<std::size_t>(j - i - 1)];
      r_z.block(0, i * nv, ng, nv) -= gain * binomial(j, i) * block;
    }
  }
  if (nk > 0) {
    r_z.block(ng, 0, nk, nv) = -feedback_.velocity_gain * parts_.w_x;
    r_z.block(ng, nv, nk, nv) = -feedback_.velocity_gain * parts_.K;
  }
}

}  // namespace driftless::formulations

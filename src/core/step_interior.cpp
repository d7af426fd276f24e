#include "step_interior.hpp"

#include <fmt/format.h>

namespace driftless {

void StepInterior::renew(Multipliers of_end) {
  of_end_ = of_end;
  end_known_ = false;
  inside_.renew();
}

// A chord between unit quaternions is shorter than they are.
Status StepInterior::interpolated(double t, State& out) {
  const Status status = pipeline_.integrator->interpolate(t, out);
  if (status == Status::ok && !out.z.allFinite()) return Status::too_far;  // local coordinates end before
  if (status == Status::ok && manifold_.shape().norms() > 0) manifold_.problem().normalize(out.q());
  return status;
}

Status StepInterior::stabilized(double t, State& out) {
  const Status status = as_stepped(t, out);
  if (status == Status::ok && !pipeline_.stabilizer->traits.removes_errors()) projection_.apply(out);
  return status;
}

Status StepInterior::as_stepped(double t, State& out) {
  const Status status = interpolated(t, out);
  if (status != Status::ok) return status;
  const Occasion occasion{from_, t - from_.t, Occasion::Purpose::output};
  return pipeline_.stabilizer->apply(manifold_, out, occasion).status;
}

Status StepInterior::with_multipliers(double t, State& out) {
  const Status status = stabilized(t, out);
  return status == Status::ok ? add_multipliers(out) : status;
}

Multipliers StepInterior::carried() const {
  const bool asked_for = carried_multipliers(*pipeline_.integrator) == Multipliers::asked_for;
  return asked_for ? Multipliers::asked_for : multipliers_left(*pipeline_.system, *pipeline_.integrator);
}

Status StepInterior::add_multipliers(State& at) {
  const Multipliers kind = carried();
  if (kind == Multipliers::asked_for) return Status::ok;
  if (kind == Multipliers::evaluated) return pipeline_.system->multipliers(at);
  if (inside_.interpolated_are_better(*this)) {
    inside_.correct(*this, at);
    return Status::ok;
  }
  lambda_ = at.lambda;
  kappa_ = at.kappa;
  if (const Status status = pipeline_.system->multipliers(at); status != Status::ok)
    keep_those_of_step(at, status);
  return Status::ok;
}

const State& StepInterior::end() {
  if (of_end_ != Multipliers::of_step) return to_;
  if (end_known_) return end_;
  end_known_ = true;
  end_ = to_;
  const Work method = pipeline_.system->work();  // which has no part in what is shown
  lambda_ = to_.lambda;
  kappa_ = to_.kappa;
  if (const Status status = pipeline_.system->multipliers(end_); status != Status::ok)
    keep_those_of_step(end_, status);
  pipeline_.system->work() = method;
  return end_;
}

// Where the rank is lost, for instance, a step that imposes constraints goes on and the law of
// accelerations has no answer.
void StepInterior::keep_those_of_step(State& at, Status status) {
  at.lambda = lambda_;
  at.kappa = kappa_;
  if (unknown_count_++ > 0) return;
  first_unknown_ = at.t;
  why_unknown_ = manifold_.problem().explain(status, at.t, at.z);
}

std::string StepInterior::note() const {
  if (unknown_count_ == 0) return {};
  return fmt::format(
      "lambda at t = {:.10g}{} is what the step left, since it could not be evaluated at the state: {}",
      first_unknown_,
      unknown_count_ > 1 ? fmt::format(" and at {} later times", unknown_count_ - 1) : std::string(),
      why_unknown_);
}

}  // namespace driftless

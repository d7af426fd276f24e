// How a run tries again and how it ends, with what it says then.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "run.hpp"

namespace driftless {

// What t tells apart; close to t = 0, which tells everything apart, what the motion does.
double Run::smallest_step() const {
  constexpr double resolution = 16 * std::numeric_limits<double>::epsilon();
  return std::max(resolution * std::max(std::abs(state.t), time_scale_), std::numeric_limits<double>::min());
}

bool Run::shrink() {
  reject(pipeline_.controller->shrink(target_ - state.t));
  return h_ >= smallest_step() || gives_in();
}

bool Run::gives_in() {
  if (let_stray_ || straying_step_ == 0 || !running_) return false;
  let_stray_ = true;
  h_ = straying_step_;
  return true;
}

void Run::retry(const Step& step) {
  const double tried = target_ - state.t;
  if (shrink()) return;
  if (step.status == Status::singular_step)
    return end_by(step.status,
                  fmt::format("{} (step {:.2e})",
                              pipeline_.system->explain(step.status, step.failed_t, *step.failed_y), tried));
  if (step.status != Status::no_convergence) {
    const bool exploded = step.status == Status::not_finite && pipeline_.controller->fixed_step();
    return end_by(
        step.status,
        pipeline_.system->explain(step.status, step.failed_t, *step.failed_y) +
            (exploded ? "; or the method is unstable at this step, and a smaller `step` helps" : ""));
  }
  const char* advice =
      pipeline_.controller->fixed_step()
          ? "use a smaller `step`, or raise the integrator's option iterations (or tolerance, where it has "
            "one)"
          : "look for a jump or a singularity of the model near that time, loosen `rtol` and "
            "`atol` where roundoff does not allow them, or raise the integrator's option iterations";
  end(EndReason::no_convergence,
      fmt::format("Newton's method did not converge at t = {:.10g} with step {:.2e}; {}", step.failed_t,
                  tried, advice));
}

void Run::retry(Status status, const State& candidate) {
  if (!shrink()) end_by(status, problem_.explain(status, candidate.t, candidate.z));
}

// Close to where the run stands, where every step failed.
std::optional<PrescribedJump> Run::jump_here() const {
  constexpr double close = 1e-7;
  const double length = time_scale_ > 0 ? time_scale_ : 1;
  return prescribed_jump(problem_, state, close * std::max(length, std::abs(state.t)), length);
}

// A constraint that is far off at the next moment although the state has not moved: it jumps.
std::string Run::jump_text(double t) const {
  const int ng = problem_.shape().ng;
  if (ng == 0 || !problem_.shape().moving) return {};
  Evaluation now, then;
  problem_.evaluate(Part::position, Point(state.t, state.z), now);
  problem_.evaluate(Part::position, Point(t, state.z), then);
  Eigen::Index row = 0;
  const double moved = (then.g - now.g).cwiseAbs().maxCoeff(&row);
  return moved > 0 ? fmt::format(" (most of it is asked for by {})",
                                 problem_.constraint_name(static_cast<int>(row)))
                   : std::string();
}

void Run::retry(const Correction& fix, const State& candidate) {
  const double tried = target_ - state.t;
  if (shrink()) return;
  if (pipeline_.controller->tolerance()) end_beyond_roundoff();
  if (!running_) return;
  if (fix.status == Status::rank_loss)
    if (const std::string which = manifold.dependent_invariants(candidate.t, candidate.z); !which.empty())
      return end_by(
          fix.status,
          fmt::format("the invariants that the stabilizer keeps are not independent at t = {:.10g}: "
                      "{}; leave it out of `invariants`",
                      candidate.t, which));
  if (fix.status == Status::rank_loss || fix.status == Status::contradiction ||
      fix.status == Status::not_finite)
    return end_by(fix.status, problem_.explain(fix.status, candidate.t, candidate.z));
  const char* advice =
      pipeline_.controller->fixed_step()
          ? "use a smaller `step`, tolerances instead of a step, or `stabilizer = none`"
          : "loosen `rtol` and `atol` or the stabilizer's own tolerance, or use another stabilizer";
  if (fix.status == Status::too_far)
    return end(
        EndReason::no_convergence,
        fmt::format(
            "the stabilizer would have to move the state farther than the tolerance lets it be trusted, "
            "for a violation of {:.2e} at t = {:.10g} with step {:.2e}{}; {}",
            fix.violation, candidate.t, tried, jump_text(candidate.t), advice));
  end(EndReason::no_convergence,
      fmt::format("the stabilizer did not bring a violation of {:.2e} back (left: {:.2e}) at t = {:.10g} "
                  "with step {:.2e}{}; {}",
                  fix.violation, fix.remaining, candidate.t, tried, jump_text(candidate.t), advice));
}

// Errors that are differences of states do not fall below the states' roundoff: no step is small enough then.
void Run::end_beyond_roundoff() {
  if (!running_) return;
  const Tolerance& tolerance = *pipeline_.controller->tolerance();
  if (tolerance.norm(4 * std::numeric_limits<double>::epsilon() * state.z, state.z, state.z) <= 1) return;
  end(EndReason::step_underflow,
      fmt::format(
          "the tolerance cannot be met at t = {:.10g}: {} is less than the roundoff of the state, whose "
          "largest entry is {:.3g}; loosen it, or put the origin nearer to the mechanism",
          state.t, tolerance.text(), state.z.cwiseAbs().maxCoeff()));
}

// A pace at which no run arrives, with many attempts that fail: a force that changes its sign whenever it is across, for instance. It may be a
// passage, so that it is looked at three times.
void Run::end_if_stuck() {
  constexpr long count = 10000;
  constexpr double too_many = 1e7;
  if (pipeline_.controller->fixed_step() || work.steps % count != 0) return;
  const double advanced = state.t - std::exchange(milestone_, state.t);
  const double needed = (options_.t_end - state.t) / advanced * static_cast<double>(count);
  const bool rough = work.rejected - std::exchange(rejected_at_milestone_, work.rejected) > count / 10;
  slow_passages_ = rough && !(needed <= too_many) ? slow_passages_ + 1 : 0;
  if (slow_passages_ < 3) return;
  end(EndReason::step_underflow, fmt::format("the last {} steps, to t = {:.10g}, advanced it by {:.2e} only, "
                                             "and at that pace the end would take {:.0e} "
                                             "more: a force there changes its sign from step to step (dry "
                                             "friction) or grows without end, or the tolerance is too small; "
                                             "smooth "
                                             "the force, use an event, or loosen `rtol` and `atol`{}",
                                             count, state.t, advanced, needed, limit_text()));
}

void Run::reject(const Verdict& verdict, const Step& step) {
  const Tolerance* tolerance = pipeline_.controller->tolerance();
  if (tolerance && step.error && step.error->size() >= state.z.size()) {
    double largest = 0;
    for (Eigen::Index i = 0; i < state.z.size(); ++i)
      if (const double scaled = std::abs((*step.error)(i)) / tolerance->allowed(i, std::abs(state.z(i)));
          scaled > largest) {
        largest = scaled;
        limiting_ = static_cast<int>(i);
      }
  }
  reject(verdict);
}

std::string Run::limit_text() const {
  const Shape& shape = problem_.shape();
  if (stiffness_.in_stiff_phase())
    return fmt::format(
        "; steps there are as short as the stability of an explicit method asks: {} may go on",
        shape.order > 1 && shape.multipliers() > 0 ? "`formulation = ggl`" : "`integrator = bdf`");
  if (limiting_ < 0 || shape.order > 2) return {};
  const std::string name = limiting_ < shape.nq ? problem_.coordinate_name(limiting_)
                                                : problem_.velocity_name(limiting_ - shape.nq);
  return fmt::format("; what asks for small steps is the error of {}", name);
}

// What stops having a value a little further on, if the problem knows.
std::string Run::fault_ahead() const {
  const Shape& shape = problem_.shape();
  const double ahead = 1e-8 * (1 + std::abs(state.t));
  Vector z = state.z;
  if (shape.order == 2) {
    Workspace own;
    problem_.displace(state.t, z.head(shape.nq), ahead * state.v(), own);
  }
  return problem_.fault(state.t + ahead, z);
}

// Steps this small no longer advance t; creeping on would only take forever.
bool Run::underflow() {
  if (last_ || h_ >= smallest_step() || gives_in()) return false;
  if (options_.start_as_given && work.steps == 0) {
    end(EndReason::step_underflow,
        fmt::format("no step from t = {:.10g} is small enough: the start is off "
                    "the constraints on purpose, and this formulation "
                    "imposes them at once; use `formulation = index1` or baumgarte",
                    state.t));
    return true;
  }
  if (const std::string fault = fault_ahead(); !fault.empty()) {
    end_by(Status::not_finite,
           fmt::format("{} (just behind t = {:.10g}); check the model there", fault, state.t));
    return true;
  }
  end(EndReason::step_underflow,
      fmt::format(
          "the step fell to {:.2e} at t = {:.10g} (limit {:.2e}), so that the tolerance cannot be met "
          "there; loosen `rtol` and `atol`, or look for a singularity of the model near that time{}",
          h_, state.t, smallest_step(), limit_text()));
  return true;
}

void Run::end(EndReason reason, std::string message) {
  solution_.end = reason;
  solution_.end_message = std::move(message);
  running_ = false;
  const bool failed = !solution_.complete() && reason != EndReason::exception &&
                      reason != EndReason::interrupted && reason != EndReason::max_steps;
  // Of whatever sort the failure is, a model that contradicts itself is its cause.
  if (failed)
    if (const auto wrong = model_.verdict(state)) return end_by_model(*wrong);
  const bool stuck = reason == EndReason::step_underflow || reason == EndReason::no_convergence;
  if (const auto jump = stuck ? jump_here() : std::nullopt) {
    solution_.end_message = ::driftless::jump_text(problem_, *jump);
    return;
  }
  end_beside_singularity();
}

void Run::end_by_model(std::string what) {
  solution_.end = EndReason::contradiction;
  solution_.end_message = std::move(what);
  running_ = false;
}

void Run::end_beside_singularity() {
  const bool asked_for = solution_.complete() || solution_.end == EndReason::exception ||
                         solution_.end == EndReason::interrupted || solution_.end == EndReason::max_steps ||
                         solution_.end == EndReason::impasse || solution_.end == EndReason::lock_up;
  if (asked_for) return;
  const SingularityWatch::Verdict verdict = singularities_.verdict(state);
  if (verdict.message.empty()) return;
  if (verdict.locked) {
    solution_.end = EndReason::lock_up;
    solution_.end_message = verdict.message;
  } else {
    solution_.end_message += "; " + verdict.message;
  }
  if (pipeline_.controller->fixed_step())
    solution_.end_message += "; or the step is too large, and a smaller `step` helps";
}

bool Run::watch_singularities() {
  const auto trouble = singularities_.look(interior_);
  if (!trouble) return true;
  state = previous_;
  interior_.renew();
  --work.steps;  // the last one is none
  end(trouble->reason, trouble->message);
  return false;
}

void Run::end_by(Status status, std::string explanation) {
  const EndReason reason = status == Status::not_finite      ? EndReason::not_finite
                           : status == Status::rank_loss     ? EndReason::rank_loss
                           : status == Status::contradiction ? EndReason::contradiction
                           : status == Status::singular_mass ? EndReason::singular_mass
                           : status == Status::singular_step ? EndReason::singular_step
                                                             : EndReason::no_convergence;
  end(reason, std::move(explanation));
}

}  // namespace driftless

#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless {

Run::Run(const Problem& problem, Pipeline& pipeline, const State& start, const Options& options,
         const std::vector<Observer*>& observers)
    : state(start),
      manifold(problem),
      error(Vector::Zero(start.z.size())),
      problem_(problem),
      pipeline_(pipeline),
      options_(options),
      observers_(observers),
      outputs_(options.output, start.t, options.t_end),
      previous_(start),
      between_(start) {}

void Run::begin() {
  pipeline_.stabilizer->start(problem_);
  const StepController& controller = *pipeline_.controller;
  const Status status = pipeline_.integrator->start(*pipeline_.system, state);
  if (status != Status::ok) end_by(status, state.t, state.z);
  h_ = controller.fixed_step() ? *controller.fixed_step()
       : options_.h0           ? *options_.h0
                     : initial_step(*pipeline_.system, state, *controller.tolerance(), pipeline_.order,
                                    options_.t_end - state.t);
  for (Observer* observer : observers_) observer->start({problem_, state, options_.t_end});
  if (!running_) return;
  if (outputs_.every_step())
    for (Observer* observer : observers_) observer->output(state);
  else
    write_outputs();
}

double Run::next_step() {
  const double rest = options_.t_end - state.t;
  if (options_.hmax) h_ = std::min(h_, *options_.hmax);
  // Stretch a little rather than leave a last sliver; a fixed step only by roundoff.
  const double stretch = pipeline_.controller->fixed_step() ? 1e-9 : 0.01;
  last_ = h_ * (1 + stretch) >= rest;
  return last_ ? rest : h_;
}

double Run::smallest_step() const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(state.t), std::abs(options_.t_end));
}

bool Run::shrink() {
  ++work.rejected;
  h_ = pipeline_.controller->shrink(last_ ? std::min(h_, options_.t_end - state.t) : h_);
  return h_ >= smallest_step();
}

void Run::retry(Status status, double t, VectorIn y) {
  if (!shrink()) end_by(status, t, y);
}

void Run::retry(const Correction& fix, const State& candidate) {
  const double tried = h_;
  if (shrink()) return;
  if (fix.status == Status::rank_loss || fix.status == Status::not_finite) {
    solution_.end = fix.status == Status::rank_loss ? EndReason::rank_loss : EndReason::not_finite;
    end(solution_.end, problem_.explain(fix.status, candidate.t, candidate.z));
    return;
  }
  end(EndReason::no_convergence, fmt::format("the stabilizer could not bring a violation of {:.2e} back "
                                             "(left {:.2e}) at t = {:.10g} with step {:.2e}; use a smaller "
                                             "--step, tolerances instead of a step, or --stabilizer none",
                                             fix.violation, fix.remaining, candidate.t, tried));
}

void Run::reject(double next_h) {
  ++work.rejected;
  h_ = next_h;
}

// Steps this small no longer advance t; creeping on would only take forever.
bool Run::underflow() {
  if (last_ || h_ >= smallest_step()) return false;
  end(EndReason::step_underflow,
      fmt::format("the step fell to {:.2e} at t = {:.10g} (limit {:.2e}), so that the tolerance cannot be "
                  "met there; loosen "
                  "--rtol and --atol, or look for a singularity of the model near that time",
                  h_, state.t, smallest_step()));
  return true;
}

void Run::end(EndReason reason, std::string message) {
  solution_.end = reason;
  solution_.end_message = std::move(message);
  running_ = false;
}

void Run::end_by(Status status, double t, VectorIn y) {
  const EndReason reason = status == Status::not_finite      ? EndReason::not_finite
                           : status == Status::rank_loss     ? EndReason::rank_loss
                           : status == Status::singular_mass ? EndReason::singular_mass
                                                             : EndReason::no_convergence;
  end(reason, pipeline_.system->explain(status, t, y));
}

void Run::advance(const State& candidate, double next_h) {
  previous_ = state;
  state = candidate;
  // A last step that was cut short says nothing about the size that the solution allows.
  h_ = last_ ? std::max(h_, next_h) : next_h;
  ++work.steps;
  for (Observer* observer : observers_) observer->step({previous_, state, *pipeline_.integrator});
  if (outputs_.every_step())
    for (Observer* observer : observers_) observer->output(state);
  else
    write_outputs();
}

// Output times up to the state reached; inside the last step they are interpolated and stabilized like any
// state.
void Run::write_outputs() {
  while (running_ && outputs_.due(state.t)) {
    const double t = outputs_.take();
    if (t == state.t) {
      for (Observer* observer : observers_) observer->output(state);
      continue;
    }
    between_ = state;
    pipeline_.integrator->interpolate(t, between_);
    Status status = pipeline_.stabilizer->apply(manifold, between_).status;
    if (status == Status::ok) status = pipeline_.system->multipliers(between_);
    if (status != Status::ok) return end(EndReason::no_convergence, problem_.explain(status, t, between_.z));
    for (Observer* observer : observers_) observer->output(between_);
  }
}

Solution Run::finish() {
  solution_.final = state;
  solution_.work = pipeline_.system->work();
  solution_.work.steps = work.steps;
  solution_.work.rejected = work.rejected;
  solution_.work.projections = work.projections;
  for (Observer* observer : observers_) observer->finish(solution_);
  return std::move(solution_);
}

}  // namespace driftless

#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace driftless {

namespace {

constexpr double midst = 0.55;  // of a step
constexpr double steps_in_scale =
    1000;  // of the first one, which is careful, in a time in which states change

std::unique_ptr<Observer> watch_of(const Problem& problem) {
  const auto* pieces = dynamic_cast<const PiecewiseInTime*>(&problem);
  return pieces ? pieces->watch() : nullptr;
}

// To move along forces takes M, which is not always offered without its zeros.
Storage storage_for(const Problem& problem, const Stabilizer& stabilizer) {
  const bool offered = problem.shape().mass_by_bodies || !stabilizer.traits.along_forces;
  return offered ? storage_of(problem.shape()) : Storage::whole;
}

}  // namespace

Run::Run(const Problem& problem, Pipeline& pipeline, const State& start, const Options& options,
         const std::vector<Observer*>& observers)
    : state(options.resume ? options.resume->state : start),
      manifold(problem, pipeline.stabilizer->invariants(problem), storage_for(problem, *pipeline.stabilizer)),
      problem_(problem),
      pipeline_(pipeline),
      options_(options),
      own_watch_(watch_of(problem)),
      observers_(observers),
      outputs_(options.output, options.resume ? options.resume->t_start : state.t, state.t, options.t_end),
      previous_(state),
      between_(state),
      watch_(options.events),
      interior_(pipeline, manifold, previous_, state),
      singularities_(problem),
      model_(problem),
      last_reset_(state.t),
      error_(Vector::Zero(state.z.size())),
      second_error_(error_),
      t_start_(options.resume ? options.resume->t_start : state.t),
      breaks_(problem, t_start_, state.t, options.t_end),
      milestone_(state.t) {
  if (own_watch_) observers_.push_back(own_watch_.get());
}

void Run::begin() {
  const auto step = pipeline_.controller->fixed_step();
  const auto& resume = options_.resume;
  if (resume) check_checkpoint(*resume, problem_.shape(), step);
  model_.start(state);
  pipeline_.system->work() = {};
  pipeline_.stabilizer->start(manifold);
  manifold.anchor(state.t, state.z);
  pipeline_.system->anchor(state);
  if (resume) take_up_anchors(resume->anchor);
  begin_at_state();
  if (step) {
    h_ = *step;
    // A sliver of a millionth is roundoff.
    fixed_steps_ = static_cast<long>(std::ceil((options_.t_end - t_start_) / h_ - 1e-6));
  } else if (resume && resume->h > 0) {
    h_ = resume->h;
  } else {
    h_ = options_.h0 ? *options_.h0 : first_step(options_.t_end - state.t);
  }
  time_scale_ = std::min(steps_in_scale * h_, std::abs(options_.t_end));
  if (resume) {
    state = resume->state;  // with its multipliers
    take_up(*resume);
    interior_.renew();
  }
  singularities_.start(state, pipeline_.controller->tolerance());
  for (Observer* observer : observers_) observer->start({problem_, interior_.end(), options_.t_end});
}

namespace {

void check_numbers(const char* what, const std::vector<double>& given, std::size_t wanted) {
  if (given.size() != wanted)
    throw InputError(
        fmt::format("the checkpoint has {} numbers for {} (this method keeps {}); go on with the "
                    "method that made it",
                    given.size(), what, wanted));
  for (const double value : given)
    if (!std::isfinite(value))
      throw InputError(fmt::format(
          "the checkpoint has {} among the numbers for {}; it was changed or damaged", value, what));
}

}  // namespace

// Before the integrator starts: the right-hand side depends on them.
void Run::take_up_anchors(const std::vector<double>& values) {
  const auto mine = static_cast<std::ptrdiff_t>(manifold.anchored().size());
  check_numbers("the invariants", values, manifold.anchored().size() + pipeline_.system->anchored().size());
  manifold.anchor(std::vector<double>(values.begin(), values.begin() + mine));
  pipeline_.system->restore_anchor({values.begin() + mine, values.end()});
}

void Run::take_up(const Checkpoint& checkpoint) {
  check_numbers("the integrator", checkpoint.integrator, pipeline_.integrator->memory().size());
  check_numbers("the step controller", checkpoint.controller, pipeline_.controller->memory().size());
  check_numbers("the stabilizer", checkpoint.stabilizer, pipeline_.stabilizer->memory().size());
  if (!pipeline_.integrator->remember(checkpoint.integrator) ||
      !pipeline_.controller->remember(checkpoint.controller) ||
      !pipeline_.stabilizer->remember(checkpoint.stabilizer))
    throw InputError(
        "the checkpoint's numbers for the integrator, the step controller or the stabilizer make no sense; "
        "it was changed or damaged");
  fixed_done_ = checkpoint.fixed_steps;
}

void Run::show_start() {
  if (!running_) return;
  if (const auto& locked = singularities_.locked_at_start()) return end(locked->reason, locked->message);
  if (const auto trouble = watch_.start(interior_.end())) return end_by_event(*trouble);
  if (options_.resume) watch_.set_signs(options_.resume->event_signs);
  if (outputs_.every_step()) show_output(interior_.end());
  write_outputs();
  pass_breaks();
}

void Run::begin_at_state() {
  pipeline_.controller->start();
  pipeline_.system->prepare(state);
  start_integrator();
  interior_.renew(Multipliers::evaluated);
}

void Run::start_integrator() {
  const StepController& controller = *pipeline_.controller;
  if (const Tolerance* tolerance = controller.tolerance()) pipeline_.integrator->judged_by(*tolerance);
  end_if_failed(pipeline_.integrator->start(*pipeline_.system, state));
  if (const auto order = controller.first_order()) pipeline_.integrator->use_order(*order);
}

void Run::end_if_failed(Status status) {
  if (status == Status::ok) return;
  Vector y(pipeline_.system->size());
  pipeline_.system->pack(state, y);
  end_by(status, pipeline_.system->explain(status, state.t, y));
}

double Run::first_step(double span) {
  return initial_step(*pipeline_.system, state, *pipeline_.controller->tolerance(),
                      pipeline_.controller->first_order().value_or(pipeline_.order), span);
}

Checkpoint Run::here() const {
  std::vector<double> anchors = manifold.anchored();
  const std::vector<double> kept = pipeline_.system->anchored();
  anchors.insert(anchors.end(), kept.begin(), kept.end());
  return {.state = state,
          .t_start = t_start_,
          .fixed_steps = fixed_done_,
          .h = pipeline_.controller->fixed_step().value_or(h_),
          .integrator = pipeline_.integrator->memory(),
          .controller = pipeline_.controller->memory(),
          .stabilizer = pipeline_.stabilizer->memory(),
          .anchor = std::move(anchors),
          .event_signs = watch_.signs()};
}

void Run::keep_checkpoint() {
  if (!kept_) solution_.checkpoint = here();
  kept_ = true;
}

double Run::next_step() {
  cut_from_ = 0;
  if (pipeline_.controller->fixed_step()) {
    choose_fixed_step();
    return target_ - state.t;
  }
  const double limit = options_.hmax.value_or(std::numeric_limits<double>::infinity());
  h_ = std::min(h_, limit);
  const bool to_break = breaks_.limit() < options_.t_end;
  const double stop = to_break ? breaks_.limit() : options_.t_end, rest = stop - state.t;
  // Stretch a little rather than leave a last sliver; where hmax forbids that, halve. Before a break, which is not the end, two steps of one
  // size are better than a long one and a short one.
  const bool fits = rest <= std::min(1.01 * h_, limit);
  const double h = fits ? rest : rest < (to_break ? 2 : 1.01) * h_ ? rest / 2 : h_;
  last_ = fits && !to_break;
  if (h != h_ && !to_break) keep_checkpoint();
  if (h < h_ && to_break) cut_from_ = h_;
  target_ = fits ? stop : state.t + h;
  return h;
}

// Times are multiples of the step, not sums of it, so that a million steps end where they should. After a step cut by an event or a break
// the next one leads back to them, unless it would be a sliver.
void Run::choose_fixed_step() {
  const auto multiple = [&](long n) { return t_start_ + static_cast<double>(n) * h_; };
  if (multiple(fixed_done_ + 1) - state.t < 1e-6 * h_) ++fixed_done_;
  last_ = fixed_done_ + 1 >= fixed_steps_;
  target_ = last_ ? options_.t_end : multiple(fixed_done_ + 1);
  if (breaks_.limit() < target_) {
    last_ = false;
    cut_from_ = h_;
    target_ = breaks_.limit();
  }
  if (last_) keep_checkpoint();
}

Step Run::tangential(const Step& step) {
  Step result = step;
  const auto reduce = [&](const Vector*& error, Vector& reduced) {
    if (!error) return;
    reduced = *error;
    pipeline_.stabilizer->remove_normal_part(manifold, *step.state, reduced.head(state.z.size()));
    error = &reduced;
  };
  reduce(result.error, error_);
  reduce(result.second_error, second_error_);
  return result;
}

Assessment Run::assess(const Step& step, double error, double h) const {
  Assessment assessment{.error = error, .error_order = step.error_order, .h = h};
  if (const Tolerance* tolerance = pipeline_.controller->tolerance(); tolerance && step.order > 0)
    assessment.orders = order_sizes(step, *tolerance, state.z);
  return assessment;
}

void Run::reject(const Verdict& verdict) {
  ++work.rejected;
  h_ = verdict.next_h;
  if (verdict.next_order > 0) pipeline_.integrator->use_order(verdict.next_order);
  if (pipeline_.continues_values && pipeline_.controller->tolerance()) end_beyond_roundoff();
}

// Newton's method, with multipliers among its unknowns, does not find a way round within less.
double Run::least_apart() const {
  constexpr double least = 5e-5;  // of the size
  return multipliers_left(*pipeline_.system, *pipeline_.integrator) == Multipliers::evaluated ? 0 : least;
}

// A step across a gap between branches is tried again with a smaller one, which may see the gap.
// Else, so that the singular configuration comes to lie in the midst of the next step: stages of Runge-Kutta methods are off the manifold, and
// close to it their accelerations are off as well, so that it should be where dopri5 has none (between 0.3 and 0.8).
bool Run::shies(const State& candidate, double h) {
  if (pipeline_.controller->fixed_step()) return false;
  if (!let_stray_ && singularities_.strays(state, candidate, least_apart())) {
    if (straying_step_ == 0) straying_step_ = h;
    reject(pipeline_.controller->shrink(h));
    return true;
  }
  if (shied_ || last_) return false;
  const auto place = singularities_.beside_end(interior_, candidate);
  if (!place) return false;
  shied_ = true;
  ++work.rejected;
  h_ = (*place - midst) * h;
  return true;
}

void Run::advance(const State& candidate, int order, const Verdict& verdict) {
  shied_ = false;
  if (straying_step_ > 0 && !singularities_.in_passage()) straying_step_ = 0, let_stray_ = false;
  previous_ = state;
  state = candidate;
  interior_.renew(carried_multipliers(*pipeline_.integrator));
  // A step that ended early because of a break says little of how long the next one may be.
  const bool calm = verdict.next_h >= 2 * (state.t - previous_.t);
  h_ = calm ? std::max(verdict.next_h, cut_from_) : verdict.next_h;
  ++work.steps;
  end_if_stuck();
  pipeline_.stabilizer->accepted();
  const bool cut = !watch_.idle() && find_events();
  if (!watch_singularities()) return;
  if (const auto wrong = model_.look(state, work.steps)) end_by_model(*wrong);
  if (pipeline_.controller->fixed_step() && state.t == target_ && cut_from_ == 0) ++fixed_done_;
  stiffness_.step(pipeline_.integrator->stability_use());
  const AcceptedStep accepted{previous_, state, *pipeline_.integrator, order > 0 ? order : pipeline_.order,
                              work.rejected - std::exchange(rejected_before_, work.rejected)};
  for (Observer* observer : observers_) observer->step(accepted);
  if (outputs_.every_step()) show_output(interior_.end());
  write_outputs();
  if (!running_) return;
  if (cut) {
    react();
  } else {
    // A system that changes its chart starts anew, after everything inside the last step has been interpolated.
    if (pipeline_.system->refresh(state))
      end_if_failed(pipeline_.integrator->recharted(*pipeline_.system, state));
    if (verdict.next_order > 0) pipeline_.integrator->use_order(verdict.next_order);
  }
  pass_breaks();
}

void Run::show_output(const State& output) {
  for (Observer* observer : observers_) observer->output(output);
}

// Output times up to the state reached; inside the last step they are interpolated and stabilized like any state.
void Run::write_outputs() {
  while (running_ && outputs_.due(state.t)) {
    const double t = outputs_.take();
    if (t == state.t) {
      show_output(interior_.end());
      continue;
    }
    between_ = state;
    const Status status = interior_.with_multipliers(t, between_);
    if (status == Status::too_far)
      return end_by(
          status,
          fmt::format(
              "no state was found between two steps, at t = {:.10g}; use a smaller step, or `output = steps`",
              t));
    if (status != Status::ok) return end_by(status, problem_.explain(status, between_.t, between_.z));
    show_output(between_);
  }
}

std::string Run::many_rejected() const {
  constexpr double near_roundoff = 1e-3;  // of a tolerance
  if (std::string vibration = stiffness_.vibration(work.rejected, problem_.shape()); !vibration.empty())
    return vibration;
  const Tolerance* tolerance = pipeline_.controller->tolerance();
  const bool tight = tolerance && tolerance->norm(std::numeric_limits<double>::epsilon() * state.z, state.z,
                                                  state.z) > near_roundoff;
  return fmt::format(
      "{} of {} attempts at a step failed: errors go up and down from step to step, as they do where {}the "
      "model is "
      "rough (jumps, noise), where a drive or a force goes to and fro within a few steps, or where the "
      "formulation "
      "does not suit it; {}another `formulation` may take fewer steps and be as accurate",
      work.rejected, work.steps + work.rejected, tight ? "the tolerance is near roundoff, where " : "",
      tight ? "looser `rtol` and `atol`, or " : "");
}

Solution Run::finish() {
  solution_.final = interior_.end();
  solution_.singularities = singularities_.found();
  if (!kept_ || solution_.end == EndReason::event) solution_.checkpoint = here();
  solution_.work = pipeline_.system->work();
  solution_.work.steps = work.steps;
  solution_.work.rejected = work.rejected;
  solution_.work.projections = work.projections;
  solution_.notes = pipeline_.notes;
  if (const std::string redundant = singularities_.redundancy(); !redundant.empty())
    solution_.notes.push_back(redundant);
  if (std::string note = interior_.note(); !note.empty()) solution_.notes.push_back(std::move(note));
  if (std::string doubt = singularities_.doubt(); !doubt.empty()) solution_.notes.push_back(std::move(doubt));
  if (std::string doubt = singularities_.branch_doubt(); !doubt.empty())
    solution_.notes.push_back(std::move(doubt));
  for (std::string& note : pipeline_.system->notes()) solution_.notes.push_back(std::move(note));
  if (std::string stiff = stiffness_.note(problem_.shape()); !stiff.empty())
    solution_.notes.push_back(std::move(stiff));
  else if (work.steps >= 1000 && work.rejected > work.steps / 5)
    solution_.notes.push_back(many_rejected());
  for (Observer* observer : observers_) observer->finish(solution_);
  return std::move(solution_);
}

}  // namespace driftless

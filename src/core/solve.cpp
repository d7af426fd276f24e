// The loop. What happens in a step, in this order:
//   1  the integrator attempts a step        failure (NaN, rank loss, Newton) -> smaller step
//   2  the error is hopeless                 -> reject before projecting
//   3  the stabilizer moves the candidate    no convergence, or a move too large to be trusted -> smaller step
//   4  the controller judges the error (if it wishes, less the part that the move removed); a step that would end beside a singular
//      configuration is made shorter
//   5  the integrator accepts the moved candidate and evaluates its multipliers there
//   6  observers see it; output times inside the step are interpolated and stabilized alike
#include <driftless/core/solve.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include <fmt/format.h>

#include "run.hpp"

namespace driftless {

namespace {

// Beyond this (in the error norm, where 1 is the tolerance) Newton's method may not be in its quadratic
// regime.
double largest_move(const Tolerance& tolerance) {
  return std::max(2.0, 1 / std::sqrt(std::max(tolerance.rtol, tolerance.atol)));
}

// An error beyond this is hopeless. Where only its tangential part counts, the projection may still save a
// step that would pass at h/2; else it is simply too large.
double hopeless(const StepController& controller, int error_order) {
  return controller.traits.judges_tangential ? std::ldexp(1.0, error_order + 1) : 1.0;
}

bool stopped(Run& run, const Options& options, const std::function<bool()>& interrupted) {
  if (interrupted && interrupted())
    run.end(EndReason::interrupted,
            fmt::format("interrupted at t = {:.10g} of {:.10g}", run.state.t, options.t_end));
  else if (run.work.steps >= options.max_steps)
    run.end(EndReason::max_steps,
            fmt::format(
                "{} steps reached only t = {:.10g} of {:.10g}; raise `max_steps`, or loosen the tolerances",
                run.work.steps, run.state.t, options.t_end));
  return !run.more();
}

}  // namespace

Solution solve(const Problem& problem, Pipeline& pipeline, const State& start, const Options& options,
               const std::vector<Observer*>& observers, const std::function<bool()>& interrupted) {
  const auto clock = std::chrono::steady_clock::now();
  Integrator& integrator = *pipeline.integrator;
  Stabilizer& stabilizer = *pipeline.stabilizer;
  StepController& controller = *pipeline.controller;
  const Tolerance* tolerance = controller.tolerance();
  Run run(problem, pipeline, start, options, observers);
  run.begin();

  try {
    run.show_start();
    while (run.more() && !stopped(run, options, interrupted)) {
      const double h = run.next_step();
      if (run.underflow()) break;

      // 1  attempt
      const Step step = integrator.attempt(h);
      if (step.status != Status::ok) {
        run.retry(step);
        continue;
      }
      State& candidate = *step.state;
      candidate.t = run.target();

      // 2  hopeless?
      const bool judged = tolerance && step.error;
      double size = judged ? error_size(step, *tolerance, run.state.z) : 0;
      if (size > hopeless(controller, step.error_order)) {
        run.reject(controller.judge(run.assess(step, size, h)), step);
        continue;
      }

      // 3  back to the manifold
      Correction fix = stabilizer.apply(run.manifold, candidate, run.occasion(h));
      run.work.projections += fix.iterations;
      if (tolerance && fix.status == Status::ok && fix.move &&
          tolerance->norm(*fix.move, run.state.z, candidate.z) > largest_move(*tolerance))
        fix.status = Status::too_far;
      if (fix.status != Status::ok) {
        run.retry(fix, candidate);
        continue;
      }

      // 4  judge
      if (judged && fix.move && controller.traits.judges_tangential)
        size = error_size(run.tangential(step), *tolerance, run.state.z);
      const Verdict verdict = controller.judge(run.assess(step, size, h));
      if (!verdict.accept) {
        run.reject(verdict, step);
        continue;
      }
      if (run.shies(candidate, h)) continue;

      // 5  accept
      const Status status = integrator.accept(candidate, fix.move);
      if (status != Status::ok) {
        run.retry(status, candidate);
        continue;
      }

      // 6  show
      run.advance(candidate, step.order, verdict);
    }
  } catch (const std::exception& error) {
    run.end(EndReason::exception,
            fmt::format("an exception ended the run after t = {:.10g}: {}", run.state.t, error.what()));
  }

  Solution solution = run.finish();
  solution.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  return solution;
}

}  // namespace driftless

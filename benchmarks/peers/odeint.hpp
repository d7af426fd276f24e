// boost.odeint: a controlled stepper in the loop that its integrate_adaptive() runs, with or without a projection by hand after every
// accepted step (then Dormand-Prince's last stage is not the first of the next step any more, and it is computed anew).
// odeint has no first step of its own: it gets a hundredth of the interval (a thousandth or a ten-thousandth changes the counts by
// less than 15 %, mostly for the worse).
#pragma once

#include <array>

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include "outcome.hpp"
#include "right_hand_side.hpp"

namespace driftless::benchmarks {

// Stepper: odeint::runge_kutta_dopri5 or runge_kutta_fehlberg78; Rhs: HandWritten or OfDriftless of a model.
template <template <class...> class Stepper, class Rhs>
Outcome run_odeint(const Task& task, bool projected) {
  namespace odeint = boost::numeric::odeint;
  using Y = typename Rhs::State;
  Rhs ode(*task.instance.problem);
  const auto rhs = [&ode](const Y& y, Y& dy, double t) { ode.Rhs::rhs(t, y.data(), dy.data()); };
  auto stepper = odeint::make_controlled<Stepper<Y>>(task.tolerance, task.tolerance);
  constexpr bool keeps_last_stage = requires {
    stepper.reset();
  };

  Outcome outcome;
  outcome.final = task.start;
  Y y;
  std::copy(task.start.z.begin(), task.start.z.end(), y.begin());
  double t = task.start.t;
  const double t_end = task.instance.t_end, end = t_end - 1e-13 * (t_end - t);  // reached but for rounding
  DriftWatch watch(*task.instance.problem);
  const auto take_state = [&] {
    outcome.final.t = t;
    std::copy(y.begin(), y.end(), outcome.final.z.begin());
  };

  outcome.seconds = counted([&] {
    double dt = 1e-2 * (t_end - t);
    while (t < end && outcome.steps < task.max_steps) {
      if (t + dt > t_end) dt = t_end - t;
      if (t + dt == t || !(dt > 0)) return;
      if (stepper.try_step(rhs, y, t, dt) != odeint::success) continue;
      ++outcome.steps;
      if (projected) {
        ode.project(t, y.data());
        if constexpr (keeps_last_stage) stepper.reset();
      }
      if (task.observed) take_state(), watch.see(outcome.final);
    }
  });
  if (t < end)
    outcome.failure = outcome.steps < task.max_steps
                          ? "the step size became too small"
                          : "not within " + std::to_string(task.max_steps) + " steps";
  take_state();
  outcome.final.lambda = ode.multipliers(t, y.data());
  outcome.rhs = ode.evaluations;
  outcome.drift = watch.drift();
  return outcome;
}

}  // namespace driftless::benchmarks

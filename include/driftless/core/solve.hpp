// solve(): the loop. Everything it uses is an object with one job; it is the only place that knows the order
// of things.
#pragma once

#include <functional>
#include <vector>

#include <driftless/core/formulation.hpp>
#include <driftless/core/integrator.hpp>
#include <driftless/core/observer.hpp>
#include <driftless/core/options.hpp>
#include <driftless/core/solution.hpp>
#include <driftless/core/stabilizer.hpp>
#include <driftless/core/step_controller.hpp>

namespace driftless {

// One assembled pipeline. The catalog makes it from names; users with methods of their own fill it by hand.
struct Pipeline {
  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Stabilizer> stabilizer;
  std::unique_ptr<StepController> controller;
  int order = 1;                        // of the integrator, for the first step
  bool continues_values = false;        // the integrator's errors are differences of states
  std::vector<std::string> notes = {};  // about the choice of methods, for the run's notes
};

// A first step for error control (Hairer, Norsett, Wanner I, section II.4): small enough that an explicit
// Euler step changes little and that the second derivative says so. `order` is the integrator's.
double initial_step(System& system, const State& start, const Tolerance& tolerance, int order, double span);

// From a consistent start (see consistent_state) to options.t_end. `interrupted` is asked once per step.
Solution solve(const Problem& problem, Pipeline& pipeline, const State& start, const Options& options,
               const std::vector<Observer*>& observers = {}, const std::function<bool()>& interrupted = {});

}  // namespace driftless

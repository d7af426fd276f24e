// What the tests of RATTLE share: steps without the loop around them, and problems with a consistent start.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/run.hpp"

namespace driftless::tests {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline const Method rattle{.formulation = "index3", .integrator = "rattle"};

class Steps {
 public:
  Steps(const Problem& problem, const State& start, const std::string& text = "rattle",
        const std::string& formulation = "index3")
      : state(start), system(build_system(problem, formulation)) {
    const NamedChoice choice = parse_choice(text);
    const IntegratorEntry& entry = catalog::integrator(choice.name);
    integrator = entry.make(OptionValues(choice.name, entry.options, choice.options));
    system->prepare(state);
    system->anchor(state);
    EXPECT_EQ(integrator->start(*system, state), Status::ok);
  }
  void advance(double h, int steps = 1) {
    for (int i = 0; i < steps; ++i) {
      const Step step = integrator->attempt(h);
      ASSERT_EQ(step.status, Status::ok);
      ASSERT_EQ(integrator->accept(*step.state, nullptr), Status::ok);
      state = *step.state;
    }
  }
  State state;
  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
};

// After so many steps, the same number with velocities reversed, and a last reversal: where a symmetric method has begun.
inline State there_and_back(const Problem& problem, const State& start, double h, int steps) {
  Steps there(problem, start);
  there.advance(h, steps);
  State turned = there.state;
  turned.v() *= -1;
  Steps back(problem, turned);
  back.advance(h, steps);
  back.state.v() *= -1;
  return back.state;
}

struct Instance : ProblemInstance {
  explicit Instance(const std::string& name, const Settings& set = {})
      : ProblemInstance(catalog::make_problem(name, set)) {
    if (problem->shape().multipliers() > 0) start = consistent_state(*problem, start).state;
  }
};

}  // namespace driftless::tests

// An integrator on its own, and the implicit methods to be tried.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/run.hpp"

namespace driftless::tests {

inline const std::vector<std::string> implicit_methods = {"backward-euler", "implicit-midpoint"};

struct Stepper {
  Stepper(const Problem& problem, const std::vector<double>& z, const std::string& choice,
          const std::string& formulation = "index1", double t = 0)
      : system(build_system(problem, formulation)), state(state_of(problem, z)) {
    const NamedChoice parsed = parse_choice(choice);
    const auto& entry = catalog::integrator(parsed.name);
    integrator = entry.make(OptionValues(parsed.name, entry.options, parsed.options));
    state.t = t;
    EXPECT_EQ(integrator->start(*system, state), Status::ok);
  }
  Vector attempt(double h) {
    const Step step = integrator->attempt(h);
    EXPECT_EQ(step.status, Status::ok);
    return step.state ? step.state->z : state.z;
  }
  void advance(double h) {
    const Step step = integrator->attempt(h);
    ASSERT_EQ(step.status, Status::ok) << "at t = " << state.t;
    ASSERT_EQ(integrator->accept(*step.state, nullptr), Status::ok);
    state = *step.state;
  }
  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  State state;
};

}  // namespace driftless::tests

// Shared by the tests of Adams-Bashforth methods: small models, and an integrator walked by hand.
#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {

// Steps of unequal size.
inline const std::vector<double> unequal = {0.1, 0.13, 0.07, 0.2, 0.05, 0.11, 0.02, 0.17, 0.15};

// x' = -rate x for x below 50; no value beyond.
struct Decay {
  static constexpr int order = 1, nq = 1;
  double rate = 1;
  void force(auto, auto x, auto f) const {
    f[0] = -rate * x[0];
    if (x[0] > 50.0) f[0] = std::numeric_limits<double>::quiet_NaN();
  }
};

struct Oscillator {
  static constexpr int order = 1, nq = 2;
  void force(auto, auto x, auto f) const {
    f[0] = x[1];
    f[1] = -x[0];
  }
};

inline std::unique_ptr<Integrator> make_ab(int k, const std::string& start = "") {
  const std::string name = "ab" + std::to_string(k);
  const auto& entry = catalog::integrator(name);
  if (start.empty()) return entry.make(OptionValues(name, entry.options, {}));
  return entry.make(OptionValues(name, entry.options, {{"start", start}}));
}

// An integrator on a problem, with the states it accepted.
struct Walk {
  template <class Model>
  Walk(int k, const Model& model, double t, std::vector<double> x, const std::string& start = "")
      : problem(make_problem(model)),
        system(build_system(*problem, "index1")),
        integrator(make_ab(k, start)) {
    begin = state_of(*problem, x);
    begin.t = t;
    restart();
  }
  void restart() {
    states = {begin};
    EXPECT_EQ(integrator->start(*system, states[0]), Status::ok);
  }
  void step(double h, double move = 0) {
    const Step result = integrator->attempt(h);
    ASSERT_EQ(result.status, Status::ok);
    const Vector by = Vector::Constant(result.state->z.size(), move);
    result.state->z += by;
    ASSERT_EQ(integrator->accept(*result.state, move == 0 ? nullptr : &by), Status::ok);
    states.push_back(*result.state);
  }
  double at(double t) {
    State state = states.back();
    EXPECT_EQ(integrator->interpolate(t, state), Status::ok);
    EXPECT_EQ(state.t, t);
    return state.z(0);
  }
  double x() const { return states.back().z(0); }
  double t() const { return states.back().t; }

  std::shared_ptr<const Problem> problem;
  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  State begin;
  std::vector<State> states;
};

}  // namespace driftless::tests

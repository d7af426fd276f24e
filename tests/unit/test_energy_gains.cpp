// Energy controls with gain=auto: what they keep, whatever masses, speeds and the way a motion starts.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// On the unit circle nothing changes but the phase, so that the energy error of a step is removed by the next one: with a
// method of one step the balance is that of a single step, d, less than d/(1 - radius) with others.
TEST(AutomaticEnergyGains, KeepTheErrorOfOneStep) {
  const auto circle = catalog::make_problem("004-circle");
  for (const char* integrator :
       {"forward-euler", "ab2", "ab3", "rk4", "dopri5", "heun", "implicit-midpoint"}) {
    const auto largest = [&](const std::vector<std::string>& controls, double t_end) {
      const double h = 0.05;
      const Solution s = solve(*circle.problem, circle.start,
                               {.formulation = "baumgarte:gain=auto",
                                .integrator = integrator,
                                .stabilizer = "none",
                                .controls = controls},
                               {.t_end = t_end, .step = h});
      EXPECT_TRUE(s.complete()) << integrator << ": " << s.end_message;
      double value = 0;
      for (const State& state : s.states) value = std::max(value, std::abs(state.v().squaredNorm() - 1) / 2);
      return value;
    };
    const double span = std::string(integrator) == "forward-euler" ? 5 : 50;  // free, it explodes at t = 10
    const double free = largest({}, span);
    for (const char* control : {"energy-baumgarte:gain=auto", "energy-descent:gain=auto"}) {
      const double kept = largest({control}, span);
      EXPECT_LT(kept, 0.3 * free + 1e-14) << integrator << " " << control;
      EXPECT_LT(kept, 20 * largest({}, 0.25) + 1e-14) << integrator << " " << control;
    }
  }
}

// The gain follows masses and speeds: a pendulum a thousand times as heavy swings the same.
TEST(AutomaticEnergyGains, DoNotDependOnUnits) {
  const auto swing = [](const char* mass, const char* control) {
    const auto p = catalog::make_problem("pendulum", {{"m", mass}});
    return solve(*p.problem, p.start, {.integrator = "ab2", .stabilizer = "none", .controls = {control}},
                 {.t_end = 5, .step = 0.01})
        .final.z;
  };
  for (const char* control : {"energy-baumgarte:gain=auto", "energy-descent:gain=auto"})
    EXPECT_LT((swing("1", control) - swing("1000", control)).norm(), 1e-9) << control;
}

TEST(AutomaticEnergyGains, StartFromRestAndGoOn) {
  const auto p = catalog::make_problem("car-axis");
  for (const char* control : {"energy-baumgarte:gain=auto", "energy-descent:gain=auto"}) {
    const Method method{.formulation = "baumgarte:gain=auto",
                        .integrator = "ab2",
                        .stabilizer = "none",
                        .controls = {control}};
    Options options{.t_end = 0.2, .step = 2e-4};
    const Solution whole = solve(*p.problem, p.start, method, options);
    ASSERT_TRUE(whole.complete()) << control << whole.end_message;
    options.t_end = 0.1;
    options.resume = solve(*p.problem, p.start, method, options).checkpoint;
    options.t_end = 0.2;
    EXPECT_EQ(solve(*p.problem, p.start, method, options).final.z, whole.final.z) << control;
  }
}

// Corrections that are tangent to the constraints leave nothing for stabilizers and feedback to undo.
TEST(AutomaticEnergyGains, GoWithEveryStabilizer) {
  const auto andrews = catalog::make_problem("andrews"), axis = catalog::make_problem("car-axis");
  for (const char* control : {"energy-baumgarte:gain=auto", "energy-descent:gain=auto"})
    for (const auto& [formulation, stabilizer] : {std::pair{"index1", "post:F=full"},
                                                  {"index1", "post:F=transpose"},
                                                  {"index1", "projection"},
                                                  {"invariant-stabilized:gain=auto,F=full", "none"}}) {
      const auto error = [&, formulation = formulation, stabilizer = stabilizer](const ProblemInstance& p,
                                                                                 double t_end, double h) {
        const Solution s = solve(*p.problem, p.start,
                                 {.formulation = formulation,
                                  .integrator = "rk4",
                                  .stabilizer = stabilizer,
                                  .controls = {control}},
                                 {.t_end = t_end, .step = h});
        EXPECT_TRUE(s.complete()) << control << " " << formulation << " " << stabilizer << ": "
                                  << s.end_message;
        return (s.final.q() - p.reference.at(t_end)->q()).cwiseAbs().maxCoeff();
      };
      EXPECT_LT(error(andrews, 0.03, 5e-5), 1e-5) << control << " " << formulation << " " << stabilizer;
      EXPECT_LT(error(axis, 3, 0.001), 1e-6) << control << " " << formulation << " " << stabilizer;
    }
}

TEST(AutomaticEnergyGains, RefuseGainsBesides) {
  const auto p = catalog::make_problem("pendulum");
  for (const char* control : {"energy-baumgarte:gain=auto,eta=3", "energy-baumgarte:gain=auto,limit=0",
                              "energy-descent:gain=auto,mu_v=1", "energy-descent:gain=auto,mu_q=1",
                              "energy-descent:gain=auto,metric=mass"})
    EXPECT_NE(complaint([&] {
                solve(*p.problem, p.start, {.controls = {control}}, {.t_end = 1});
              }).find("would be ignored; leave one of them out"),
              std::string::npos)
        << control;
}

}  // namespace
}  // namespace driftless::tests

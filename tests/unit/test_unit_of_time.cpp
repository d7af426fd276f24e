// The unit of time in which displacements of positions and of velocities are compared (core/unit_of_time.hpp): a pendulum on a pivot shaken by
// 1 mm, whose motion is that of an ordinary differential equation for one angle, written in other units of time and of mass.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include <driftless/core/unit_of_time.hpp>

#include "support/run.hpp"
#include "support/shaken_pendulum.hpp"

namespace driftless::tests {
namespace {

// The angle from upright, with the methods' own options in the units of the model.
double end_angle(double rate, const ShakenUnits& in, const Method& methods, double t_end, double step) {
  const ShakenPendulum shaken(rate, in);
  Options options{.t_end = t_end / in.time};
  if (step > 0) options.step = step / in.time;
  const Solution s = solve(*shaken.problem, shaken.start, methods, options);
  EXPECT_TRUE(s.complete()) << methods.formulation << ": " << s.end_message;
  return shaken.angle(s.final);
}

const std::string fresh = "backward-euler:jacobian=fresh,tolerance=1e-13";

std::vector<Method> implicit_choices() {
  return {{.formulation = "ggl", .integrator = fresh},
          {.formulation = "projected-invariants:variant=a", .integrator = fresh},
          {.formulation = "projected-invariants:variant=b", .integrator = fresh},
          {.formulation = "projected-invariants", .integrator = fresh},
          {.formulation = "projected-invariants:D=input", .integrator = fresh},
          {.formulation = "stabilized-index1", .integrator = fresh},
          {.formulation = "overdetermined-index1", .integrator = fresh},
          {.formulation = "overdetermined-index1:solution=extended", .integrator = fresh},
          {.formulation = "overdetermined-index2", .integrator = fresh}};
}

std::vector<Method> explicit_choices() {
  std::vector<Method> choices;
  for (const char* stabilizer :
       {"post:F=full", "post:F=transpose", "forward:F=full", "backward:F=full", "backward:F=transpose",
        "projection:F=full", "post:F=full,renew=3", "post:F=full,solve=sor"})
    choices.push_back({.formulation = "index1", .integrator = "heun", .stabilizer = stabilizer});
  return choices;
}

// Steps of the same length are the same steps, whatever time and mass are measured by.
TEST(UnitOfTime, ResultsDoNotDependOnUnits) {
  const double rate = 1e4, t_end = 5e-3, step = 1e-5;
  auto choices = implicit_choices();
  for (const Method& choice : explicit_choices()) choices.push_back(choice);
  for (const Method& choice : choices) {
    SCOPED_TRACE(choice.formulation + " " + choice.stabilizer);
    const double in_si = end_angle(rate, {}, choice, t_end, step);
    for (const ShakenUnits& units :
         {ShakenUnits{1e-3, 1}, ShakenUnits{1e-4, 1}, ShakenUnits{1, 1e-3}, ShakenUnits{1, 1e3}})
      EXPECT_NEAR(end_angle(rate, units, choice, t_end, step), in_si, 2e-11)
          << units.time << " " << units.mass;
  }
}

// Its feedback has a time of its own, 1/gamma.
TEST(UnitOfTime, FeedbackIsWrittenInUnits) {
  for (const char* F : {"full", "transpose"}) {
    const auto choice = [&](double time) {
      return Method{.formulation = fmt::format("invariant-stabilized:F={},gamma={}", F, 20 * time),
                    .integrator = "heun"};
    };
    const double in_si = end_angle(1e4, {}, choice(1), 5e-3, 1e-5);
    for (const double time : {1e-3, 1e-4})
      EXPECT_NEAR(end_angle(1e4, {time, 1}, choice(time), 5e-3, 1e-5), in_si, 1e-12) << F << " " << time;
  }
}

TEST(UnitOfTime, KeepsFastConstraintsAccurate) {
  const std::vector<Method> choices = {
      {.formulation = "projected-invariants", .integrator = "bdf"},
      {.formulation = "stabilized-index1", .integrator = "bdf"},
      {.formulation = "overdetermined-index1", .integrator = "bdf"},
      {.formulation = "index1", .integrator = "bdf", .stabilizer = "post:F=full"},
      {.formulation = "index1", .stabilizer = "post:F=full"},
      {.formulation = "index1", .stabilizer = "projection:F=full"}};
  for (const auto& [rate, t_end] : {std::pair{1.0, 1.0}, {100.0, 1.0}, {1e3, 0.5}, {1e4, 0.15}}) {
    const double exact = shaken_angle(rate, t_end);
    for (const Method& choice : choices)
      EXPECT_NEAR(end_angle(rate, {}, choice, t_end, 0), exact, 100e-6)
          << rate << " " << choice.formulation << " " << choice.integrator;
  }
}

// (4.17) of Ascher and Petzold (1993) has the unit of time 1: .66e-4 with nu = 100.
TEST(UnitOfTime, OfTheModelIsThatOfThePapers) {
  const ProblemInstance problem = catalog::make_problem("000-example4", {{"nu", "100"}});
  const auto error = [&](const std::string& formulation) {
    const Solution s =
        solve(*problem.problem, problem.start, {.formulation = formulation, .integrator = "backward-euler"},
              {.t_end = 1, .step = 0.01});
    return (s.final.v() - problem.reference.at(1)->v()).cwiseAbs().maxCoeff();
  };
  EXPECT_NEAR(error("projected-invariants:time=model"), 0.66e-4, 0.01e-4);
  EXPECT_NEAR(error("stabilized-index1:time=model"), 0.66e-4, 0.01e-4);
  EXPECT_NEAR(error("projected-invariants"), 0.66e-4, 0.01e-4);  // there the motion's is near 1
}

TEST(UnitOfTime, IsTheTimeInWhichTheMotionChanges) {
  const ProblemInstance pendulum = catalog::make_problem("pendulum", {});  // x, y; the first speeds are zero
  const Problem& problem = *pendulum.problem;
  const Layout layout = problem.shape().layout();
  const double h = 1e-3, fast = 200;
  // A speed that never changes, and what oscillates beside it.
  const auto z = [&](double t) { return Vector{{0, -1, 1, 0.1 * std::sin(fast * t)}}; };
  UnitOfTime unit;
  double tau = 0;
  for (int i = 0; i < 2000; ++i) tau = unit.begin(problem, h * i, z(h * i), h);
  EXPECT_NEAR(tau, 1 / fast, 0.01 / fast);
  UnitOfTime resumed;
  const std::vector<double> memory = unit.memory(layout);
  ASSERT_EQ(memory.size(), UnitOfTime::memory_size(layout));
  resumed.remember(memory.data(), layout);
  for (int i = 2000; i < 2010; ++i)
    EXPECT_EQ(unit.begin(problem, h * i, 2 * z(h * i), h), resumed.begin(problem, h * i, 2 * z(h * i), h));
  unit.jumped();  // a jump is no rate
  const double before = unit.begin(problem, 3, z(1), h);
  EXPECT_GT(unit.begin(problem, 3 + h, z(1), h), 0.99 * before);
  EXPECT_GE(unit.begin(problem, 4, z(2), 0.5), 0.5);  // no less than a step
}

TEST(UnitOfTime, ARunTakenUpAgainHasTheSameBits) {
  const ShakenPendulum shaken(100);
  for (const Method& choice : {Method{.formulation = "overdetermined-index1", .integrator = "bdf"},
                               {.formulation = "stabilized-index1", .integrator = "radau5"},
                               {.formulation = "projected-invariants", .integrator = "bdf"},
                               {.formulation = "index1", .stabilizer = "post:F=full"},
                               {.formulation = "index1", .stabilizer = "post:F=full,renew=3"},
                               {.formulation = "index1", .stabilizer = "post:F=full,solve=sor"}}) {
    const auto run = [&](double t_end, std::optional<Checkpoint> resume = {}) {
      return solve(*shaken.problem, shaken.start, choice, {.t_end = t_end, .resume = std::move(resume)});
    };
    const Solution whole = run(0.3), rest = run(0.3, run(0.1).checkpoint);
    EXPECT_EQ(whole.final.z, rest.final.z) << choice.formulation << " " << choice.stabilizer;
  }
}

TEST(UnitOfTime, IsRefusedWhereItWouldBeIgnored) {
  const auto pendulum = catalog::make_problem("pendulum", {});
  const auto refusal = [&](const Method& choice) {
    return complaint([&] { solve(*pendulum.problem, pendulum.start, choice, {.t_end = 0.01}); });
  };
  EXPECT_TRUE(contains(refusal({.formulation = "projected-invariants:variant=b,time=model"}), "ignored"));
  EXPECT_TRUE(contains(refusal({.formulation = "invariant-stabilized:time=model"}), "F=full"));
  EXPECT_TRUE(contains(refusal({.formulation = "index1", .stabilizer = "post:time=model"}), "F=full"));
  const auto order_1 = catalog::make_problem("000-example1", {});
  EXPECT_TRUE(contains(complaint([&] {
                         solve(*order_1.problem, order_1.start,
                               {.formulation = "stabilized-index1:time=model", .integrator = "bdf"},
                               {.t_end = 0.01});
                       }),
                       "order 1"));
}

}  // namespace
}  // namespace driftless::tests

// A run of bdf that is taken up again has the bits of one that never ended: in every formulation, on every shape of problem, wherever it
// was left, with steps chosen by the error or fixed, also across changes of coordinates.
#include <cmath>

#include "bdf_runs.hpp"
#include "restart_cases.hpp"

namespace driftless::tests {
namespace {

std::vector<std::string> formulations() {
  std::vector<std::string> names = bdf_formulations();
  names.insert(names.end(), {"overdetermined-index1", "overdetermined-index2"});
  return names;
}

TEST(BdfRestart, AtAnEarlierEnd) {
  for_every_case(formulations(), [](const ShapeCase& c, const std::string& formulation) {
    const auto run = [&](double T, std::optional<Checkpoint> resume = {}) {
      return run_bdf(*c.problem, c.start, formulation, {.t_end = T, .resume = std::move(resume)});
    };
    const Solution whole = run(c.t_end), rest = run(c.t_end, run(0.37 * c.t_end).checkpoint);
    ASSERT_TRUE(rest.complete()) << rest.end_message;
    EXPECT_TRUE(same_bits(whole.final, rest.final)) << (whole.final.z - rest.final.z).norm();
  });
}

// Within the first steps, whose order rises, and later, where a kept matrix belongs to an earlier state.
TEST(BdfRestart, AfterAnyNumberOfSteps) {
  for_every_case(formulations(), [](const ShapeCase& c, const std::string& formulation) {
    const Solution whole = run_bdf(*c.problem, c.start, formulation, {.t_end = c.t_end});
    for (const long steps : {1L, 2L, 5L, 9L, 17L}) {
      const Solution part = run_bdf(*c.problem, c.start, formulation, {.t_end = c.t_end, .max_steps = steps});
      EXPECT_EQ(part.end, EndReason::max_steps);
      // What is shown at the end has multipliers of its own; the checkpoint may have those of the step.
      EXPECT_EQ(part.final.t, part.checkpoint.state.t);
      EXPECT_EQ(part.final.z, part.checkpoint.state.z);
      const Solution rest =
          run_bdf(*c.problem, c.start, formulation, {.t_end = c.t_end, .resume = part.checkpoint});
      ASSERT_TRUE(rest.complete()) << rest.end_message;
      EXPECT_TRUE(same_bits(whole.final, rest.final)) << steps << " steps";
    }
  });
}

TEST(BdfRestart, AfterInterruptions) {
  const auto instance = catalog::make_problem("andrews");
  for (const std::string& formulation : bdf_formulations()) {
    const Method method{.formulation = formulation, .integrator = "bdf"};
    const Options options{.t_end = 0.03, .rtol = 1e-4, .atol = 1e-4};
    const Solution whole = solve(*instance.problem, instance.start, method, options);
    EXPECT_GT(whole.work.rejected, 3) << formulation;
    const Solution part =
        interrupted_run(*instance.problem, instance.start, method, options, whole.work.steps);
    ASSERT_TRUE(part.complete()) << formulation << ": " << part.end_message;
    EXPECT_TRUE(same_bits(whole.final, part.final)) << formulation;
  }
}

TEST(BdfRestart, FixedSteps) {
  for_every_case(formulations(), [](const ShapeCase& c, const std::string& formulation) {
    for (const char* integrator : {"bdf", "bdf:order=3", "bdf:max_order=1"}) {
      const auto run = [&](double T, std::optional<Checkpoint> resume = {}) {
        return solve(*c.problem, c.start, {.formulation = formulation, .integrator = integrator},
                     {.t_end = T, .step = c.t_end / 20, .resume = std::move(resume)});
      };
      // also within the steps that are made of pieces
      const Solution whole = run(c.t_end);
      for (const double part : {0.05, 0.1, 0.52})
        EXPECT_TRUE(same_bits(whole.final, run(c.t_end, run(part * c.t_end).checkpoint).final))
            << integrator << " " << part;
    }
  });
}

struct Broken : UnitRod {
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = 1; }
  void force(auto t, auto, auto, auto f) const { f[1] = t > 0.15 ? NAN : -9.81; }
};

// A fixed step that fails within its pieces does so again.
TEST(BdfRestart, WithinPieces) {
  const auto problem = make_problem(Broken{});
  const State start = make_state(*problem, {{0.6, -0.8}, {0, 0}});
  Options options{.t_end = 1, .step = 0.1};
  const Solution failed =
      solve(*problem, start, {.formulation = "ggl", .integrator = "bdf:order=5"}, options);
  ASSERT_EQ(failed.end, EndReason::not_finite);
  EXPECT_EQ(failed.work.steps, 1);
  options.resume = failed.checkpoint;
  const Solution again = solve(*problem, start, {.formulation = "ggl", .integrator = "bdf:order=5"}, options);
  EXPECT_EQ(again.end_message, failed.end_message);
  EXPECT_TRUE(same_bits(again.final, failed.final));
}

// A change of coordinates is linear in q and v, so that the history goes on as if nothing had happened: no steps are lost against a
// formulation without charts.
TEST(BdfRestart, ChangesOfCoordinatesKeepTheHistory) {
  const auto instance = catalog::make_problem("pendulum", {{"vy", "7"}});  // turns over and over
  const Solution s = run_bdf(*instance.problem, instance.start, "state-space", {.t_end = 5}),
                 plain = run_bdf(*instance.problem, instance.start, "index1", {.t_end = 5});
  ASSERT_TRUE(s.complete()) << s.end_message;
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_TRUE(contains(s.notes[0], "the coordinates were changed")) << s.notes[0];
  EXPECT_LT(static_cast<double>(s.work.steps), 1.3 * static_cast<double>(plain.work.steps));
  EXPECT_LT(s.work.rejected, s.work.steps / 20);
  EXPECT_LT(distance(s.final.q(), instance.reference.at(5)->q()), 1e-2);
}

}  // namespace
}  // namespace driftless::tests

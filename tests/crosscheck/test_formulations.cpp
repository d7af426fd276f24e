// One mechanism, every formulation: backward Euler in each of them tends to the solution that `index1` with dop853 has, on the
// nonholonomic sleigh , the car axis with its moving road , the heavy top with quaternions  and a spatial mechanism with both
// bodies as quaternions; all that is imposed stays imposed, and the start needs nothing but coordinates and velocities.
#include <gtest/gtest.h>

#include "support/run.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

struct Mechanism {
  std::string problem;
  double t_end, step;
};

class EveryFormulationOn : public testing::TestWithParam<std::tuple<std::string, Mechanism>> {};

bool imposes(const std::string& formulation, const std::vector<std::string>& among) {
  return std::find(among.begin(), among.end(), formulation) != among.end();
}

// Error, halved step: half the error; Richardson's extrapolation from both is then of second order, much closer.
TEST_P(EveryFormulationOn, TendsToTheSameMotion) {
  const auto& [formulation, mechanism] = GetParam();
  const auto instance = catalog::make_problem(mechanism.problem);
  const Problem& problem = *instance.problem;
  if (formulation == "projected-invariants:variant=a" && problem.shape().ng == 0)
    return;  // refused, with a reason
  const Solution exact = solve(problem, instance.start, {.integrator = "dop853"},
                               {.t_end = mechanism.t_end, .rtol = 1e-11, .atol = 1e-11});
  ASSERT_TRUE(exact.complete()) << exact.end_message;
  const auto run = [&](double step) {
    return solve(
        problem, instance.start,
        {.formulation = formulation, .integrator = "backward-euler:tolerance=1e-13", .stabilizer = "none"},
        {.t_end = mechanism.t_end, .step = step});
  };
  const Solution coarse = run(mechanism.step), fine = run(mechanism.step / 2);
  ASSERT_TRUE(coarse.complete()) << coarse.end_message;
  ASSERT_TRUE(fine.complete()) << fine.end_message;
  const auto error = [&](const Solution& s) { return (s.final.z - exact.final.z).norm(); };
  EXPECT_NEAR(error(coarse) / error(fine), 2, 0.3) << error(coarse) << " " << error(fine);
  const Vector extrapolated = 2 * fine.final.z - coarse.final.z;
  EXPECT_LT((extrapolated - exact.final.z).norm(), 0.2 * error(fine));
  const auto multiplier_error = [&](const Solution& s) {
    return (s.final.lambda - exact.final.lambda).norm() + (s.final.kappa - exact.final.kappa).norm();
  };
  EXPECT_NEAR(multiplier_error(coarse) / multiplier_error(fine), 2, 0.4);

  const std::vector<std::string> positions = {"index3",
                                              "ggl",
                                              "ggl:D=input",
                                              "stabilized-index1",
                                              "projected-invariants",
                                              "projected-invariants:variant=a",
                                              "projected-invariants:variant=b",
                                              "state-space"},
                                 velocities = {"index2",
                                               "ggl",
                                               "ggl:D=input",
                                               "stabilized-index1",
                                               "projected-invariants",
                                               "projected-invariants:variant=b",
                                               "state-space"};
  if (imposes(formulation, positions)) {
    EXPECT_LT(fine.drift->position, 1e-10);
  }
  if (imposes(formulation, velocities)) {
    EXPECT_LT(fine.drift->velocity, 1e-8);
  }
  Vector q = fine.final.q();
  problem.normalize(q);
  if (formulation != "index1" && formulation != "baumgarte" && formulation != "invariant-stabilized") {
    EXPECT_LT((q - fine.final.q()).cwiseAbs().maxCoeff(), 1e-12) << "quaternions stay unit";
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryFormulationOn,
    testing::Combine(testing::Values("index1", "baumgarte", "invariant-stabilized", "index3", "index2",
                                     "index2-baumgarte", "ggl", "ggl:D=input", "stabilized-index1",
                                     "projected-invariants", "projected-invariants:variant=a",
                                     "projected-invariants:variant=b", "state-space"),
                     testing::Values(Mechanism{"chaplygin-sleigh", 1, 1e-3}, Mechanism{"car-axis", 0.1, 1e-4},
                                     Mechanism{"heavy-top", 0.02, 1e-5},
                                     Mechanism{"spatial-slider-crank", 0.1, 1e-4})),
    [](const auto& c) { return test_name(std::get<0>(c.param) + "_" + std::get<1>(c.param).problem); });

// A start off all constraints: every formulation moves it the same way, says so, and has multipliers of its own to begin with.
class StartOf : public testing::TestWithParam<std::string> {};

TEST_P(StartOf, IsMadeConsistent) {
  const std::string formulation = GetParam();
  for (const std::string name : {"pendulum", "closed-chain", "heavy-top", "car-axis"}) {
    const auto instance = catalog::make_problem(name);
    State guess = instance.start;
    guess.z.array() += 0.01;
    const ConsistentState consistent = consistent_state(*instance.problem, guess);
    ASSERT_TRUE(consistent.changed);
    const double h = 1e-5;
    const Solution solution =
        solve(*instance.problem, guess, {.formulation = formulation, .integrator = "backward-euler"},
              {.t_end = 3 * h, .step = h});
    ASSERT_TRUE(solution.complete()) << name << ": " << solution.end_message;
    ASSERT_FALSE(solution.notes.empty());
    EXPECT_EQ(solution.notes[0], consistent.report) << name;
    // Three steps on, everything is near the start: positions by 3 h v, multipliers by as much in their own size (index 3 has its
    // order from the second step on).
    EXPECT_LT((solution.final.q() - consistent.state.q()).norm(), 10 * h * (1 + consistent.state.v().norm()))
        << name;
    const double size = 1 + consistent.state.lambda.norm();
    EXPECT_LT((solution.final.lambda - consistent.state.lambda).norm(), 0.05 * size)
        << name << " " << formulation;
    // The acceleration obeys the equations of motion and the twice differentiated constraints.
    const Shape& shape = instance.problem->shape();
    Evaluation e;
    instance.problem->evaluate(Part::mass | Part::force | Part::input | Part::jacobian | Part::curvature,
                               Point(consistent.state.t, consistent.state.z), e);
    const Vector& a = consistent.acceleration;
    ASSERT_EQ(a.size(), shape.nv);
    const double scale = 1 + e.f.norm() + size * e.B.norm();
    EXPECT_LT((e.M * a + e.B * consistent.state.lambda - e.f).norm(), 1e-12 * scale) << name;
    EXPECT_LT((e.G * a + e.c).norm(), 1e-11 * (1 + e.c.norm() + a.norm())) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, StartOf,
                         testing::Values("index1", "baumgarte", "invariant-stabilized", "index3", "index2",
                                         "index2-baumgarte", "ggl", "stabilized-index1",
                                         "projected-invariants", "state-space"),
                         [](const auto& c) { return test_name(c.param); });

// Table 4.7, direct index 2, nu = 100, h = .01: 2 - t = h ((eps - 1) nu + 1) at t = .99, where the matrix of the step is exactly
// singular. The run ends there, with what was reached; another step passes.
TEST(SingularStep, OfTable47EndsTheRun) {
  const auto instance = catalog::make_problem("000-example3", {{"nu", "100"}, {"eps", "2"}});
  const auto run = [&](double step) {
    return solve(*instance.problem, instance.start, {.formulation = "index2"}, {.t_end = 1, .step = step});
  };
  const Solution solution = run(0.01);
  EXPECT_EQ(solution.end, EndReason::singular_step);
  EXPECT_NEAR(solution.final.t, 0.98, 1e-12);
  EXPECT_NE(solution.end_message.find(
                "the matrix of the implicit step is singular at t = 0.99, so that the equations there do "
                "not determine the step; use another step"),
            std::string::npos)
      << solution.end_message;
  EXPECT_EQ(solution.states.size(), 99u);
  EXPECT_TRUE(run(0.003).complete());
}

struct Doubled {
  static constexpr int nq = 3, ng = 2;
  static constexpr std::array<const char*, 2> constraint_names{"rod", "rod again"};
  void force(auto, auto, auto, auto f) const { f[2] = -1.0; }
  void constraint(auto, auto q, auto g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0) / 2.0;
    g[1] = 3.0 * g[0];
  }
};

// Redundant rows: the culprit is named by every formulation, and all but state-space go on without it.
TEST(RedundantConstraints, AreNamed) {
  const auto problem = make_problem(Doubled{});
  const State start = make_state(*problem, {{1, 0, 0}, {0, 0, 0}});
  for (const char* formulation : {"index3", "index2", "index2-baumgarte", "ggl", "stabilized-index1",
                                  "projected-invariants", "state-space"}) {
    const Solution s = solve(*problem, start, {.formulation = formulation, .integrator = "backward-euler"},
                             {.t_end = 1, .step = 0.01});
    EXPECT_EQ(s.complete(), formulation != std::string("state-space"))
        << formulation << ": " << s.end_message;
    std::string said = s.end_message;
    for (const std::string& note : s.notes) said += note;
    EXPECT_NE(said.find("rod again depends on rod"), std::string::npos) << formulation << ": " << said;
  }
}

}  // namespace
}  // namespace driftless::tests

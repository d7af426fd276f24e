// augmented-lagrangian where other formulations have no matrix: redundant constraints, singular configurations, singular M.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/problems.hpp"
#include "unit/singular_models.hpp"

namespace driftless::tests {
namespace {

// Two massless coordinates and one constraint: a motion without inertia is left.
struct Massless {
  static constexpr int nq = 3, ng = 1;
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;
  void mass(auto, auto, auto M) const { M(0, 0) = 1.0; }
  void force(auto, auto q, auto, auto f) const { f[0] = -1.0 * q[0]; }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] - q[1] + q[2]; }
};

// A constraint written twice moves as if written once, and shares the force: half each; for a second row twice as large,
// penalties in units of the rows give lambda_i proportional to 1/(size of the row), equal ones to its size.
TEST(AugmentedLagrangianBeyond, RedundantTwinIsThePlainPendulum) {
  const auto plain = catalog::make_problem("pendulum", {{"gravity", "1"}});
  struct Case {
    double factor;
    const char* options;
    double first, second;  // parts of lambda; first + factor second = 1
  };
  for (const Case& c : {Case{1, "", 0.5, 0.5}, Case{1, ":penalty=1e6", 0.5, 0.5}, Case{2, "", 0.5, 0.25},
                        Case{2, ":penalty=1e6", 0.2, 0.4}, Case{1, ":variant=srm", 0.5, 0.5}}) {
    const auto twin = make_problem(TwinPendulum{c.factor});
    const State start = make_state(*twin, {{0.6, -0.8}, {0.4, 0.3}});
    State single = make_state(*plain.problem, {{0.6, -0.8}, {0.4, 0.3}});
    const Evaluated expected = evaluate(*plain.problem, "baumgarte", 0, single);
    const Evaluated found = evaluate(*twin, std::string("augmented-lagrangian") + c.options, 0, start);
    EXPECT_LT((found.rate - expected.rate).norm(), 1e-14 * 10) << c.factor << c.options;
    EXPECT_NEAR(found.at.lambda(0), c.first * expected.at.lambda(0), 1e-12) << c.factor << c.options;
    EXPECT_NEAR(found.at.lambda(1), c.second * expected.at.lambda(0), 1e-12) << c.factor << c.options;
  }
}

// Through integrators, explicit and implicit, step by step.
TEST(AugmentedLagrangianBeyond, RedundantTwinRunsAsThePlainPendulum) {
  const auto twin = make_problem(TwinPendulum{3.0});
  const auto plain = catalog::make_problem("pendulum");
  for (const char* integrator : {"rk4", "ab4", "implicit-midpoint", "backward-euler", "radau5"}) {
    const auto end = [&](const Problem& problem, const char* formulation) {
      const Pipeline pipeline =
          assemble(problem, {.formulation = formulation, .integrator = integrator, .stabilizer = "none"},
                   {.t_end = 1, .step = 0.01});
      State state = make_state(problem, {{0.6, -0.8}, {0.4, 0.3}});
      pipeline.system->anchor(state);
      EXPECT_EQ(pipeline.integrator->start(*pipeline.system, state), Status::ok);
      for (int i = 0; i < 100; ++i) {
        const Step step = pipeline.integrator->attempt(0.01);
        EXPECT_EQ(step.status, Status::ok) << integrator;
        state = *step.state;
        EXPECT_EQ(pipeline.integrator->accept(state, nullptr), Status::ok);
      }
      return state;
    };
    const State expected = end(*plain.problem, "baumgarte"), found = end(*twin, "augmented-lagrangian");
    EXPECT_LT((found.z - expected.z).norm(), 1e-10) << integrator;
  }
}

TEST(AugmentedLagrangianBeyond, SingularMass) {
  const auto p = catalog::make_problem("003-singular-mass");
  for (const char* integrator : {"dopri5", "radau5", "bdf"}) {
    const Solution s =
        solve(*p.problem, p.start, {.formulation = "augmented-lagrangian", .integrator = integrator},
              {.t_end = 3, .rtol = 1e-9, .atol = 1e-9});
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_LT((s.final.q().array() - std::cos(6.0)).abs().maxCoeff(), 2e-7) << integrator;
    EXPECT_NEAR(s.final.lambda(0), 3 * std::cos(6.0), 1e-6);  // q1'' + q1 = -lambda, q1'' = -4 q1
  }
  const auto lost = make_problem(Massless{});
  const auto system = build_system(*lost, "augmented-lagrangian");
  Vector rate(6), z = make_state(*lost, {{1, 1, 0}, {0, 0, 0}}).z;
  const Status status = system->ode()->rhs(0, z, rate);
  EXPECT_EQ(status, Status::singular_mass);
  EXPECT_TRUE(contains(system->explain(status, 0, z), "the mass matrix is singular on the motions"));
}

// Through the configuration in which G = 0 five or six times in 10 s, with errors of angle and energy against the motion in one coordinate.
// The branch with a moving slider is kept.
void expect_branch_kept(const std::string& formulation, double t_end, double limit) {
  for (int k = 0; k < 24; ++k) {
    const double angle = 0.5 + k / 23.0, scale = 9.8 * (1 - std::cos(angle));
    const auto p = catalog::make_problem("003-slider-crank", {{"theta0", std::to_string(angle)}});
    const Solution s = solve(*p.problem, p.start, {.formulation = formulation, .stabilizer = "none"},
                             {.t_end = t_end, .rtol = 1e-8, .atol = 1e-8});
    ASSERT_TRUE(s.complete()) << formulation << " " << angle << " " << s.end_message;
    for (const State& state : s.states)
      ASSERT_LT(std::abs(state.q().sum() - std::numbers::pi), 1e-3) << formulation << " " << angle;
    EXPECT_NEAR(s.final.q()(0), p.reference.at(t_end)->q()(0), limit) << formulation << " " << angle;
    EXPECT_LT(std::abs(s.energy->balance), limit * scale) << formulation << " " << angle;
  }
}

TEST(AugmentedLagrangianBeyond, CrossesSingularConfigurations) {
  for (const char* formulation :
       {"augmented-lagrangian", "augmented-lagrangian:gain=auto", "augmented-lagrangian:penalty=1e4"})
    expect_branch_kept(formulation, 10, 1e-6);
}

TEST(AugmentedLagrangianBeyond, CrossesFiftySingularConfigurations) {
  expect_branch_kept("augmented-lagrangian:gain=auto", 100, 1e-5);
}

// In it G = 0, and a the acceleration without constraints. Next to it the multiplier is bounded: 50 iterations of penalty |G a + c|.
TEST(AugmentedLagrangianBeyond, MultipliersAreBoundedInASingularConfiguration) {
  const auto problem = catalog::make_problem("003-slider-crank").problem;
  const auto system = build_system(*problem, "augmented-lagrangian:penalty=1e4,gamma=0");
  system->anchor(make_state(*problem, {{1, std::numbers::pi - 1}, {0, 0}}));
  // Velocities that violate the constraint: c = cos th1 w1^2 + cos th2 w2^2 = 1.
  for (const double away : {0.0, 1e-9, 1e-6, 1e-4}) {
    State state = make_state(*problem, {{away, std::numbers::pi - away}, {1, 0}});
    ASSERT_EQ(system->multipliers(state), Status::ok);
    EXPECT_LT(std::abs(state.lambda(0)), 50 * 1e4 * 1.01) << away;
  }
  ASSERT_EQ(system->notes().size(), 1u);
  EXPECT_TRUE(contains(system->notes()[0], "so near to singular ones that 50 iterations do not converge"));
}

}  // namespace
}  // namespace driftless::tests

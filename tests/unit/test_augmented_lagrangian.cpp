// augmented-lagrangian where constraints are regular: it is baumgarte; its variant srm; what it refuses and says.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "support/problems.hpp"
#include "unit/singular_models.hpp"

namespace driftless::tests {
namespace {

// Order 1 and order 3 with B = G^T: a point on a moving ellipse.
template <int m>
struct OnEllipse {
  static constexpr int order = m, nq = 2, ng = 1;
  static constexpr bool moving = true;
  void mass(auto, auto x, auto M) const {
    M(0, 0) = 2.0 + x[1] * x[1];
    M(0, 1) = M(1, 0) = 0.3 * x[0];
    M(1, 1) = 1.0;
  }
  void force(auto t, auto x, auto... higher_and_f) const {
    auto f = std::get<sizeof...(higher_and_f) - 1>(std::tie(higher_and_f...));
    f[0] = x[1] + 0.5 * t;
    f[1] = -1.0 * x[0] * x[1];
  }
  void constraint(auto t, auto x, auto g) const { g[0] = x[0] * x[0] + 2.0 * x[1] * x[1] - 1.0 - 0.1 * t; }
};

// Off the constraints too, so that feedback takes part.
TEST(AugmentedLagrangian, ConvergedIsBaumgarte) {
  std::vector<ShapeCase> cases = shape_cases();
  for (const char* name : {"andrews", "car-axis", "000-example3", "heavy-top"}) {
    using Set = std::vector<std::pair<std::string, std::string>>;
    const auto instance = catalog::make_problem(name, name[0] == '0' ? Set{{"nu", "1"}} : Set{});
    cases.push_back({name, instance.problem, instance.start, 1});
  }
  const std::shared_ptr<const Problem> first = make_problem(OnEllipse<1>{}),
                                       third = make_problem(OnEllipse<3>{});
  cases.push_back({"first order", first, make_state(*first, {{0.8, 0.3}}), 1});
  cases.push_back({"third order", third, make_state(*third, {{0.8, 0.3}, {0.2, -0.1}, {0.3, 0.4}}), 1});
  int compared = 0;
  for (const ShapeCase& c : cases) {
    if (c.problem->shape().given_input) continue;
    State off = c.start;
    for (Eigen::Index i = 0; i < off.z.size(); ++i) off.z(i) += 1e-3 * std::sin(1.0 + static_cast<double>(i));
    for (const char* options : {":gamma=3", ":gamma=0", ":gain=auto"}) {
      const Evaluated expected = evaluate(*c.problem, std::string("baumgarte") + options, 0.1, off);
      const Evaluated found = evaluate(*c.problem, std::string("augmented-lagrangian") + options, 0.1, off);
      const double scale = expected.rate.norm(), size = expected.at.lambda.norm() + expected.at.kappa.norm();
      EXPECT_LT((found.rate - expected.rate).norm(), 1e-12 * scale) << c.name << options;
      EXPECT_LE((found.at.lambda - expected.at.lambda).norm(), 1e-11 * size) << c.name << options;
      EXPECT_LE((found.at.kappa - expected.at.kappa).norm(), 1e-11 * size) << c.name << options;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 3 * 12);
}

// The whole run: fixed steps, multipliers at the end included.
TEST(AugmentedLagrangian, RunsAsBaumgarteDoes) {
  for (const char* integrator : {"rk4", "ab3", "backward-euler", "implicit-midpoint"})
    for (const char* name : {"pendulum", "andrews"}) {
      const auto instance = catalog::make_problem(name);
      const auto run = [&](const char* formulation) {
        return solve(*instance.problem, instance.start,
                     {.formulation = formulation, .integrator = integrator, .stabilizer = "none"},
                     {.t_end = instance.t_end / 10, .step = instance.t_end / 1000});
      };
      const Solution expected = run("baumgarte"), found = run("augmented-lagrangian");
      ASSERT_TRUE(found.complete()) << found.end_message;
      EXPECT_TRUE(found.notes.empty());
      const double limit = std::string(integrator).find("i") == std::string::npos ? 1e-11 : 1e-9;  // Newton's
      EXPECT_LT((found.final.z - expected.final.z).norm(), limit * expected.final.z.norm())
          << integrator << name;
      EXPECT_LT((found.final.lambda - expected.final.lambda).norm(),
                10 * limit * expected.final.lambda.norm())
          << integrator << name;
    }
}

TEST(AugmentedLagrangian, JacobianIsTheDerivative) {
  const double t = 0.1, h = 1e-6;
  const auto twin = make_problem(TwinPendulum{2.0});
  std::vector<ShapeCase> cases = shape_cases();
  cases.push_back({"twin", twin, make_state(*twin, {{0.6, -0.8}, {0.8, 0.6}}), 1});
  for (const ShapeCase& c : cases) {
    const Shape& shape = c.problem->shape();
    if (shape.given_input || shape.own_kinematics) continue;
    for (const char* options : {":gamma=3", ":variant=srm,sweeps=1,penalty=100"}) {
      const auto system = build_system(*c.problem, std::string("augmented-lagrangian") + options);
      const int n = system->size();
      Matrix J(n, n), expected(n, n);
      Vector plus(n), minus(n);
      ASSERT_EQ(system->ode()->jacobian(t, c.start.z, J), Status::ok);
      for (int j = 0; j < n; ++j) {
        const Vector step = h * Vector::Unit(n, j);
        ASSERT_EQ(system->ode()->rhs(t, c.start.z + step, plus), Status::ok);
        ASSERT_EQ(system->ode()->rhs(t, c.start.z - step, minus), Status::ok);
        expected.col(j) = (plus - minus) / (2 * h);
      }
      EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), 1e-7 * (1 + expected.cwiseAbs().maxCoeff()))
          << c.name << options;
    }
  }
}

TEST(AugmentedLagrangian, APenaltyTooSmallIsAFailureWithAReason) {
  const auto instance = catalog::make_problem("pendulum");
  const Method method{.formulation = "augmented-lagrangian:penalty=0.1"};
  const Solution s = solve(*instance.problem, instance.start, method, {.t_end = 1});
  EXPECT_EQ(s.end, EndReason::no_convergence);
  // 1/(1 + 0.1) per iteration
  EXPECT_TRUE(contains(s.end_message, "the multipliers converge by a factor of 0.91 per iteration"))
      << s.end_message;
  EXPECT_TRUE(contains(s.end_message, "raise the penalty")) << s.end_message;
  const Solution more =
      solve(*instance.problem, instance.start,
            {.formulation = "augmented-lagrangian:penalty=0.1,iterations=500"}, {.t_end = 1});
  EXPECT_TRUE(more.complete()) << more.end_message;
}

// The error of srm falls by 1/(1 + s) with every sweep (G M^-1 G^T = 1 on the unit pendulum), from that of multipliers as old as the step.
TEST(AugmentedLagrangian, SequentialRegularizationConvergesWithSweepsAndSteps) {
  const auto instance = catalog::make_problem("pendulum");
  const auto error = [&](const std::string& options, double step) {
    const auto run = [&](const std::string& formulation) {
      return solve(*instance.problem, instance.start,
                   {.formulation = formulation, .integrator = "rk4", .stabilizer = "none"},
                   {.t_end = 1, .step = step})
          .final.z;
    };
    return (run("augmented-lagrangian:variant=srm," + options) - run("baumgarte")).norm();
  };
  EXPECT_NEAR(error("penalty=99,sweeps=1", 0.01) / error("penalty=99,sweeps=2", 0.01), 100, 20);
  EXPECT_NEAR(error("penalty=99,sweeps=1", 0.01) / error("penalty=999,sweeps=1", 0.01), 10, 1);
  EXPECT_NEAR(error("penalty=99,sweeps=1", 0.01) / error("penalty=99,sweeps=1", 0.005), 2, 0.3);
}

TEST(AugmentedLagrangian, TakenUpAgainGoesOnBitByBit) {
  const auto instance = catalog::make_problem("andrews");
  for (const char* formulation :
       {"augmented-lagrangian", "augmented-lagrangian:gain=auto", "augmented-lagrangian:variant=srm"}) {
    const Method method{.formulation = formulation, .integrator = "rk4", .stabilizer = "none"};
    const Solution whole = solve(*instance.problem, instance.start, method, {.t_end = 0.01, .step = 1e-4});
    const Solution half = solve(*instance.problem, instance.start, method, {.t_end = 0.005, .step = 1e-4});
    const Solution rest = solve(*instance.problem, instance.start, method,
                                {.t_end = 0.01, .step = 1e-4, .resume = half.checkpoint});
    EXPECT_EQ(rest.final.z, whole.final.z) << formulation;
  }
}

TEST(AugmentedLagrangian, RefusesAGivenInputAndOptionsWithoutUse) {
  const auto& c = shape_case("order-3");
  const auto says = [&](const char* formulation) {
    return complaint([&] { solve(*c.problem, c.start, {.formulation = formulation}, {.t_end = 1}); });
  };
  EXPECT_TRUE(contains(says("augmented-lagrangian"), "act along a given B; use baumgarte"));
  EXPECT_TRUE(contains(says("augmented-lagrangian:variant=srm,iterations=3"), "iterations would be ignored"));
  EXPECT_TRUE(contains(says("augmented-lagrangian:sweeps=3"), "sweeps belongs to variant=srm"));
  EXPECT_TRUE(contains(says("augmented-lagrangian:gamma=3,roots=1;2"), "takes gamma, or roots"));
}

}  // namespace
}  // namespace driftless::tests

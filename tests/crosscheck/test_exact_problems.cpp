// What single problems with exact solutions promise beside that (see test_exact_solutions.cpp).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "problems/common/quadrature.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using Set = std::vector<std::pair<std::string, std::string>>;

double scaled(const Vector& difference, const Vector& terms) {
  return difference.lpNorm<Eigen::Infinity>() / (1 + terms.lpNorm<Eigen::Infinity>());
}

TEST(ExactProblems, PendulumC3HasThePeriodTwo) {
  const auto instance = catalog::make_problem("pendulum", {{"case", "C3"}});
  EXPECT_EQ(instance.t_end, 30);
  // 4 K^2 with K(1/sqrt 2) = Gamma(1/4)^2/(4 sqrt pi).
  const double gamma = std::tgamma(0.25), K = gamma * gamma / (4 * std::sqrt(std::numbers::pi));
  Evaluation e;
  instance.problem->evaluate(Part::force, Point(0, instance.start.z), e);
  EXPECT_NEAR(e.f(1), -4 * K * K, 1e-13);
  EXPECT_NEAR(e.f(1), -13.7503716360407, 1e-12);
  for (const double t : {2.0, 10.0, 30.0})
    EXPECT_LT((instance.reference.at(t)->z - instance.start.z).lpNorm<Eigen::Infinity>(), 1e-12) << t;
  EXPECT_NEAR(instance.reference.at(1)->z(0), -1, 1e-13);
}

// A start that is not t = 0: output times count from it, and lie after it.
TEST(ExactProblems, StartLaterThanZero) {
  const auto instance = catalog::make_problem("arevalo");
  EXPECT_EQ(instance.start.t, 1);
  EXPECT_EQ(instance.t_end, 5);
  Options options{.t_end = instance.t_end, .rtol = 1e-11, .atol = 1e-11};
  options.output = {.kind = Output::Kind::every, .interval = 0.4};
  const Solution s = solve(*instance.problem, instance.start, {}, options);
  ASSERT_EQ(s.states.size(), 11u);
  for (std::size_t i = 0; i < s.states.size(); ++i) {
    EXPECT_NEAR(s.states[i].t, 1 + 0.4 * static_cast<double>(i), 1e-14);
    const State exact = *instance.reference.at(s.states[i].t);
    EXPECT_LT(scaled(s.states[i].z - exact.z, exact.z), 1e-8);
    EXPECT_LT(scaled(s.states[i].lambda - exact.lambda, exact.lambda), 1e-8);
  }
  const Solution fixed =
      solve(*instance.problem, instance.start, {.integrator = "rk4"}, {.t_end = 1.5, .step = 0.01});
  EXPECT_EQ(fixed.work.steps, 50);
  EXPECT_EQ(fixed.final.t, 1.5);
  const auto early = [&](const Options& o) {
    return complaint([&] { solve(*instance.problem, instance.start, {}, o); });
  };
  EXPECT_NE(early({.t_end = 0.5}).find("before the start, 1"), std::string::npos);
  options.output = {.kind = Output::Kind::at, .times = {0.5}};
  EXPECT_NE(early(options).find("from 1 to 5"), std::string::npos);
}

// Against Boost's rule of 61 points, on an integrand with many turns.
TEST(ExactProblems, QuadratureIsExactToRoundoff) {
  EXPECT_NEAR(problems::integral([](double x) { return 23 * std::pow(x, 22); }, -1, 1), 2, 1e-14);
  EXPECT_EQ(problems::integral([](double) { return 3.0; }, 2, 2), 0);
  const auto turns = [](double t) { return std::tanh(t - 3) * std::cos(30 * std::atan(t)); };
  const double boost =
      boost::math::quadrature::gauss_kronrod<double, 61>::integrate(turns, 0.0, 20.0, 15, 1e-14);
  EXPECT_NEAR(problems::integral(turns, 0, 20), boost, 1e-13);
  EXPECT_NEAR(problems::integral(turns, 20, 0), -boost, 1e-13);
}

// In the end the sleigh runs straight, turned by sqrt(J/m)/a (pi/2 - gd u0); nothing overflows.
TEST(ExactProblems, SleighRunsStraightInTheEnd) {
  const auto instance = catalog::make_problem("chaplygin-sleigh", {{"phi", "0.3"}});
  const State end = *instance.reference.at(1e4);
  const double J = 0.11, C = 0.25 + J * 4, u0 = std::atanh(-0.5 / std::sqrt(C));
  ASSERT_TRUE(end.z.allFinite());
  EXPECT_EQ(end.v()(2), 0);
  EXPECT_NEAR(std::hypot(end.v()(0), end.v()(1)), std::sqrt(C), 1e-14);
  EXPECT_NEAR(end.q()(2), 0.3 + std::sqrt(J) / 0.1 * (std::numbers::pi / 2 - std::asin(std::tanh(u0))),
              1e-13);
  const State before = *instance.reference.at(1e4 - 1);
  EXPECT_NEAR((end.q() - before.q()).head(2).norm(), std::sqrt(C), 1e-9);
}

// Steps far too large for the accuracy: the invariants chosen stay, and the orbit keeps its shape.
TEST(ExactProblems, KeplerKeepsItsInvariants) {
  const auto instance = catalog::make_problem("001-kepler");
  const auto run = [&](const char* stabilizer) {
    return solve(*instance.problem, instance.start, {.integrator = "rk4", .stabilizer = stabilizer},
                 {.t_end = 20 * std::numbers::pi, .step = std::numbers::pi / 100})
        .final;
  };
  const auto lost = [&](const State& state) {
    Evaluation e;
    instance.problem->evaluate(Part::energy | Part::invariants, Point(state.t, state.z), e);
    return std::pair{std::abs(e.energy + 0.5), std::abs(e.invariants(0) - std::sqrt(0.75))};
  };
  const State free = run("none"), kept = run("post:F=full,invariants=all"),
              one = run("post:F=full,invariants=angular-momentum");
  EXPECT_GT(lost(free).first, 1000 * lost(kept).first);
  EXPECT_LT(lost(kept).first, 1e-9);
  EXPECT_LT(lost(kept).second, 1e-9);
  EXPECT_GT(lost(one).first, 1000 * lost(kept).first);
  EXPECT_LT(lost(one).second, 1e-9);
  const State exact = *instance.reference.at(20 * std::numbers::pi);
  EXPECT_LT((kept.z - exact.z).norm(), 0.2 * (free.z - exact.z).norm());
  const State projected = run("projection:F=full,invariants=energy;angular-momentum");
  EXPECT_LT(lost(projected).first + lost(projected).second, 1e-13);
}

// On a circle the energy is smallest for its angular momentum, so that the gradients are parallel.
TEST(ExactProblems, KeplerOnTheCircleCannotKeepBoth) {
  const auto instance = catalog::make_problem("001-kepler", {{"c", "1"}});
  const Solution s =
      solve(*instance.problem, instance.start, {.stabilizer = "post:F=full,invariants=all"}, {.t_end = 1});
  EXPECT_EQ(s.end, EndReason::rank_loss);
  EXPECT_NE(s.end_message.find("angular-momentum depends on energy"), std::string::npos) << s.end_message;
  EXPECT_TRUE(
      solve(*instance.problem, instance.start, {.stabilizer = "post:F=full,invariants=energy"}, {.t_end = 1})
          .complete());
}

// The underlying differential equations as printed, off the solution and the constraints. With F = B (CB)^-1
// and H = I - F C:  x' = H (A x + q) - F (C' x + r') for Examples 1 and 2,  v' = K v + (I - K) e^t (1, 1) for
// Example 3,  v' = H f - F (2 C' v + C'' p + r'') for Example 4.
TEST(ExactProblems, AscherPetzoldAsPrinted) {
  using V = Eigen::Vector2d;
  using Row = Eigen::RowVector2d;
  const double t = 0.6, E = std::exp(t), nu = 7, S = std::sin(nu * t), T = std::cos(nu * t);
  const V x(1.3, -0.4), v(2.1, 0.7);
  const auto rate = [&](const char* name, Set set = {}) {
    set.emplace_back("nu", "7");
    const auto problem = catalog::make_problem(name, set).problem;
    Vector z(2 * problem->shape().order), a(2), multiplier(1);
    z.head(2) = x;
    if (z.size() > 2) z.tail(2) = v;
    Workspace work;
    EXPECT_EQ(problem->acceleration(t, z, Vector::Zero(1), a, multiplier, work), Status::ok);
    return V(a);
  };
  const auto tangential = [](const V& F, const Row& C, const V& f) { return V(f - F * (C * f)); };
  {
    const Row C(S, T), dC(nu * T, -nu * S);
    const V q(E * (2 + S / (2 - t)), E * (2 + T / (2 - t))), F = C.transpose();
    const double dr = -((1 - nu) * S + (1 + nu) * T) * E;
    EXPECT_LT((rate("000-example1") - tangential(F, C, -x + q) + F * (dC * x + dr)).norm(), 1e-12);
  }
  {
    const Row C(t + 2, t * t - 4), dC(1, 2 * t);
    const V B((2 - t) * nu, nu - 1), q(E * (1 + nu), E * (1 + (nu - 1) / (2 - t))), F = B / (4 - t * t);
    const double dr = -(t * t + 3 * t - 1) * E;
    EXPECT_LT((rate("000-example2") - tangential(F, C, q) + F * (dC * x + dr)).norm(), 1e-12);
  }
  for (const double eps : {0.0, 1.0, 2.0}) {
    Eigen::Matrix2d K;
    K << 0, (eps - 2) * nu, 0, ((eps - 2) * nu + 2) / (2 - t);
    const V expected = K * v + (Eigen::Matrix2d::Identity() - K) * V(E, E);
    for (const char* form : {"mass", "given"})
      EXPECT_LT((rate("000-example3", {{"eps", std::to_string(eps)}, {"form", form}}) - expected).norm(),
                1e-11)
          << eps << form;
  }
  {
    const Row C(S, T), dC(nu * T, -nu * S), ddC = -nu * nu * C;
    const V F = C.transpose(), f = -nu * nu * v + (1 + nu * nu) * V(E, E) + F * (E / (2 - t));
    const double ddr = -(C.sum() + 2 * dC.sum() + ddC.sum()) * E;
    EXPECT_LT(
        (rate("000-example4") - tangential(F, C, f) + F * (2 * (dC * v)(0) + (ddC * x)(0) + ddr)).norm(),
        1e-11);
  }
}

// The solution of Ascher and Petzold's examples ends where the multiplier has a pole.
TEST(ExactProblems, AscherPetzoldEndsAtTwo) {
  for (const char* name : {"000-example1", "000-example2", "000-example3", "000-example4"}) {
    const auto instance = catalog::make_problem(name, {{"nu", "1"}});
    EXPECT_TRUE(instance.reference.at(1.99));
    EXPECT_FALSE(instance.reference.at(2));
    EXPECT_EQ(instance.t_end, 1);
  }
}

TEST(ExactProblems, RefuseWrongParameters) {
  const auto says = [](const char* problem, const Set& set) {
    return complaint([&] { catalog::make_problem(problem, set); });
  };
  const auto expect = [](const std::string& text, const std::string& piece) {
    EXPECT_NE(text.find(piece), std::string::npos) << text;
  };
  expect(says("pendulum", {{"case", "C4"}}), "parameter case of pendulum is 'C4' (one of: T9, A01, C3)");
  expect(says("arevalo", {{"t0", "now"}}), "parameter t0 of arevalo is 'now' (must be a finite number)");
  expect(says("chaplygin-sleigh", {{"Th", "0"}}), "Th of chaplygin-sleigh is 0 (must be above 0)");
  expect(says("chaplygin-sleigh", {{"m", "-1"}}), "m of chaplygin-sleigh is -1 (must be above 0)");
  expect(says("jay", {{"nu", "1"}}), "jay has no parameter 'nu'; it has none");
  expect(says("001-kepler", {{"c", "0"}}), "c of 001-kepler is 0 (must be above 0)");
  expect(says("001-kepler", {{"c", "2"}}), "c of 001-kepler is 2 (must be below 2)");
  expect(says("jerk-sphere", {{"mu", "-1"}}), "mu of jerk-sphere is -1 (must be at least 0)");
  expect(says("jerk-sphere", {{"g", "1"}}), "known: mu, beta, d, e, h");
  expect(says("000-example1", {{"nu", "0"}}), "nu of 000-example1 is 0 (must be above 0)");
  expect(says("000-example2", {{"eps", "0"}}), "000-example2 has no parameter 'eps'; known: nu");
  expect(says("000-example3", {{"form", "B"}}), "form of 000-example3 is 'B' (one of: mass, given)");
  expect(says("000-example4", {{"nu", "-3"}}), "nu of 000-example4 is -3 (must be above 0)");
}

}  // namespace
}  // namespace driftless::tests

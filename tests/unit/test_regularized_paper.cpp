// What Petzold, Ren and Maly (1997) state, and what their formulas imply, measured.
#include <gtest/gtest.h>

#include <sstream>

#include <driftless/problems/pendulum.hpp>

#include "support/compare.hpp"
#include "support/run.hpp"

namespace driftless::tests {

namespace {

Options fine(double t_end, double hmax) {
  Options options{.t_end = t_end, .rtol = 1e-10, .atol = 1e-12, .hmax = hmax, .start_as_given = true};
  options.max_steps = 10'000'000;
  return options;
}

std::string with(const std::string& name, double epsilon, double gamma, const std::string& more = "") {
  std::ostringstream text;
  text << name << ":epsilon=" << epsilon << ",gamma=" << gamma << more;
  return text.str();
}

// Theorem 3.1: with constraints of constant rank the error is O(eps), and here O(eps/gamma).
TEST(RegularizedPaper, ErrorsOfConstantRankAreProportionalToEpsilon) {
  struct ConstantRank {
    const char *input, *rho;
    double coefficient;  // largest error/eps for gamma = 10
  };
  Options options = fine(3, 0.01);
  options.output = {.kind = Output::Kind::every, .interval = 0.05};
  for (const ConstantRank& c : {ConstantRank{"direct", "0", 0.19},
                                {"direct", "1", 0.11},
                                {"trust", "0", 0.105},
                                {"trust", "1", 0.063}})
    for (const double epsilon : {1e-3, 1e-4})
      for (const double gamma : {10.0, 100.0}) {
        const auto p = catalog::make_problem("003-rank-deficient", {{"input", c.input}, {"rho", c.rho}});
        const std::string name = c.input == std::string("direct") ? "direct-regularization" : "trust-region";
        const Solution run = solve(*p.problem, p.start, {.formulation = with(name, epsilon, gamma)}, options);
        ASSERT_TRUE(run.complete()) << run.end_message;
        double error = 0;
        for (const State& state : run.states)
          error = std::max(error, distance(state.z, p.reference.at(state.t)->z));
        EXPECT_NEAR(error * gamma / (10 * epsilon), c.coefficient, 0.06 * c.coefficient)
            << name << c.rho << gamma;
      }
}

// Without curvature g settles at h_c^2/2 times x'^T g_xx x': 9.8 at the lowest point times h_c^2/2 for a pendulum from the horizontal.
TEST(RegularizedPaper, CurvatureLeftOutIsAnOffsetOfTheConstraint) {
  const auto problem = make_problem(problems::Pendulum{.gravity = 9.8});
  const auto largest = [&](double gamma, const std::string& more) {
    Options options = fine(2, 0.1 / gamma);
    const Solution run = solve(*problem, state_of(*problem, {1, 0, 0, 0}),
                               {.formulation = with("trust-region", 1e-12, gamma, more)}, options);
    EXPECT_TRUE(run.complete()) << run.end_message;
    return run.drift->position;
  };
  EXPECT_NEAR(largest(1e2, ",curvature=off"), 9.795e-4, 5e-7);
  EXPECT_NEAR(largest(1e3, ",curvature=off"), 9.800e-6, 5e-9);
  EXPECT_LT(largest(1e2, ""), 1e-9);
  EXPECT_LT(largest(1e3, ""), 1e-9);
}

// x^(m) = -B y with g = x_0 + x_1, perhaps written twice.
template <int m, int rows>
struct HighOrder {
  static constexpr int order = m, nq = 2, ng = rows;
  void force(auto...) const {}
  void constraint(auto, auto x, auto g) const {
    for (int i = 0; i < rows; ++i) g[static_cast<std::size_t>(i)] = x[0] + x[1];
  }
};

// g(1) from g(0) = 1e-8, h_c = 0.05. m <= 4: roots of the truncated exponential, computed beside; m >= 5: (tau + 1/h_c)^m, whose
// solution is g(0) e^(-s) sum_{k<m} s^k/k! with s = t/h_c.
template <int m, int rows>
double remaining() {
  const auto problem = make_problem(HighOrder<m, rows>{});
  std::vector<double> z(2 * m, 0.0);
  z[0] = 1e-8;
  Options options = fine(1, 0.002);
  options.atol = 1e-20;
  const Solution run =
      solve(*problem, state_of(*problem, z), {.formulation = with("trust-region", 1e-6, 20)}, options);
  EXPECT_TRUE(run.complete()) << run.end_message;
  return std::abs(run.final.z[0] + run.final.z[1]);
}
double binomial_decay(int m) {
  double sum = 0, term = 1;
  for (int k = 0; k < m; ++k) {
    sum += term;
    term *= 20.0 / (k + 1);
  }
  return 1e-8 * std::exp(-20) * sum;
}

TEST(RegularizedPaper, FeedbackOfEveryOrderIsStable) {
  EXPECT_LT((remaining<2, 1>()), 1e-16);
  EXPECT_NEAR((remaining<3, 1>()), 7e-15, 0.5e-15);
  EXPECT_NEAR((remaining<4, 1>()), 1.4e-11, 0.05e-11);
  EXPECT_NEAR((remaining<5, 1>()), binomial_decay(5), 0.01 * binomial_decay(5));
  EXPECT_NEAR((remaining<6, 1>()), binomial_decay(6), 0.01 * binomial_decay(6));
  EXPECT_LT((remaining<2, 2>()), 1e-10);
  EXPECT_LT((remaining<3, 2>()), 1e-10);
  EXPECT_LT((remaining<4, 2>()), 1e-10);
}

TEST(RegularizedPaper, SingularMassNeedsTheConstraintsInTheMassMatrix) {
  const auto problem = catalog::make_problem("003-singular-mass").problem;
  const auto error = [&](const std::string& mass) {
    Options options = fine(3, 0.002);
    const Solution run = solve(*problem, state_of(*problem, {1, 1, 0, 0}),
                               {.formulation = with("trust-region", 1e-12, 100, mass)}, options);
    EXPECT_TRUE(run.complete()) << run.end_message;
    double largest = 0;
    for (const State& s : run.states) largest = std::max(largest, std::abs(s.z[0] - std::cos(2 * s.t)));
    return largest;
  };
  EXPECT_LT(error(""), 1e-7);  // auto
  EXPECT_LT(error(",mass=augmented"), 1e-7);
  EXPECT_NEAR(error(",mass=paper,rho=0.01"), 2.0, 0.05);
  EXPECT_NEAR(error(",mass=paper,rho=0.0001"), 2.0, 0.05);
  const Solution given = solve(*problem, state_of(*problem, {1, 1, 0, 0}),
                               {.formulation = "trust-region:mass=given"}, {.t_end = 1});
  EXPECT_FALSE(given.complete());
  EXPECT_TRUE(contains(given.end_message, "mass matrix is singular")) << given.end_message;
}

// Example 5.1 against its error equations, gamma = 1e3:
//   direct e' = eps/(t^2 + eps) - t (gamma t + 1)/(t^2 + eps) e,   trust e' = eps/(t^4 + eps) - t^3 (gamma t + 1)/(t^4 + eps) e
double error_equation(bool squares, double eps) {
  const double h = 2e-6;
  const auto rate = [&](double t, double e) {
    const double a = squares ? t * t * t * t : t * t, b = squares ? t * t * t : t;
    return (eps - b * (1e3 * t + 1) * e) / (a + eps);
  };
  double e = 0, largest = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const double t = -1 + i * h;
    const double k1 = rate(t, e), k2 = rate(t + h / 2, e + h / 2 * k1), k3 = rate(t + h / 2, e + h / 2 * k2),
                 k4 = rate(t + h, e + h * k3);
    e += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    largest = std::max(largest, std::abs(e));
  }
  return largest;
}

TEST(RegularizedPaper, ExampleOneHasTheErrorOfItsErrorEquation) {
  struct Row {
    const char* name;
    double epsilon, stated;
  };
  const auto problem = catalog::make_problem("003-example51").problem;
  for (const Row& row : {Row{"direct-regularization", 1e-6, 1.6e-3},
                         {"trust-region", 1e-6, 3.05e-2},
                         {"trust-region", 1e-9, 7.4e-3},
                         {"direct-regularization", 1e-9, 1.2e-4}}) {
    State start = state_of(*problem, {0});
    start.t = -1;
    const Solution run =
        solve(*problem, start, {.formulation = with(row.name, row.epsilon, 1e3)}, fine(1, 1e-4));
    ASSERT_TRUE(run.complete()) << run.end_message;
    double largest = 0;
    for (const State& s : run.states) largest = std::max(largest, std::abs(s.z[0] - s.t - 1));
    const double expected = error_equation(std::string(row.name) == "trust-region", row.epsilon);
    EXPECT_NEAR(expected, row.stated, 0.04 * row.stated);
    EXPECT_NEAR(largest, expected, 0.01 * expected) << row.name << row.epsilon;
    EXPECT_LT(std::abs(run.final.z[0] - 2), 3e-9);
  }
}

}  // namespace

}  // namespace driftless::tests

// Exactness: a method of order p integrates polynomials of degree p to roundoff, and misses degree p + 1 by a
// known power of h; the same for the interpolant and for the error estimate.
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// x' = (degree) t^(degree - 1), and a linear test equation beside it so that stages matter.
struct Polynomial {
  static constexpr int order = 1, nq = 1;
  int degree = 1;
  void force(auto t, auto, auto f) const {
    f[0] = static_cast<double>(degree);
    for (int i = 1; i < degree; ++i) f[0] = f[0] * t;
  }
};

struct MethodCase {
  std::string name;
  int order, dense_order, error_order;
};
std::ostream& operator<<(std::ostream& out, const MethodCase& c) {
  return out << c.name;
}

class RungeKuttaTest : public testing::TestWithParam<MethodCase> {
 protected:
  // One step from t = 0.5 with x = t^degree.
  struct OneStep {
    std::shared_ptr<const AutoProblem<Polynomial>> problem;
    std::unique_ptr<System> system;
    std::unique_ptr<Integrator> integrator;
    State state;
    Step step;
  };
  OneStep take(int degree, double h) const {
    OneStep s;
    s.problem = make_problem(Polynomial{degree});
    s.system = build_system(*s.problem, "index1");
    const auto& entry = catalog::integrator(GetParam().name);
    s.integrator = entry.make(OptionValues(GetParam().name, entry.options, {}));
    s.state = state_of(*s.problem, {std::pow(0.5, degree)});
    s.state.t = 0.5;
    EXPECT_EQ(s.integrator->start(*s.system, s.state), Status::ok);
    s.step = s.integrator->attempt(h);
    EXPECT_EQ(s.step.status, Status::ok);
    return s;
  }
};

TEST_P(RungeKuttaTest, FactsInTheTable) {
  const auto& entry = catalog::integrator(GetParam().name);
  EXPECT_EQ(entry.order, GetParam().order);
  EXPECT_EQ(entry.dense_order, GetParam().dense_order);
  EXPECT_EQ(entry.error_estimate, GetParam().error_order > 0);
}

TEST_P(RungeKuttaTest, ExactUpToItsOrderAndNotBeyond) {
  for (int degree = 1; degree <= GetParam().order; ++degree) {
    const auto s = take(degree, 0.3);
    EXPECT_NEAR(s.step.state->z(0), std::pow(0.8, degree), 2e-15) << "degree " << degree;
  }
  const int next = GetParam().order + 1;
  EXPECT_GT(std::abs(take(next, 0.3).step.state->z(0) - std::pow(0.8, next)), 1e-7);
}

TEST_P(RungeKuttaTest, InterpolantIsExactToItsOrder) {
  for (int degree = 1; degree <= GetParam().dense_order; ++degree) {
    auto s = take(degree, 0.3);
    State& candidate = *s.step.state;
    ASSERT_EQ(s.integrator->accept(candidate, nullptr), Status::ok);
    State between = candidate;
    for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      s.integrator->interpolate(0.5 + 0.3 * theta, between);
      EXPECT_NEAR(between.z(0), std::pow(0.5 + 0.3 * theta, degree), 3e-15)
          << "degree " << degree << " theta " << theta;
      EXPECT_EQ(between.t, 0.5 + 0.3 * theta);
    }
  }
}

TEST_P(RungeKuttaTest, ErrorEstimateScales) {
  if (GetParam().error_order == 0) {
    EXPECT_EQ(take(2, 0.1).step.error, nullptr);
    return;
  }
  const int p = GetParam().error_order;
  EXPECT_LT(std::abs((*take(p, 0.2).step.error)(0)), 1e-15);  // the embedded method is exact here
  // The leading term h^(p+1) alone, on the polynomial of degree p + 1: halving gives exactly 2^(p+1).
  const double large = (*take(p + 1, 0.2).step.error)(0), small = (*take(p + 1, 0.1).step.error)(0);
  EXPECT_NEAR(large / small, std::pow(2, p + 1), 1e-8);
  EXPECT_EQ(take(2, 0.1).step.error_order, p);
}

INSTANTIATE_TEST_SUITE_P(Methods, RungeKuttaTest,
                         testing::Values(MethodCase{"forward-euler", 1, 1, 0}, MethodCase{"rk4", 4, 3, 0},
                                         MethodCase{"dopri5", 5, 4, 4}),
                         [](const auto& c) {
                           return c.param.name == "forward-euler" ? "forward_euler" : c.param.name;
                         });

struct Growth {
  static constexpr int order = 1, nq = 1;
  void force(auto, auto x, auto f) const { f[0] = x[0]; }
};

// Polynomials in t test quadrature only. Order conditions with nested right-hand sides: x' = x has e^h up to
// degree p.
TEST(RungeKuttaStability, FunctionAgreesWithTheExponentialSeries) {
  const auto problem = make_problem(Growth{});
  const std::pair<const char*, int> methods[] = {{"forward-euler", 1}, {"rk4", 4}, {"dopri5", 5}};
  for (const auto& [name, p] : methods) {
    const auto system = build_system(*problem, "index1");
    const auto& entry = catalog::integrator(name);
    const auto integrator = entry.make(OptionValues(name, entry.options, {}));
    State state = state_of(*problem, {1});
    integrator->start(*system, state);
    const double h = 0.1;
    double series = 1, term = 1;
    for (int i = 1; i <= p; ++i) series += term *= h / i;
    const double computed = integrator->attempt(h).state->z(0);
    // dopri5 has a sixth stage: its term of degree 6 is h^6/600, a hundredth of the fifth.
    EXPECT_NEAR(computed, series + (p == 5 ? std::pow(h, 6) / 600 : 0), 1e-15) << name;
  }
}

}  // namespace
}  // namespace driftless::tests

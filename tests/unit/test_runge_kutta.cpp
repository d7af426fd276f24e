// Exactness: a method of order p integrates polynomials of degree p to roundoff, and misses the next by a
// known amount; the same for the interpolant and for the error estimates. What the interpolant costs, and
// that it is smooth where a stabilizer moved the state.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

struct Growth {
  static constexpr int order = 1, nq = 1;
  void force(auto, auto x, auto f) const { f[0] = x[0]; }
};

// The first degree that a method misses as a quadrature formula, and by how much: x_1 - exact is
// defect h^degree, defect = degree sum b_i c_i^(degree - 1) - 1. Kutta's two methods are Simpson's rule,
// which is exact up to degree 4. Series: the coefficients of the stability function beyond h^p/p!.
struct MethodCase {
  std::string name;
  int order, dense_order;
  int missed;
  double defect;
  std::vector<double> series = {};
  int rhs_per_step = 0, rhs_for_dense = 0;
  int error_order = 0, first_estimate = 0, second_estimate = 0;  // 0: none
  double roundoff = 2e-15, dense_roundoff = 3e-15;
};
std::ostream& operator<<(std::ostream& out, const MethodCase& c) {
  return out << c.name;
}

template <class Model>
struct Stepping {
  std::shared_ptr<const AutoProblem<Model>> problem;
  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  State state;

  Stepping(const std::string& method, const Model& model, double t, double x)
      : problem(make_problem(model)), system(build_system(*problem, "index1")) {
    const auto& entry = catalog::integrator(method);
    integrator = entry.make(OptionValues(method, entry.options, {}));
    state = state_of(*problem, {x});
    state.t = t;
    EXPECT_EQ(integrator->start(*system, state), Status::ok);
  }
  Step attempt(double h) {
    const Step step = integrator->attempt(h);
    EXPECT_EQ(step.status, Status::ok);
    return step;
  }
  // One step; then, as a stabilizer would, the result is moved.
  State accepted(double h, double displacement = 0) {
    State& candidate = *attempt(h).state;
    candidate.z(0) += displacement;
    const Vector move = Vector::Constant(1, displacement);
    EXPECT_EQ(integrator->accept(candidate, displacement != 0 ? &move : nullptr), Status::ok);
    return candidate;
  }
  double at(double t) {
    State between = state;
    EXPECT_EQ(integrator->interpolate(t, between), Status::ok);
    EXPECT_EQ(between.t, t);
    return between.z(0);
  }
};

class RungeKuttaTest : public testing::TestWithParam<MethodCase> {
 protected:
  const MethodCase& c = GetParam();
  Stepping<Power> polynomial(int degree) const { return {c.name, Power{degree}, 0.5, std::pow(0.5, degree)}; }
  Stepping<Growth> growth() const { return {c.name, Growth{}, 0, 1}; }
};

TEST_P(RungeKuttaTest, FactsInTheTable) {
  const auto& entry = catalog::integrator(c.name);
  EXPECT_EQ(entry.order, c.order);
  EXPECT_EQ(entry.dense_order, c.dense_order);
  EXPECT_EQ(entry.traits.error_estimate, c.error_order > 0);
}

TEST_P(RungeKuttaTest, ExactUpToItsOrderAndNotBeyond) {
  ASSERT_GT(c.missed, c.order);
  for (int degree = 1; degree <= c.missed; ++degree) {
    const double error = polynomial(degree).attempt(0.3).state->z(0) - std::pow(0.8, degree);
    EXPECT_NEAR(error, degree < c.missed ? 0 : c.defect * std::pow(0.3, degree), c.roundoff)
        << "degree " << degree;
  }
}

// Polynomials in t test quadrature only. Order conditions with nested right-hand sides: x' = x gives e^h up
// to degree p.
TEST_P(RungeKuttaTest, StabilityFunctionAgreesWithTheExponentialSeries) {
  double expected = 1, term = 1;
  for (int i = 1; i <= c.order; ++i) expected += term /= i;
  for (const double coefficient : c.series) expected += coefficient;
  EXPECT_NEAR(growth().attempt(1).state->z(0), expected, 4 * c.roundoff);
}

TEST_P(RungeKuttaTest, InterpolantIsExactToItsOrder) {
  for (int degree = 1; degree <= c.dense_order; ++degree) {
    auto s = polynomial(degree);
    s.accepted(0.3);
    for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0})
      EXPECT_NEAR(s.at(0.5 + 0.3 * theta), std::pow(0.5 + 0.3 * theta, degree), c.dense_roundoff)
          << "degree " << degree << " theta " << theta;
  }
}

// Value and slope from both sides of a step's end that was moved; on x' = x the slope is the value.
TEST_P(RungeKuttaTest, InterpolantIsSmoothWhereAStabilizerMovedTheState) {
  const double h = 0.2, d = 1e-6;
  auto s = growth();
  const double joint = s.accepted(h, 1e-2).z(0);
  EXPECT_NEAR(s.at(h), joint, 1e-15);
  EXPECT_NEAR((joint - s.at(h - d)) / d, joint, 1e-5);
  EXPECT_NEAR(s.at(0), 1, 1e-15);
  s.accepted(h, -1e-2);
  EXPECT_NEAR(s.at(h), joint, 1e-15);
  EXPECT_NEAR((s.at(h + d) - joint) / d, joint, 1e-5);
}

TEST_P(RungeKuttaTest, FurtherStagesAreEvaluatedOncePerStepAndOnlyWhenAsked) {
  auto s = growth();
  const auto cost_of = [&](auto work) {
    const long before = s.system->work().rhs;
    work();
    return s.system->work().rhs - before;
  };
  EXPECT_EQ(cost_of([&] { s.at(0); }), 0) << "before the first step";
  for (int step = 0; step < 3; ++step) {
    const double t = 0.1 * step;
    EXPECT_EQ(cost_of([&] { s.accepted(0.1); }), c.rhs_per_step);
    if (step == 1) continue;  // a step that nobody asks
    EXPECT_EQ(cost_of([&] { s.at(t + 0.03); }), c.rhs_for_dense);
    EXPECT_EQ(cost_of([&] { s.at(t + 0.07); }), 0);
    EXPECT_NEAR(s.at(t + 0.05), std::exp(t + 0.05), std::pow(0.1, c.dense_order));
  }
}

// A rejected attempt leaves stages of its own behind; the next step's interpolant must not see them.
TEST_P(RungeKuttaTest, RejectedAttemptsLeaveNoTrace) {
  auto plain = growth(), disturbed = growth();
  for (int step = 0; step < 2; ++step) {
    plain.accepted(0.1);
    disturbed.attempt(0.7);
    disturbed.accepted(0.1);
    EXPECT_EQ(plain.at(0.1 * step + 0.06), disturbed.at(0.1 * step + 0.06));
  }
}

TEST_P(RungeKuttaTest, ErrorEstimatesScale) {
  const auto expect_order = [&](const Vector* Step::*error, int p) {
    const auto of = [&](int degree, double h) {
      auto s = polynomial(degree);
      const Vector* e = s.attempt(h).*error;
      return e ? (*e)(0) : std::nan("");
    };
    if (p == 0) {
      EXPECT_TRUE(std::isnan(of(2, 0.1)));
      return;
    }
    EXPECT_LT(std::abs(of(p, 0.2)), 1e-15);  // the embedded method is exact here
    // The leading term h^(p+1) alone, on the polynomial of degree p + 1: halving gives exactly 2^(p+1).
    EXPECT_NEAR(of(p + 1, 0.8) / of(p + 1, 0.4), std::pow(2, p + 1), 1e-6);
  };
  expect_order(&Step::error, c.first_estimate);
  expect_order(&Step::second_error, c.second_estimate);
  if (c.error_order == 0) return;
  // Both together, as the controller sees them.
  const auto size = [&](double h) {
    auto s = growth();
    const Step step = s.attempt(h);
    EXPECT_EQ(step.error_order, c.error_order);
    return error_size(step, {}, s.state.z);
  };
  EXPECT_NEAR(std::log2(size(0.1) / size(0.05)), c.error_order + 1, 0.1);
}

// dopri5: sixth coefficient 1/600 of the stability function. dop853: moments and coefficients 9 to 12
// computed from the published table in 40 digits; its dense output has weights up to 528, hence its roundoff.
INSTANTIATE_TEST_SUITE_P(Methods, RungeKuttaTest,
                         testing::Values(MethodCase{"forward-euler", 1, 1, 2, -1., {}, 1},
                                         MethodCase{"explicit-midpoint", 2, 2, 3, -1. / 4, {}, 2},
                                         MethodCase{"heun", 2, 2, 3, 1. / 2, {}, 2},
                                         MethodCase{"kutta3", 3, 3, 5, 1. / 24, {}, 3},
                                         MethodCase{"rk4", 4, 3, 5, 1. / 24, {}, 4},
                                         MethodCase{"dopri5", 5, 4, 6, -1. / 900, {1. / 600}, 6, 0, 4, 4},
                                         MethodCase{"dop853",
                                                    8,
                                                    7,
                                                    9,
                                                    2.40761985267479773e-4,
                                                    {2.6916922001690856e-6, 2.3413451082097800e-7,
                                                     1.4947364854591546e-8, 3.6133245781282443e-10},
                                                    12,
                                                    3,
                                                    7,
                                                    5,
                                                    3,
                                                    5e-15,
                                                    2e-14}),
                         [](const auto& c) {
                           std::string name = c.param.name;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

// The right-hand side is no number for t in (0.09, 0.11): of a step of size 1 only the stage at 0.1, which
// the dense output of dop853 needs, lies there.
struct Hole {
  static constexpr int order = 1, nq = 1;
  void force(auto t, auto, auto f) const {
    using std::sqrt;
    f[0] = sqrt((t - 0.09) * (t - 0.11));
  }
};

TEST(DenseOutput, FailureOfAFurtherStageIsReturnedWithItsPlace) {
  Stepping<Hole> s("dop853", Hole{}, 0, 0);
  s.accepted(1);
  State between = s.state;
  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(s.integrator->interpolate(0.5, between), Status::not_finite);
    EXPECT_NEAR(between.t, 0.1, 1e-15);
  }
  s.accepted(1);
  EXPECT_EQ(s.integrator->interpolate(1.5, between), Status::ok) << "the next step is another matter";

  const auto problem = make_problem(Hole{});
  const Method method{.integrator = "dop853"};
  Options options{.t_end = 1, .step = 1, .output = {.kind = Output::Kind::at, .times = {0.5}}};
  const Solution run = solve(*problem, state_of(*problem, {0}), method, options);
  EXPECT_EQ(run.end, EndReason::not_finite);
  EXPECT_NE(run.end_message.find("at t = 0.1"), std::string::npos) << run.end_message;
  options.output.times = {1};
  EXPECT_TRUE(solve(*problem, state_of(*problem, {0}), method, options).complete());
}

}  // namespace
}  // namespace driftless::tests

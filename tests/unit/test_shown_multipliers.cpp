// Multipliers at output times: those of the state, and the step's own where a stiff bushing multiplies the
// interpolation error.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// The unit pendulum's tension: G a + c = 0 with M = I, f = (0, -1), G = q^T, c = v^2.
double tension(const State& s) {
  return (s.v().squaredNorm() - s.q()(1)) / s.q().squaredNorm();
}

double largest_error(const Solution& run) {
  double largest = 0;
  for (const State& s : run.states) largest = std::max(largest, std::abs(s.lambda(0) - tension(s)));
  return largest;
}

// Those of the stages are off by 1e-5 between steps, those of the first steps of bdf, of order 1, by as much.
TEST(ShownMultipliers, OfImplicitMethodsBelongToTheState) {
  const auto instance = catalog::make_problem("pendulum");
  Options options{.t_end = 1, .rtol = 1e-8, .atol = 1e-8};
  for (const char* formulation : {"index2", "ggl", "index3", "index2-baumgarte", "overdetermined-index2"})
    for (const char* integrator : {"radau5", "bdf"}) {
      if (formulation == std::string("overdetermined-index2") && integrator == std::string("radau5"))
        continue;
      for (const auto kind : {Output::Kind::steps, Output::Kind::every}) {
        options.output = {.kind = kind, .interval = 0.01};
        const Method method{.formulation = formulation, .integrator = integrator};
        const Solution s = solve(*instance.problem, instance.start, method, options);
        ASSERT_TRUE(s.complete()) << s.end_message;
        EXPECT_LT(largest_error(s), 1e-13) << formulation << " " << integrator;
      }
    }
}

// An option that asks for the stages' own multipliers gets them, between steps as well.
TEST(ShownMultipliers, AreTheStepsOwnWhereAskedFor) {
  const auto instance = catalog::make_problem("pendulum");
  Options options{.t_end = 1, .rtol = 1e-6, .atol = 1e-6};
  options.output = {.kind = Output::Kind::every, .interval = 0.01};
  const Solution s = solve(*instance.problem, instance.start,
                           {.formulation = "ggl", .integrator = "radau5:lambda=own"}, options);
  EXPECT_GT(largest_error(s), 1e-7);
  EXPECT_LT(largest_error(s), 1e-2);
}

// The work of the method does not depend on what is shown.
TEST(ShownMultipliers, AreNoWorkOfTheMethod) {
  const auto instance = catalog::make_problem("pendulum");
  Options options{.t_end = 1, .rtol = 1e-6, .atol = 1e-6};
  const Method method{.formulation = "ggl", .integrator = "bdf"};
  options.output = {.kind = Output::Kind::at, .times = {1}};
  const Solution end = solve(*instance.problem, instance.start, method, options);
  options.output = {};
  const Solution steps = solve(*instance.problem, instance.start, method, options);
  EXPECT_EQ(steps.final.z, end.final.z);
  EXPECT_EQ(steps.work.steps, end.work.steps);
  EXPECT_EQ(steps.work.rhs, end.work.rhs);
}

constexpr double gravity = 9.81;

// Two point masses that hang one from the other: on two bars, or the lower one on a bushing.
struct TwoBars {
  static constexpr int nq = 4, ng = 2;
  void force(auto, auto, auto, auto f) const { f[1] = f[3] = -gravity; }
  void constraint(auto, auto q, auto g) const {
    const auto x = q[2] - q[0], y = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0;
    g[1] = (x * x + y * y - 1.0) / 2.0;
  }
};
struct BarAndBushing {
  static constexpr int nq = 4, ng = 1;
  double k = 2e9, c = 1e5;
  void force(auto, auto q, auto v, auto f) const {
    using autodiff::sqrt;
    using std::sqrt;
    const auto x = q[2] - q[0], y = q[3] - q[1], l = sqrt(x * x + y * y);
    const auto rate = (x * (v[2] - v[0]) + y * (v[3] - v[1])) / l;
    const auto pull = (k * (l - 1.0) + c * rate) / l;
    f[0] = pull * x;
    f[1] = pull * y - gravity;
    f[2] = -pull * x;
    f[3] = -pull * y - gravity;
  }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
};

// With 2e9 N/m the upper bar's force is that of rigid bars to 1e-5. An interpolation error of 1e-6 is 2000
// N in f.
TEST(ShownMultipliers, OfStiffBushingsAreOfTheSizeOfTheMotion) {
  const auto rigid = make_problem(TwoBars{});
  const State start = consistent_state(*rigid, make_state(*rigid, {{1, 0, 1.6, -0.8}, {0, 0, 0, 0}})).state;
  Options options{.t_end = 1, .rtol = 1e-10, .atol = 1e-10};
  options.output = {.kind = Output::Kind::every, .interval = 1.0 / 73};
  const Solution exact = solve(*rigid, start, {}, options);

  const BarAndBushing model;
  const auto problem = make_problem(model);
  State stretched = make_state(*problem, {{0, 0, 0, 0}, {0, 0, 0, 0}});
  stretched.z = start.z;
  stretched.q().tail(2) += (start.lambda(1) / model.k) * (start.q().tail(2) - start.q().head(2));
  const struct {
    const char *formulation, *integrator;
    double tolerance, limit,
        evaluated;  // what is shown is right to the limit; what is evaluated is at least so wrong
  } cases[] = {{"ggl", "radau5", 1e-4, 1, 1000},
               {"index2", "radau5", 1e-6, 0.1, 10},
               {"index3", "radau5", 1e-6, 1, 100},
               {"ggl", "generalized-alpha", 1e-4, 10, 1000}};
  for (const auto& c : cases) {
    options.rtol = options.atol = c.tolerance;
    const Solution s =
        solve(*problem, stretched, {.formulation = c.formulation, .integrator = c.integrator}, options);
    ASSERT_TRUE(s.complete()) << s.end_message;
    ASSERT_EQ(s.states.size(), exact.states.size());
    double shown = 0, evaluated = 0;
    Workspace workspace;
    Vector a(4), lambda(1);
    for (std::size_t i = 0; i < s.states.size(); ++i) {
      const State& at = s.states[i];
      ASSERT_EQ(problem->acceleration(at.t, at.z, Vector::Zero(1), a, lambda, workspace), Status::ok);
      shown = std::max(shown, std::abs(at.lambda(0) - exact.states[i].lambda(0)));
      evaluated = std::max(evaluated, std::abs(lambda(0) - exact.states[i].lambda(0)));
    }
    EXPECT_LT(shown, c.limit) << c.formulation << " " << c.integrator;
    EXPECT_GT(evaluated, c.evaluated) << c.formulation << " " << c.integrator;
  }
}

}  // namespace
}  // namespace driftless::tests

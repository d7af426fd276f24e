// Measured orders of q, v and lambda, separately, against theory, two-sided: an order that is too good is
// also a surprise.
//   forward-euler and backward-euler 1, explicit-midpoint, heun and implicit-midpoint 2, kutta3 3, rk4 4, dopri5 5, dop853 8, ab2 to ab5
//   2 to 5, for all three (lambda is evaluated at the accepted, stabilized state)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

struct Errors {
  double q, v, lambda;
};

// Steps n and 2n over [0, t_end]: small enough for the leading error term, large enough to stay away from
// roundoff. (The leading terms of dopri5 and dop853 are small on the pendulum's default motion, so that the
// next ones show for long: hence the swing from (0.6, -0.8), where dop853 has order 8 with 32 to 64 steps and
// dopri5 order 5 with 128 to 512, and faster pendulums.)
struct OrderCase {
  std::string problem;
  double t_end;
  std::string formulation;
  std::string integrator;
  int order;
  int steps;
  std::vector<std::pair<std::string, std::string>> set = {};
};
std::ostream& operator<<(std::ostream& out, const OrderCase& c) {
  return out << c.problem << " " << c.formulation << " " << c.integrator;
}

class Orders : public testing::TestWithParam<std::tuple<OrderCase, std::string>> {
 protected:
  const OrderCase& c = std::get<0>(GetParam());
  ProblemInstance instance = catalog::make_problem(c.problem, c.set);
  std::vector<State> exact;

  // Eight times that are steps of every run, so that nothing is interpolated; errors are the largest of them.
  Options sampled() const {
    return {.t_end = c.t_end, .output = {.kind = Output::Kind::every, .interval = c.t_end / 8}};
  }

  // Exact for the pendulum; for the others a far more accurate run of dopri5, whose order the pendulum's
  // cases verify.
  void SetUp() override {
    Options options = sampled();
    options.rtol = options.atol = 1e-13;
    exact = solve(*instance.problem, instance.start, {}, options).states;
    for (State& state : exact)
      if (c.problem == "pendulum") state = *instance.reference.at(state.t);
  }

  Errors errors(int steps) const {
    const std::string& stabilizer = std::get<1>(GetParam());
    Options options = sampled();
    options.step = c.t_end / steps;
    const Solution s =
        solve(*instance.problem, instance.start,
              {.formulation = c.formulation, .integrator = c.integrator, .stabilizer = stabilizer}, options);
    EXPECT_TRUE(s.complete()) << s.end_message;
    Errors largest{0, 0, 0};
    for (std::size_t i = 1; i < s.states.size(); ++i) {
      largest.q = std::max(largest.q, (s.states[i].q() - exact[i].q()).norm());
      largest.v = std::max(largest.v, (s.states[i].v() - exact[i].v()).norm());
      largest.lambda = std::max(largest.lambda, (s.states[i].lambda - exact[i].lambda).norm());
    }
    return largest;
  }
};

TEST_P(Orders, OfQVAndLambda) {
  const Errors coarse = errors(c.steps), fine = errors(2 * c.steps);
  const auto order = [](double a, double b) { return std::log2(a / b); };
  EXPECT_NEAR(order(coarse.q, fine.q), c.order, 0.2) << coarse.q << " " << fine.q;
  EXPECT_NEAR(order(coarse.v, fine.v), c.order, 0.2) << coarse.v << " " << fine.v;
  EXPECT_NEAR(order(coarse.lambda, fine.lambda), c.order, 0.2) << coarse.lambda << " " << fine.lambda;
}

std::string case_name(const testing::TestParamInfo<Orders::ParamType>& p) {
  const OrderCase& c = std::get<0>(p.param);
  std::string name = c.problem + "_" + c.formulation + "_" + c.integrator + "_" + std::get<1>(p.param);
  for (char& letter : name)
    if (!std::isalnum(letter)) letter = '_';
  return name;
}

const char* const index1 = "index1";
const char* const baumgarte = "baumgarte:gamma=2";
const std::vector<std::pair<std::string, std::string>> swing = {
    {"x", "0.6"}, {"y", "-0.8"}, {"vx", "0.8"}, {"vy", "0.6"}};

INSTANTIATE_TEST_SUITE_P(
    All, Orders,
    testing::Combine(testing::Values(OrderCase{"pendulum", 4, index1, "forward-euler", 1, 2048},
                                     OrderCase{"pendulum", 4, index1, "backward-euler", 1, 1024},
                                     OrderCase{"pendulum", 4, index1, "implicit-midpoint", 2, 256},
                                     OrderCase{"pendulum", 4, index1, "explicit-midpoint", 2, 256},
                                     OrderCase{"pendulum", 4, index1, "heun", 2, 256},
                                     OrderCase{"pendulum", 4, index1, "kutta3", 3, 256},
                                     OrderCase{"pendulum", 4, index1, "rk4", 4, 256},
                                     OrderCase{"pendulum", 8, index1, "dopri5", 5, 256, swing},
                                     OrderCase{"pendulum", 8, index1, "dop853", 8, 40, swing},
                                     OrderCase{"pendulum", 4, baumgarte, "forward-euler", 1, 2048},
                                     OrderCase{"pendulum", 4, baumgarte, "backward-euler", 1, 1024},
                                     OrderCase{"pendulum", 4, baumgarte, "implicit-midpoint", 2, 256},
                                     OrderCase{"pendulum", 4, baumgarte, "explicit-midpoint", 2, 256},
                                     OrderCase{"pendulum", 4, baumgarte, "heun", 2, 256},
                                     OrderCase{"pendulum", 4, baumgarte, "kutta3", 3, 256},
                                     OrderCase{"pendulum", 4, baumgarte, "rk4", 4, 256},
                                     OrderCase{"pendulum", 4, baumgarte, "dopri5", 5, 1024, {{"vy", "3"}}},
                                     OrderCase{"pendulum", 4, baumgarte, "dop853", 8, 32, {{"vy", "3"}}},
                                     OrderCase{"001-slider-crank", 4, index1, "forward-euler", 1, 2048},
                                     OrderCase{"001-slider-crank", 4, index1, "backward-euler", 1, 2048},
                                     OrderCase{"001-slider-crank", 4, index1, "implicit-midpoint", 2, 256},
                                     OrderCase{"001-slider-crank", 4, index1, "rk4", 4, 64},
                                     OrderCase{"andrews", 0.01, index1, "forward-euler", 1, 8192},
                                     OrderCase{"andrews", 0.01, index1, "backward-euler", 1, 8192},
                                     OrderCase{"andrews", 0.01, index1, "implicit-midpoint", 2, 1024},
                                     OrderCase{"andrews", 0.01, index1, "rk4", 4, 512}),
                     testing::Values("none", "post", "post:F=full", "post:F=split", "projection")),
    case_name);
INSTANTIATE_TEST_SUITE_P(
    AdamsBashforth, Orders,
    testing::Combine(testing::Values(OrderCase{"pendulum", 4, index1, "ab2", 2, 512},
                                     OrderCase{"pendulum", 4, index1, "ab3", 3, 512},
                                     OrderCase{"pendulum", 4, index1, "ab4", 4, 512},
                                     OrderCase{"pendulum", 4, index1, "ab5", 5, 512},
                                     OrderCase{"pendulum", 4, baumgarte, "ab2", 2, 512},
                                     OrderCase{"pendulum", 4, baumgarte, "ab3", 3, 512},
                                     OrderCase{"pendulum", 4, baumgarte, "ab4", 4, 512},
                                     OrderCase{"pendulum", 4, baumgarte, "ab5", 5, 512},
                                     OrderCase{"001-slider-crank", 4, index1, "ab3", 3, 512},
                                     OrderCase{"andrews", 0.01, index1, "ab4", 4, 2048}),
                     testing::Values("none", "post", "post:F=full", "post:F=split", "projection")),
    case_name);
INSTANTIATE_TEST_SUITE_P(
    Stabilized, Orders,
    testing::Combine(testing::Values(OrderCase{"andrews", 0.03, index1, "dopri5", 5, 512}),
                     testing::Values("post", "post:F=full", "post:F=split", "projection")),
    case_name);

// ---- dense output ----

struct DenseCase {
  std::string integrator;
  int order;
  double t_end, step;
};
std::ostream& operator<<(std::ostream& out, const DenseCase& c) {
  return out << c.integrator;
}

class DenseOrders : public testing::TestWithParam<std::tuple<DenseCase, std::string>> {};

// Error of the interpolant in the middle of steps: as good as the method at the steps themselves (Hermite's
// cubic has error h^4, a local polynomial of order 4 has h^5, and one of order 7 has h^8).
TEST_P(DenseOrders, InTheMiddleOfSteps) {
  const auto& [c, stabilizer] = GetParam();
  const ProblemInstance instance = catalog::make_problem("pendulum");
  const auto error = [&](double step) {
    Options options{.t_end = c.t_end, .step = step, .output = {.kind = Output::Kind::at}};
    for (double t = step / 2; t < c.t_end; t += step) options.output.times.push_back(t);
    const Solution s = solve(*instance.problem, instance.start,
                             {.integrator = c.integrator, .stabilizer = stabilizer}, options);
    double largest = 0;
    for (const State& state : s.states)
      largest = std::max(largest, (state.z - instance.reference.at(state.t)->z).norm());
    return largest;
  };
  EXPECT_NEAR(std::log2(error(c.step) / error(c.step / 2)), c.order, 0.2) << error(c.step);
}

INSTANTIATE_TEST_SUITE_P(
    All, DenseOrders,
    testing::Combine(testing::Values(DenseCase{"forward-euler", 1, 1, 1. / 512},
                                     DenseCase{"backward-euler", 1, 1, 1. / 512},
                                     DenseCase{"explicit-midpoint", 2, 1, 1. / 128},
                                     DenseCase{"heun", 2, 1, 1. / 128},
                                     DenseCase{"implicit-midpoint", 2, 1, 1. / 32},
                                     DenseCase{"kutta3", 3, 1, 1. / 128}, DenseCase{"rk4", 4, 1, 1. / 32},
                                     DenseCase{"dopri5", 5, 1, 1. / 32}, DenseCase{"dop853", 8, 4, 1. / 4},
                                     DenseCase{"ab2", 2, 1, 1. / 128}, DenseCase{"ab3", 3, 1, 1. / 128},
                                     DenseCase{"ab4", 4, 1, 1. / 128}, DenseCase{"ab5", 5, 1, 1. / 128}),
                     testing::Values("none", "post")),
    [](const auto& p) {
      std::string name = std::get<0>(p.param).integrator + "_" + std::get<1>(p.param);
      for (char& letter : name)
        if (letter == '-') letter = '_';
      return name;
    });

// ---- drift ----

// Largest position and velocity drift of forward Euler (p = 1) on the slider-crank.
Drift euler_drift(const std::string& stabilizer, double step) {
  const ProblemInstance instance = catalog::make_problem("001-slider-crank");
  return *solve(*instance.problem, instance.start, {.integrator = "forward-euler", .stabilizer = stabilizer},
                {.t_end = 2, .step = step})
              .drift;
}

// Ascher, Chin, Reich (1992), Theorem 3.3 promises p + 1; with alpha = 1 and F = full or block one Newton
// step gives 2p + 2. The split F leaves the velocity at p + 1: moving q by G+ g changes G v by L dq.
// Positions alone: velocity drift stays at p.
TEST(DriftOrders, OfPostStabilization) {
  struct Expected {
    const char* stabilizer;
    double position, velocity;
  };
  for (const auto& e : {Expected{"none", 1, 1},
                        {"post:F=full", 4, 4},
                        {"post:F=block", 4, 4},
                        {"post:F=split", 4, 2},
                        {"post:F=block,alpha=0.5", 2, 2}}) {
    const Drift coarse = euler_drift(e.stabilizer, 0.0125), fine = euler_drift(e.stabilizer, 0.00625);
    EXPECT_NEAR(std::log2(coarse.position / fine.position), e.position, 0.2) << e.stabilizer;
    EXPECT_NEAR(std::log2(coarse.velocity / fine.velocity), e.velocity, 0.2) << e.stabilizer;
  }
  EXPECT_LT(euler_drift("projection", 0.0125).position, 1e-14);
  EXPECT_LT(euler_drift("projection", 0.0125).velocity, 1e-14);
}

// Tolerance proportionality: the error falls with the tolerance on all three problems, from a tolerance on
// that leaves no room for luck (Andrews' mechanism takes dop853 30 steps at 1e-4).
class Tolerances : public testing::TestWithParam<std::pair<std::string, double>> {};

TEST_P(Tolerances, AreHonoured) {
  const auto& [integrator, loosest] = GetParam();
  for (const char* name : {"pendulum", "001-slider-crank", "andrews"}) {
    const ProblemInstance instance = catalog::make_problem(name);
    const State exact = *instance.reference.at(instance.t_end);
    double last = 1e300;
    for (const double tolerance : {loosest, loosest / 100, loosest / 10000}) {
      const Solution s = solve(*instance.problem, instance.start, {.integrator = integrator},
                               {.t_end = instance.t_end, .rtol = tolerance, .atol = tolerance});
      const double error = (s.final.q() - exact.q()).cwiseAbs().maxCoeff();
      EXPECT_LT(error, 100 * tolerance) << name;
      EXPECT_LT(error, last / 10) << name;
      last = error;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Adaptive, Tolerances,
                         testing::Values(std::pair{"dopri5", 1e-4}, std::pair{"dop853", 1e-6}),
                         [](const auto& p) { return p.param.first; });

}  // namespace
}  // namespace driftless::tests

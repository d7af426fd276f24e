// Measured orders of q, v and lambda with every formulation and stabilizer, separately, against theory,
// two-sided: an order that is too good is also a surprise. Theory: the integrator's order for all three
// (lambda is evaluated at the accepted, stabilized state). Then dense output, drift and tolerances. The table
// of all integrators on problems of all shapes stands in order_table.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convergence/measured_orders.hpp"

namespace driftless::tests {
namespace {

// Steps n and 2n over [0, t_end]. (The leading terms of dopri5 and dop853 are small on the pendulum's default
// motion, so that the next ones show for long: hence the swing from (0.6, -0.8), where dop853 has order 8
// with 32 to 64 steps and dopri5 order 5 with 128 to 512, and faster pendulums.)
struct Case {
  std::string problem;
  double t_end;
  std::string formulation;
  std::string integrator;
  int order;
  int steps;
  std::vector<std::pair<std::string, std::string>> set = {};
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.problem << " " << c.formulation << " " << c.integrator;
}

class Orders : public testing::TestWithParam<std::tuple<Case, std::string>> {};

TEST_P(Orders, OfQVAndLambda) {
  const auto& [c, stabilizer] = GetParam();
  const MeasuredOrders measured = measure_orders(
      {.problem = c.problem,
       .set = c.set,
       .span = c.t_end,
       .method = {.formulation = c.formulation, .integrator = c.integrator, .stabilizer = stabilizer},
       .steps = c.steps});
  EXPECT_NEAR(measured.q(), c.order, 0.2) << measured.coarse.q << " " << measured.fine.q;
  EXPECT_NEAR(measured.v(), c.order, 0.2) << measured.coarse.v << " " << measured.fine.v;
  EXPECT_NEAR(measured.multipliers(), c.order, 0.2)
      << measured.coarse.multipliers << " " << measured.fine.multipliers;
}

std::string case_name(const testing::TestParamInfo<Orders::ParamType>& p) {
  const Case& c = std::get<0>(p.param);
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
    testing::Combine(testing::Values(Case{"pendulum", 4, index1, "forward-euler", 1, 2048},
                                     Case{"pendulum", 4, index1, "backward-euler", 1, 1024},
                                     Case{"pendulum", 4, index1, "implicit-midpoint", 2, 256},
                                     Case{"pendulum", 4, index1, "explicit-midpoint", 2, 256},
                                     Case{"pendulum", 4, index1, "heun", 2, 256},
                                     Case{"pendulum", 4, index1, "kutta3", 3, 256},
                                     Case{"pendulum", 4, index1, "rk4", 4, 256},
                                     Case{"pendulum", 8, index1, "dopri5", 5, 256, swing},
                                     Case{"pendulum", 8, index1, "dop853", 8, 40, swing},
                                     Case{"pendulum", 4, baumgarte, "forward-euler", 1, 2048},
                                     Case{"pendulum", 4, baumgarte, "backward-euler", 1, 1024},
                                     Case{"pendulum", 4, baumgarte, "implicit-midpoint", 2, 256},
                                     Case{"pendulum", 4, baumgarte, "explicit-midpoint", 2, 256},
                                     Case{"pendulum", 4, baumgarte, "heun", 2, 256},
                                     Case{"pendulum", 4, baumgarte, "kutta3", 3, 256},
                                     Case{"pendulum", 4, baumgarte, "rk4", 4, 256},
                                     Case{"pendulum", 4, baumgarte, "dopri5", 5, 1024, {{"vy", "3"}}},
                                     Case{"pendulum", 4, baumgarte, "dop853", 8, 32, {{"vy", "3"}}},
                                     Case{"001-slider-crank", 4, index1, "forward-euler", 1, 2048},
                                     Case{"001-slider-crank", 4, index1, "backward-euler", 1, 2048},
                                     Case{"001-slider-crank", 4, index1, "implicit-midpoint", 2, 256},
                                     Case{"001-slider-crank", 4, index1, "rk4", 4, 64},
                                     Case{"andrews", 0.01, index1, "forward-euler", 1, 8192},
                                     Case{"andrews", 0.01, index1, "backward-euler", 1, 8192},
                                     Case{"andrews", 0.01, index1, "implicit-midpoint", 2, 1024},
                                     Case{"andrews", 0.01, index1, "rk4", 4, 512}),
                     testing::Values("none", "post", "post:F=full", "post:F=split", "projection")),
    case_name);
INSTANTIATE_TEST_SUITE_P(AdamsBashforth, Orders,
                         testing::Combine(testing::Values(Case{"pendulum", 4, index1, "ab2", 2, 512},
                                                          Case{"pendulum", 4, index1, "ab3", 3, 512},
                                                          Case{"pendulum", 4, index1, "ab4", 4, 512},
                                                          Case{"pendulum", 4, index1, "ab5", 5, 512},
                                                          Case{"pendulum", 4, baumgarte, "ab2", 2, 512},
                                                          Case{"pendulum", 4, baumgarte, "ab3", 3, 512},
                                                          Case{"pendulum", 4, baumgarte, "ab4", 4, 512},
                                                          Case{"pendulum", 4, baumgarte, "ab5", 5, 512},
                                                          Case{"001-slider-crank", 4, index1, "ab3", 3, 512},
                                                          Case{"andrews", 0.01, index1, "ab4", 4, 2048}),
                                          testing::Values("none", "post", "post:F=full", "post:F=split",
                                                          "projection")),
                         case_name);
// Gains that grow as the step shrinks cost no order, in the multipliers either. (Of dop853 the terms of order 8 and 9 are alike here until
// roundoff hides both.)
const char* const automatic = "baumgarte:gain=auto";
INSTANTIATE_TEST_SUITE_P(
    AutomaticGains, Orders,
    testing::Combine(testing::Values(Case{"pendulum", 4, automatic, "forward-euler", 1, 2048},
                                     Case{"pendulum", 4, automatic, "backward-euler", 1, 2048},
                                     Case{"pendulum", 4, automatic, "implicit-midpoint", 2, 256},
                                     Case{"pendulum", 4, automatic, "explicit-midpoint", 2, 256},
                                     Case{"pendulum", 4, automatic, "heun", 2, 256},
                                     Case{"pendulum", 4, automatic, "kutta3", 3, 256},
                                     Case{"pendulum", 4, automatic, "rk4", 4, 256},
                                     Case{"pendulum", 8, automatic, "dopri5", 5, 256, swing},
                                     Case{"pendulum", 4, automatic, "ab2", 2, 512},
                                     Case{"pendulum", 4, automatic, "ab3", 3, 512},
                                     Case{"pendulum", 4, automatic, "ab4", 4, 512},
                                     Case{"pendulum", 4, automatic, "ab5", 5, 512},
                                     Case{"001-slider-crank", 4, automatic, "rk4", 4, 256},
                                     Case{"andrews", 0.01, automatic, "rk4", 4, 512}),
                     testing::Values("none")),
    case_name);
INSTANTIATE_TEST_SUITE_P(Stabilized, Orders,
                         testing::Combine(testing::Values(Case{"andrews", 0.03, index1, "dopri5", 5, 512}),
                                          testing::Values("post", "post:F=full", "post:F=split",
                                                          "projection")),
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

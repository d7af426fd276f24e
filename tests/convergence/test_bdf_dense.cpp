// Dense output of bdf. In a step of order k it is the polynomial of degree k through the last k + 1 values, so that it meets the values at
// both ends, and beside their errors has its own,
//   -y^(k+1)/(k+1)! (t - t_n) (t - t_{n-1}) .. (t - t_{n-k}),    of order k + 1.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

const std::vector<std::pair<std::string, std::string>> motion = {
    {"x", "0.6"}, {"y", "-0.8"}, {"vx", "0.8"}, {"vy", "0.6"}};

Method of_order(int order) {
  return {.formulation = "ggl",
          .integrator = fmt::format("bdf:order={},tolerance=1e-15,iterations=20", order),
          .stabilizer = "none"};
}

std::vector<State> states_at(const ProblemInstance& instance, const Method& method, Options options,
                             const std::vector<double>& times) {
  options.output = {.kind = Output::Kind::at, .times = times};
  Solution solution = solve(*instance.problem, instance.start, method, options);
  EXPECT_TRUE(solution.complete()) << solution.end_message;
  EXPECT_EQ(solution.states.size(), times.size());
  return std::move(solution.states);
}

// The largest difference between the errors inside of steps and the chord between the errors of their ends. Errors of the values are
// h^k e(t), so that e'' adds h^(k+2) only.
double own_error(int order, int steps) {
  const ProblemInstance instance = catalog::make_problem("pendulum", motion);
  const double h = 2.0 / steps;
  std::vector<double> times;
  for (int n = steps / 4; n < steps; ++n)  // after the start
    for (const double theta : {0.0, 0.25, 0.5, 0.75}) times.push_back((n + theta) * h);
  times.push_back(2);
  const auto states = states_at(instance, of_order(order), {.t_end = 2, .step = h}, times);
  const auto error = [&](std::size_t i) -> Vector {
    return states[i].z - instance.reference.at(states[i].t)->z;
  };
  double largest = 0;
  for (std::size_t i = 0; i + 4 < states.size(); i += 4)
    for (const std::size_t j : {1u, 2u, 3u}) {
      const double theta = static_cast<double>(j) / 4;
      const Vector own = error(i + j) - (1 - theta) * error(i) - theta * error(i + 4);
      largest = std::max(largest, own.cwiseAbs().maxCoeff());
    }
  return largest;
}

class BdfDenseOutput : public testing::TestWithParam<int> {};

TEST_P(BdfDenseOutput, HasOneOrderMore) {
  const int k = GetParam(), steps = k < 4 ? 128 : 64;
  const double coarse = own_error(k, steps), fine = own_error(k, 2 * steps);
  EXPECT_NEAR(std::log2(coarse / fine), k + 1, 0.25) << coarse << " " << fine;
}

// Just before and just after every step, those made of pieces among them: a jump would be as large as the errors above.
TEST_P(BdfDenseOutput, IsContinuous) {
  const ProblemInstance instance = catalog::make_problem("pendulum", motion);
  const double h = 1. / 16, little = 1e-11;
  std::vector<double> times;
  for (int n = 1; n < 32; ++n)
    for (const double t : {n * h - little, n * h, n * h + little}) times.push_back(t);
  const auto states = states_at(instance, of_order(GetParam()), {.t_end = 2, .step = h}, times);
  for (std::size_t i = 0; i < states.size(); i += 3) {
    EXPECT_LT((states[i].z - states[i + 1].z).norm(), 1e-10) << states[i].t;
    EXPECT_LT((states[i + 2].z - states[i + 1].z).norm(), 1e-10) << states[i].t;
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, BdfDenseOutput, testing::Range(1, 6),
                         [](const auto& p) { return "order_" + std::to_string(p.param); });

// The same where steps and orders change.
TEST(BdfDenseOutputWithErrorControl, IsContinuous) {
  const ProblemInstance instance = catalog::make_problem("pendulum", motion);
  const Method method{.formulation = "ggl", .integrator = "bdf"};
  Options options{.t_end = 4, .rtol = 1e-4, .atol = 1e-4};
  options.output.kind = Output::Kind::steps;
  const Solution run = solve(*instance.problem, instance.start, method, options);
  ASSERT_GT(run.states.size(), 30u);
  std::vector<double> times;
  const double little = 1e-11;
  for (std::size_t i = 1; i + 1 < run.states.size(); ++i)
    if (run.states[i].t > 1e-6 && run.states[i].t < 4 - 1e-6)
      for (const double t : {run.states[i].t - little, run.states[i].t + little}) times.push_back(t);
  const auto states = states_at(instance, method, options, times);
  for (std::size_t i = 0; i < states.size(); i += 2)
    EXPECT_LT((states[i + 1].z - states[i].z).norm(), 2e-10) << states[i].t;
}

}  // namespace
}  // namespace driftless::tests

// Problems with redundant constraints and singular configurations, without running them: what they give as their solution meets the
// constraints and satisfies the equations, with the smallest multipliers where these are not determined.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/dense_oracle.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using Set = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string problem;
  Set set = {};
  double span = 10;  // of the times looked at
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  out << c.problem;
  for (const auto& [name, value] : c.set) out << " " << name << "=" << value;
  return out;
}

std::vector<Case> cases() {
  return {
      {.problem = "003-example51", .span = 0.9},
      {.problem = "003-example51", .set = {{"t0", "0.2"}}, .span = 0.7},
      {.problem = "003-slider-crank"},
      {.problem = "003-slider-crank", .set = {{"theta0", "1.5"}}, .span = 100},
      {.problem = "003-slider-crank", .set = {{"theta0", "-2.5"}, {"gravity", "3"}}},
      {.problem = "003-rank-deficient", .span = 3},
      {.problem = "003-rank-deficient", .set = {{"rho", "1"}}, .span = 3},
      {.problem = "003-rank-deficient", .set = {{"rho", "1"}, {"input", "trust"}}, .span = 3},
      {.problem = "003-rank-deficient", .set = {{"rho", "-0.7"}, {"input", "trust"}}, .span = 3},
      {.problem = "003-singular-mass", .span = 3},
      {.problem = "n-four-bar", .set = {{"N", "1"}}},
      {.problem = "n-four-bar"},
      {.problem = "n-four-bar", .set = {{"N", "5"}, {"speed", "-2"}}},
      {.problem = "n-four-bar", .set = {{"N", "3"}, {"gravity", "-4"}}},
      {.problem = "n-four-bar", .set = {{"N", "4"}, {"gravity", "0"}}},
      {.problem = "n-four-bar", .set = {{"N", "40"}}},
      {.problem = "parallelogram"},
      {.problem = "parallelogram", .set = {{"bar", "none"}}},
      {.problem = "parallelogram",
       .set = {{"at", "0.2"}, {"length", "1.3"}, {"span", "0.7"}, {"mc", "3"}, {"phi", "-0.4"}, {"w", "2"}}},
      {.problem = "parallelogram", .set = {{"at", "1.4"}, {"m", "2"}, {"w", "20"}}},
      {.problem = "redundant-pendulum"},
      {.problem = "redundant-pendulum", .set = {{"scale", "-3"}, {"m", "2"}, {"length", "1.5"}, {"w", "8"}}},
      {.problem = "equal-link-slider-crank"},
      {.problem = "equal-link-slider-crank",
       .set = {{"w", "-3"}, {"angle", "1"}, {"length", "0.7"}, {"m1", "2"}, {"m2", "0.5"}, {"m3", "3"}}},
      {.problem = "equal-link-slider-crank", .set = {{"gravity", "0"}, {"w", "1"}}},
      {.problem = "lock-up-slider-crank", .span = 0.45},
      {.problem = "lock-up-slider-crank",
       .set = {{"r", "2"}, {"l", "1.9"}, {"omega", "3"}, {"m1", "2"}, {"m2", "0.5"}, {"m3", "3"}},
       .span = 0.35},
      {.problem = "impasse", .span = 0.6},
      {.problem = "impasse", .set = {{"x0", "0.1"}}, .span = 2.1},
  };
}

class Singular : public testing::TestWithParam<Case> {
 protected:
  const Case& c = GetParam();
  const ProblemInstance instance = catalog::make_problem(c.problem, c.set);
  const Shape& shape = instance.problem->shape();
  State at(double t) const { return *instance.reference.at(t); }

  // The derivative of a level of the solution by central differences of order 8.
  Vector slope(double t, int level) const {
    constexpr std::array<double, 4> weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const double h = 1e-3;
    Vector sum = Vector::Zero(shape.nv);
    for (int i = 0; i < 4; ++i)
      sum += weights[static_cast<std::size_t>(i)] *
             (at(t + (i + 1) * h).level(level) - at(t - (i + 1) * h).level(level));
    return sum / h;
  }
  std::vector<double> times() const {
    std::vector<double> list;
    for (const double part : {0.03, 0.2, 0.45, 0.62, 0.8, 0.97})
      list.push_back(instance.start.t + part * c.span);
    return list;
  }
};

double scaled(const Vector& difference, const Vector& terms) {
  return difference.lpNorm<Eigen::Infinity>() / (1 + terms.lpNorm<Eigen::Infinity>());
}

TEST_P(Singular, SolutionSatisfiesTheEquations) {
  for (const double t : times()) {
    const State state = at(t);
    ASSERT_EQ(state.t, t);
    ASSERT_EQ(state.layout, shape.layout());
    if (shape.order == 2) {
      EXPECT_LT(scaled(slope(t, 0) - state.v(), state.v()), 1e-10) << t;
    }
    Evaluation e;
    instance.problem->evaluate(Part::mass | Part::force | Part::input, Point(t, state.z), e);
    const Vector push = e.B * state.lambda;
    EXPECT_LT(scaled(e.M * slope(t, shape.order - 1) - e.f + push, e.f.cwiseAbs() + push.cwiseAbs()), 1e-9)
        << t;
  }
}

TEST_P(Singular, SolutionMeetsTheConstraints) {
  for (const double t : times()) {
    const State state = at(t);
    Evaluation e;
    instance.problem->evaluate(Part::position | Part::jacobian | Part::rates, Point(t, state.z), e);
    EXPECT_LT(e.g.lpNorm<Eigen::Infinity>(), 1e-13 * (1 + state.z.lpNorm<Eigen::Infinity>())) << t;
    if (shape.order == 2) {
      EXPECT_LT(e.rates.lpNorm<Eigen::Infinity>(), 1e-12 * (1 + state.z.lpNorm<Eigen::Infinity>())) << t;
    }
  }
}

TEST_P(Singular, StartIsTheSolution) {
  const State exact = at(instance.start.t);
  EXPECT_LT(scaled(instance.start.z - exact.z, exact.z), 1e-14);
  EXPECT_FALSE(instance.start_as_given);
}

// lambda lies in the range of B^T, where that is smaller than all multipliers.
TEST_P(Singular, MultipliersAreTheSmallest) {
  for (const double t : times()) {
    const State state = at(t);
    Evaluation e;
    instance.problem->evaluate(Part::input, Point(t, state.z), e);
    const Matrix V = row_space(e.B, 1e-9);
    EXPECT_LT(scaled(state.lambda - V * (V.transpose() * state.lambda), state.lambda), 1e-12) << t;
  }
}

TEST_P(Singular, EnergyStaysOrComesFromTheConstraints) {
  if (!shape.has_energy || shape.moving) return;
  const auto energy = [&](double t) {
    const State state = at(t);
    Evaluation e;
    instance.problem->evaluate(Part::energy, Point(t, state.z), e);
    return e.energy;
  };
  const double begin = energy(0);
  for (const double t : times()) EXPECT_NEAR(energy(t), begin, 1e-11 * (1 + std::abs(begin))) << t;
}

INSTANTIATE_TEST_SUITE_P(Problems, Singular, testing::ValuesIn(cases()), [](const auto& p) {
  std::string name = p.param.problem + "_" + std::to_string(p.index);
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

}  // namespace
}  // namespace driftless::tests

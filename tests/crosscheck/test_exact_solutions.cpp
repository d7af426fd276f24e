// Problems with exact solutions: what a problem claims to be its solution satisfies its equations, and tight
// runs end there.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/dense_oracle.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using Set = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string problem;
  Set set = {};
  double span = 1;             // of the tight run and of the times looked at
  double largest = 1e-9;       // error of the tight run, relative to 1 + the size of the part
  double unstabilized = 1e-9;  // the same without stabilizer
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  out << c.problem;
  for (const auto& [name, value] : c.set) out << " " << name << "=" << value;
  return out;
}

std::vector<Case> cases() {
  return {
      // Ten thousand steps, each with an error up to 1e-12, that change the period: they add up.
      {.problem = "pendulum", .set = {{"case", "C3"}}, .span = 30, .largest = 1e-8, .unstabilized = 1e-8},
      {.problem = "arevalo", .span = 4},
      {.problem = "arevalo", .set = {{"t0", "-1.5"}}, .span = 4},
      {.problem = "chaplygin-sleigh", .span = 10},
      {.problem = "chaplygin-sleigh", .set = {{"s", "1"}, {"w", "-3"}, {"phi", "2"}}, .span = 5},
      {.problem = "chaplygin-sleigh",
       .set = {{"a", "-0.2"}, {"m", "3"}, {"s", "0.7"}, {"w", "1"}},
       .span = 5},
      {.problem = "chaplygin-sleigh", .set = {{"w", "0"}, {"phi", "0.5"}}, .span = 5},
      {.problem = "chaplygin-sleigh", .set = {{"a", "0"}, {"s", "1"}}, .span = 5},
      {.problem = "chaplygin-sleigh", .set = {{"a", "1e-7"}, {"s", "1"}}, .span = 5},
      {.problem = "jay", .span = 1},
      {.problem = "001-kepler", .span = 4 * std::numbers::pi},
      {.problem = "001-kepler", .set = {{"c", "1"}}, .span = 10},
      {.problem = "001-kepler", .set = {{"K", "2.5"}, {"c", "0.7"}, {"order", "2"}}, .span = 5},
      {.problem = "001-continuation", .set = {{"nu", "3"}, {"y0", "2"}}, .span = 2},
      {.problem = "001-kepler", .set = {{"c", "1.6"}}, .span = 10},
      {.problem = "001-kepler", .set = {{"c", "0.05"}}, .span = 3},
      {.problem = "jerk-sphere", .span = 10},
      {.problem = "jerk-sphere",
       .set = {{"mu", "0"}, {"beta", "-1"}, {"d", "1.5"}, {"e", "0"}, {"h", "0.6"}},
       .span = 5},
      {.problem = "jerk-sphere", .set = {{"mu", "3"}, {"e", "-0.5"}, {"d", "2"}}, .span = 5},
      // Of drift in g, x gets nu times as much and the multiplier nu^2 times.
      {.problem = "000-example1", .unstabilized = 1e-6},
      {.problem = "000-example1", .set = {{"nu", "3"}}},
      {.problem = "000-example2"},
      {.problem = "000-example2", .set = {{"nu", "1"}}},
      {.problem = "000-example3"},
      {.problem = "000-example3", .set = {{"nu", "1"}}},
      {.problem = "000-example3", .set = {{"nu", "1000"}, {"eps", "0"}}},
      {.problem = "000-example3", .set = {{"nu", "1000"}, {"eps", "2"}}},
      {.problem = "000-example3", .set = {{"form", "given"}}},
      {.problem = "000-example3", .set = {{"form", "given"}, {"nu", "1"}, {"eps", "0"}}},
      {.problem = "000-example3", .set = {{"form", "given"}, {"nu", "1000"}, {"eps", "2"}}},
      {.problem = "002-example21", .span = 3},
      {.problem = "002-example21", .set = {{"a", "-2"}, {"x0", "0.3"}}, .span = 10},
      // The multiplier contains nu^2 v. Without a stabilizer roundoff alone makes |g| grow to some 1e-12,
      // with any step; of that, p gets nu times as much, v nu^2 times and the multiplier nu^4 times.
      {.problem = "000-example4", .largest = 1e-8, .unstabilized = 1e-3},
      {.problem = "000-example4", .set = {{"nu", "1"}}},
  };
}

class Exact : public testing::TestWithParam<Case> {
 protected:
  const Case& c = GetParam();
  const ProblemInstance instance = catalog::make_problem(c.problem, c.set);
  const Shape& shape = instance.problem->shape();
  State at(double t) const { return *instance.reference.at(t); }

  // The derivative of a level of the exact solution by central differences of order 8.
  Vector slope(double t, int level, double h) const {
    constexpr std::array<double, 4> weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    Vector sum = Vector::Zero(shape.nv);
    for (int i = 0; i < 4; ++i)
      sum += weights[static_cast<std::size_t>(i)] *
             (at(t + (i + 1) * h).level(level) - at(t - (i + 1) * h).level(level));
    return sum / h;
  }
  // Of M and of the whole system for the acceleration and the multipliers, added.
  double condition(const State& state) const {
    Evaluation e;
    instance.problem->evaluate(Part::mass | Part::input | Part::jacobian | Part::velocity_jacobian,
                               Point(state.t, state.z), e);
    const int n = shape.nv, ng = shape.ng, nk = shape.nk;
    Matrix whole = Matrix::Zero(n + ng + nk, n + ng + nk);
    whole.topLeftCorner(n, n) = e.M;
    if (ng > 0) whole.block(0, n, n, ng) = e.B, whole.block(n, 0, ng, n) = e.G;
    if (nk > 0) whole.topRightCorner(n, nk) = e.K.transpose(), whole.bottomLeftCorner(nk, n) = e.K;
    const Vector all = singular_values(whole), mass = singular_values(e.M);
    return all(0) / all(all.size() - 1) + mass(0) / mass(n - 1);
  }
  // Six times inside the run.
  std::vector<double> times() const {
    std::vector<double> list;
    for (const double part : {0.03, 0.2, 0.45, 0.62, 0.8, 0.97})
      list.push_back(instance.start.t + part * c.span);
    return list;
  }
};

double scaled(const Vector& difference, const Vector& terms) {
  return difference.size() == 0
             ? 0
             : difference.lpNorm<Eigen::Infinity>() / (1 + terms.lpNorm<Eigen::Infinity>());
}

// M x^(m) + B lambda + K^T kappa = f, x^(m) by differences; each level is the derivative of the one below.
TEST_P(Exact, SolutionSatisfiesTheEquations) {
  for (const double t : times()) {
    const State state = at(t);
    ASSERT_EQ(state.t, t);
    ASSERT_EQ(state.layout, shape.layout());
    const double h = 2e-3;
    for (int j = 1; j < shape.order; ++j)
      EXPECT_LT(scaled(slope(t, j - 1, h) - state.level(j), state.level(j)), 1e-10) << t << " level " << j;
    Evaluation e;
    instance.problem->evaluate(Part::mass | Part::force | Part::input | Part::velocity_jacobian,
                               Point(t, state.z), e);
    const Vector a = slope(t, shape.order - 1, h);
    Vector residual = e.M * a - e.f, terms = e.f.cwiseAbs();
    if (shape.ng > 0) residual += e.B * state.lambda, terms += (e.B * state.lambda).cwiseAbs();
    if (shape.nk > 0) residual += e.K.transpose() * state.kappa;
    EXPECT_LT(scaled(residual, terms), 1e-10) << t;
  }
}

TEST_P(Exact, AccelerationHasTheExactMultipliers) {
  for (const double t : times()) {
    const State state = at(t);
    Workspace work;
    Vector a(shape.nv), multipliers(shape.multipliers()), exact(shape.multipliers());
    exact << state.lambda, state.kappa;
    const Vector zero = Vector::Zero(shape.multipliers());
    ASSERT_EQ(instance.problem->acceleration(t, state.z, zero, a, multipliers, work), Status::ok);
    EXPECT_LT(scaled(multipliers - exact, exact), 1e-10) << t;
    const double roundoff = 1e-15 * condition(state);  // a nearly singular M or G M^-1 B costs digits
    EXPECT_LT(scaled(a - slope(t, shape.order - 1, 2e-3), a), 1e-10 + roundoff) << t;
  }
}

TEST_P(Exact, SolutionMeetsTheConstraints) {
  Manifold manifold(*instance.problem);
  for (const double t : times()) {
    const State state = at(t);
    if (manifold.empty()) break;
    ASSERT_EQ(manifold.linearize(t, state.z), Status::ok);
    // Roundoff of the terms that each row is made of.
    Matrix H = Matrix::Zero(manifold.rows(), shape.layout().tangent_size());
    manifold.jacobian(H);
    const Vector terms = H.cwiseAbs() * state.z.cwiseAbs();
    for (int i = 0; i < manifold.rows(); ++i)
      EXPECT_LT(std::abs(manifold.h()(i)), 1e-12 * (1 + terms(i))) << t;
  }
}

TEST_P(Exact, StartIsTheSolutionAndConsistent) {
  const ConsistentState start = consistent_state(*instance.problem, instance.start);
  EXPECT_FALSE(start.changed) << start.report;
  const State exact = at(instance.start.t);
  EXPECT_LT(scaled(instance.start.z - exact.z, exact.z), 1e-14);
  EXPECT_LT(scaled(start.state.lambda - exact.lambda, exact.lambda), 1e-12);
  EXPECT_LT(scaled(start.state.kappa - exact.kappa, exact.kappa), 1e-12);
}

TEST_P(Exact, TightRunEndsThere) {
  for (const std::string stabilizer : {"none", "post", "projection"}) {
    const double largest = stabilizer == "none" ? c.unstabilized : c.largest;
    const double t_end = instance.start.t + c.span;
    const Solution s = solve(*instance.problem, instance.start, {.stabilizer = stabilizer},
                             {.t_end = t_end, .rtol = 1e-12, .atol = 1e-12});
    ASSERT_TRUE(s.complete()) << stabilizer << ": " << s.end_message;
    const State exact = at(t_end);
    for (int j = 0; j < shape.order; ++j)
      EXPECT_LT(scaled(s.final.level(j) - exact.level(j), exact.level(j)), largest)
          << stabilizer << " level " << j;
    EXPECT_LT(scaled(s.final.lambda - exact.lambda, exact.lambda), largest) << stabilizer;
    EXPECT_LT(scaled(s.final.kappa - exact.kappa, exact.kappa), largest) << stabilizer;
    if (shape.has_energy) {
      EXPECT_LT(std::abs(s.energy->balance), largest * (1 + std::abs(s.energy->end))) << stabilizer;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solutions, Exact, testing::ValuesIn(cases()), [](const auto& test) {
  std::string name = test.param.problem;
  for (const auto& [option, value] : test.param.set) name += "_" + option + "_" + value;
  std::string plain;
  for (const char letter : name) plain += letter == '.' ? 'p' : letter == '-' ? '_' : letter;
  return plain;
});

}  // namespace
}  // namespace driftless::tests

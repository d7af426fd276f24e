// A million steps of backward Euler on the unit pendulum, Newton's method at roundoff, no stabilizer: what each
// formulation does to g and g'. Constraints that are imposed hold to roundoff; the others drift as the modified
// equation of the method says. Up to h^2, backward Euler solves
//     z' = f + (h/2) f_z f,     hence   (g)' = g' + (h/2) G v',    (g')' = (g'' of f) - (h/2) c'
// with c = |v|^2 the curvature: G v' = g'' - c, and for w = g' of index1, w_z f = 0 identically, so that
// w_z f_z f = -w_zz(f, f) = -c'. Therefore
//     index1               g' = -(h/2) (c - c(0)),     g = -(h/2) integral of (2 c - c(0))
//     index2               g' = 0,                     g = -(h/2) integral of c
//     index3               g' = (h/2) c,               g = 0
//     baumgarte            g = (h/2) c(0) t e^(-gamma t) - h integral of e^(-gamma s) c(t - s) ds
//     index2-baumgarte     g' = -gamma g,              g = -(h/2) integral of e^(-gamma s) c(t - s) ds
// To order h, positions of `index1` drift linearly, not quadratically: the velocity drift of Euler's methods is
// the change of c, which is bounded when the motion is. Quadratic drift, the general case, takes a velocity drift
// that adds up: see the last two tests.
//
// The motion: from (1, 0) upwards with speed 1, energy 1/2, between -120 and 120 degrees; |v|^2 is between 0 and
// 3 and has the period 2 K(k), k = sin 60 degrees. Samples at its multiples do not see the drift oscillate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

const double modulus = std::numbers::sqrt3 / 2;
const double period = 2 * std::comp_ellint_1(modulus);
// |v|^2 = 4 k^2 cn^2 from the lowest point: 8 (E - (1 - k^2) K).
const double c_integral = 8 * (std::comp_ellint_2(modulus) - std::comp_ellint_1(modulus) / 4);
constexpr double c_start = 1, c_largest = 3;
constexpr double gamma_default = 5;  // of baumgarte, index2-baumgarte and invariant-stabilized

// The largest |g| in every period: phases shift a little as the method damps, maxima do not notice.
class PeriodMaxima final : public Observer {
 public:
  explicit PeriodMaxima(double one_period) : period_(one_period) {}
  void start(const RunInfo& info) override { manifold_ = std::make_unique<Manifold>(info.problem); }
  void step(const AcceptedStep& step) override {
    const auto number = static_cast<std::size_t>(step.from.t / period_ + 1e-9);
    if (number >= maxima.size()) maxima.resize(number + 1, 0);
    maxima[number] = std::max(maxima[number], observers::drift_at(*manifold_, step.to).position);
  }
  std::vector<double> maxima;

 private:
  double period_;
  std::unique_ptr<Manifold> manifold_;
};

struct LongRun {
  double h = 0;
  Drift largest;                                // over all steps
  std::vector<observers::DriftSample> doubled;  // after 1, 2, 4, .. periods
  std::vector<double> maxima;                   // of |g| in every period
};

// Over so many periods, a power of two.
LongRun run(const std::string& formulation, const std::string& integrator, double one_period,
            int steps_per_period, int periods, const Settings& set = {}) {
  const ProblemInstance instance = catalog::make_problem("pendulum", set);
  const double h = one_period / steps_per_period;
  Options options{
      .t_end = periods * one_period, .step = h, .output = {.kind = Output::Kind::at, .times = {}}};
  for (int n = 1; n < periods; n *= 2) options.output.times.push_back(h * (steps_per_period * n));
  options.output.times.push_back(options.t_end);
  PeriodMaxima maxima(one_period);
  const Solution s =
      solve(*instance.problem, instance.start,
            {.formulation = formulation, .integrator = integrator, .stabilizer = "none"}, options, {&maxima});
  EXPECT_TRUE(s.complete()) << s.end_message;
  EXPECT_GE(s.work.steps, 1'000'000);
  LongRun result{.h = h, .largest = s.drift.value(), .doubled = {}, .maxima = maxima.maxima};
  Manifold manifold(*instance.problem);
  for (const State& state : s.states) result.doubled.push_back(observers::drift_at(manifold, state));
  return result;
}

const char* const euler = "backward-euler:tolerance=1e-15";
constexpr int euler_periods = 8;

LongRun run(const std::string& formulation) {
  return run(formulation, euler, period, 125'000, euler_periods);
}

// ---- what is imposed ----

struct Imposing {
  std::string formulation;
  double velocity = 0;  // the largest |g'|/h; 0: imposed, too
};
std::ostream& operator<<(std::ostream& out, const Imposing& row) {
  return out << row.formulation;
}

// Those that impose g = 0.
std::vector<Imposing> imposing() {
  return {{"index3", c_largest / 2},
          {"ggl"},
          {"stabilized-index1"},
          {"projected-invariants:variant=a", (c_largest - c_start) / 2},  // v of index1
          {"projected-invariants:variant=b"},
          {"projected-invariants:variant=c"},
          {"state-space"}};
}

class LongRuns : public testing::TestWithParam<Imposing> {};

TEST_P(LongRuns, HoldWhatIsImposed) {
  const Imposing& row = GetParam();
  const LongRun r = run(row.formulation);
  EXPECT_LT(r.largest.position, 1e-12);
  if (row.velocity == 0) {
    EXPECT_LT(r.largest.velocity, 1e-12);
  } else {
    EXPECT_NEAR(r.largest.velocity / r.h, row.velocity, 0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LongRuns, testing::ValuesIn(imposing()), [](const auto& p) {
  std::string name = p.param.formulation;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
});

// ---- what is not ----

// Exponents of t between successive samples.
void expect_exponents(const LongRun& r, double exponent, double band, std::size_t first = 0) {
  for (std::size_t i = first + 1; i < r.doubled.size(); ++i)
    EXPECT_NEAR(std::log2(r.doubled[i].position / r.doubled[i - 1].position), exponent, band)
        << "until t = " << r.doubled[i].t;
}

TEST(LongDrift, OfIndex2IsLinear) {
  const LongRun r = run("index2");
  EXPECT_LT(r.largest.velocity, 1e-12);
  expect_exponents(r, 1, 0.01);
  EXPECT_NEAR(r.doubled.back().position / (r.h / 2 * c_integral * euler_periods), 1, 0.01);
}

TEST(LongDrift, OfIndex1IsLinearForEulersMethod) {
  const LongRun r = run("index1");
  expect_exponents(r, 1, 0.01);
  EXPECT_NEAR(r.doubled.back().position / (r.h / 2 * (2 * c_integral - c_start * period) * euler_periods), 1,
              0.01);
  EXPECT_NEAR(r.largest.velocity / r.h, (c_largest - c_start) / 2, 0.01);
}

// The integral of e^(-gamma s) c(t - s) ds is less than c_largest/gamma, and not much less since gamma is fast.
TEST(LongDrift, OfBaumgarteIsBounded) {
  for (const auto& [formulation, factor] :
       {std::pair{"baumgarte", 1.0}, {"index2-baumgarte", 0.5}, {"invariant-stabilized", 1.0}}) {
    const LongRun r = run(formulation);
    EXPECT_LT(r.largest.position, factor * r.h * c_largest / gamma_default) << formulation;
    EXPECT_GT(r.largest.position, 0.4 * factor * r.h * c_largest / gamma_default) << formulation;
    // The motion repeats itself, and so does the drift, but for the damping of the method, of the order h t.
    ASSERT_GE(r.maxima.size(), std::size_t{euler_periods});
    EXPECT_NEAR(r.maxima[euler_periods - 1] / r.maxima[1], 1, 0.01) << formulation;
  }
}

// Small swings from the lowest point: c = v0^2 cos^2 t, the integral of 2 c - c(0) does not grow, and terms with
// h^2 come to light. The method damps, c becomes v0^2 cos^2 t e^(-h t), which leaves g = h^2 v0^2 t^2/4; and along
// the damped motion c_z f is not c' but c' - (h/2) c_z f_z f, whose mean makes (g')' less by (h^2/2) |v'|^2, which
// takes away half of that.
TEST(LongDrift, OfIndex1IsQuadraticWhereTheLinearPartVanishes) {
  const double v0 = 0.01;
  const LongRun r = run("index1", euler, 2 * std::comp_ellint_1(v0 / 2), 31'250, 32,
                        {{"x", "0"}, {"y", "-1"}, {"vx", "0.01"}, {"vy", "0"}});
  expect_exponents(r, 2, 0.05);
  const double t = r.doubled.back().t;
  EXPECT_NEAR(r.doubled.back().position / (r.h * r.h * v0 * v0 * t * t / 8), 1, 0.02);
}

// In a method of even order p the term h^p of (g')' is the same on the motion reversed, so that it has a mean; in
// one of odd order it changes its sign, and over a swing it cancels.
TEST(LongDrift, OfIndex1IsQuadraticForAMethodOfOrderFour) {
  const LongRun r = run("index1", "rk4", period, 4'000, 256);
  expect_exponents(r, 2, 0.1, 2);
  for (std::size_t i = 1; i < r.doubled.size(); ++i)
    EXPECT_NEAR(std::log2(r.doubled[i].velocity / r.doubled[i - 1].velocity), 1, 0.05);
}

}  // namespace
}  // namespace driftless::tests

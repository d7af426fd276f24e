// What a symplectic and symmetric method is good for, over many steps: an energy error that stays where it is, and a motion that leads back
// when velocities are reversed. Roundoff adds up too slowly to be seen.
#include <algorithm>
#include <array>

#include "rattle_runs.hpp"

namespace driftless::tests {
namespace {

// Without constraints and with constant M it is leapfrog: on q'' = -q it keeps v^2 + (1 - h^2/4) q^2.
struct Oscillator {
  static constexpr int nq = 1;
  void force(auto, auto q, auto, auto f) const { f[0] = -q[0]; }
};

TEST(LongRattle, IsLeapfrogWithoutConstraints) {
  const auto problem = make_problem(Oscillator{});
  const double h = 0.013;
  Steps steps(*problem, state_of(*problem, {0.6, 0.8}));
  const auto kept = [&] {
    const double q = steps.state.q()(0), v = steps.state.v()(0);
    return v * v + (1 - h * h / 4) * q * q;
  };
  const double before = kept();
  steps.advance(h);
  EXPECT_NEAR(steps.state.q()(0), 0.6 + h * 0.8 - h * h / 2 * 0.6, 1e-16);
  steps.advance(h, 1'000'000 - 1);
  EXPECT_NEAR(kept(), before, 1e-14);  // a random walk of roundings alone would be ten times as far
}

// Energy less that of the start: the least and the largest in each tenth of a run.
std::array<std::pair<double, double>, 10> energy_errors(const Instance& c, double h, int steps) {
  Steps run(*c.problem, c.start);
  Evaluation e;
  const auto energy = [&] {
    c.problem->evaluate(Part::energy, Point(run.state.t, run.state.z), e);
    return e.energy;
  };
  const double before = energy();
  std::array<std::pair<double, double>, 10> tenths;
  for (auto& [least, most] : tenths) {
    least = most = 0;
    for (int i = 0; i < steps / 10; ++i) {
      run.advance(h);
      least = std::min(least, energy() - before);
      most = std::max(most, energy() - before);
    }
  }
  return tenths;
}

// Steps of 0.01, 540 in a period; the error is 6e-5 in every tenth.
TEST(LongRattle, EnergyOfThePendulumStaysOverAMillionSteps) {
  const auto tenths = energy_errors(Instance("pendulum"), 0.01, 1'000'000);
  EXPECT_LT(tenths[0].second - tenths[0].first, 1e-4);
  for (const auto& [least, most] : tenths) {
    EXPECT_NEAR(least, tenths[0].first, 1e-10);
    EXPECT_NEAR(most, tenths[0].second, 1e-10);
  }
}

// Steps of 2e-6, 2500 in a turn of the crank, of which there are 40; the error is 5e-7 of 1.96 in every tenth.
TEST(LongRattle, EnergyOfAndrewsMechanismStaysOverAHundredThousandSteps) {
  const auto tenths =
      energy_errors(Instance("andrews", {{"mom", "0"}, {"start", "reference"}}), 2e-6, 100'000);
  EXPECT_LT(tenths[0].second - tenths[0].first, 1e-6);
  for (const auto& [least, most] : tenths) {
    EXPECT_NEAR(least, tenths[0].first, 1e-11);
    EXPECT_NEAR(most, tenths[0].second, 1e-11);
  }
}

TEST(LongRattle, LeadsBackAfterTenThousandSteps) {
  const Instance pendulum("pendulum"), andrews("andrews", {{"mom", "0"}, {"start", "reference"}});
  EXPECT_LT((there_and_back(*pendulum.problem, pendulum.start, 0.01, 10'000).z - pendulum.start.z)
                .lpNorm<Eigen::Infinity>(),
            1e-12);
  const State back = there_and_back(*andrews.problem, andrews.start, 2e-6, 10'000);
  EXPECT_LT((back.q() - andrews.start.q()).lpNorm<Eigen::Infinity>(), 1e-11);
  EXPECT_LT((back.v() - andrews.start.v()).lpNorm<Eigen::Infinity>(), 1e-9);  // of 1400
}

}  // namespace
}  // namespace driftless::tests

// Numbers that know whether they come from t, and what models evaluated on them tell.
#include <gtest/gtest.h>

#include <driftless/autodiff/traced.hpp>
#include <driftless/core/auto_problem.hpp>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using autodiff::Trace, autodiff::Traced;
using Kind = TimeDependence::Kind;

struct TracedNumbers : testing::Test {
  Trace trace;
  Traced t{0.5, Traced::time, trace}, q{0.0, Traced::state, trace};
};

TEST_F(TracedNumbers, KeepTheirSources) {
  EXPECT_TRUE((q * t).depends_on_time());  // though its value is 0, and so is its derivative by t
  EXPECT_TRUE(pow(sin(q) + 3.0 * t, 2).depends_on_time());
  EXPECT_TRUE(max(t, 1.0).depends_on_time());
  EXPECT_TRUE(autodiff::abs(atan2(q, t)).depends_on_time());
  EXPECT_FALSE((q * q - sqrt(q + 1.0)).depends_on_time());
  EXPECT_FALSE((0.0 * t + q).depends_on_time());  // a parameter that is 0
  EXPECT_FALSE((q / 2.0 - t * 0).depends_on_time());
  EXPECT_FALSE(trace.time_seen || trace.state_seen);
}

TEST_F(TracedNumbers, HaveTheValuesOfPlainOnes) {
  const double x = 0.5;
  EXPECT_EQ(value_of(pow(t, 3) / (1.0 + exp(-t)) - hypot(t, 2.0)),
            x * x * x / (1.0 + std::exp(-x)) - std::hypot(x, 2.0));
  EXPECT_EQ(value_of(pow(2.0, t) + pow(t, 0.3) + pow(t, t)),
            std::pow(2.0, x) + std::pow(x, 0.3) + std::pow(x, x));
}

TEST_F(TracedNumbers, TellWhatWasCompared) {
  EXPECT_TRUE(q < 1.0);
  EXPECT_TRUE(trace.state_seen);
  EXPECT_FALSE(trace.time_seen);
  EXPECT_FALSE((q + 1.0).depends_on_time());
  EXPECT_FALSE(t > 1);
  EXPECT_TRUE(trace.time_seen);
  EXPECT_TRUE((q + 1.0).depends_on_time());
}

template <class P>
TimeDependence time_of(const P& problem) {
  return problem.time_dependence(0, Vector::Ones(problem.shape().layout().size()));
}

// A pendulum whose pivot is moved by `shift`(t, q).
template <class Shift>
struct Shifted {
  static constexpr int nq = 2, ng = 1;
  Shift shift;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto t, auto q, auto g) const {
    const auto x = q[0] - shift(t, q);
    g[0] = (x * x + q[1] * q[1] - 1.0) / 2.0;
  }
};
template <class Shift>
TimeDependence time_of_shift(Shift shift) {
  return time_of(*make_problem(Shifted<Shift>{shift}));
}

TEST(TimeDependenceOfModels, IsSeenWhereverItHides) {
  EXPECT_EQ(time_of_shift([](auto, auto q) { return q[1]; }).kind, Kind::none);
  EXPECT_EQ(time_of_shift([](auto t, auto q) { return 0.0 * t + q[1]; }).kind, Kind::none);
  const TimeDependence open = time_of_shift([](auto t, auto) { return 0.1 * t; });
  EXPECT_EQ(open.kind, Kind::found);
  EXPECT_EQ(open.what, "the constraint g[0] depends on t");
  // From t = 1 on only, as a branch, a maximum and a plain number.
  const auto late = [](auto t) { return t > 1.0 ? pow(t - 1.0, 3) : t * 0.0; };
  const TimeDependence branch = time_of_shift([&](auto t, auto) { return late(t); });
  EXPECT_EQ(branch.kind, Kind::found);
  EXPECT_TRUE(contains(branch.what, "g[0] is computed after a comparison with t")) << branch.what;
  EXPECT_EQ(time_of_shift([](auto t, auto) { return pow(autodiff::max(t - 1.0, 0.0), 3); }).kind,
            Kind::found);
  EXPECT_EQ(time_of_shift([](auto t, auto q) {
              using autodiff::value_of;
              return value_of(t) > 1 ? q[0] : 0.0 * q[0];
            }).kind,
            Kind::found);
  // Behind a branch that the state decides: not to be seen from here.
  EXPECT_EQ(time_of_shift([](auto t, auto q) { return q[0] > 2.0 ? t : 0.0 * t; }).kind, Kind::unknown);
}

struct TimedMass {
  static constexpr int nq = 2;
  void mass(auto t, auto, auto M) const { M(0, 0) = 1.0, M(1, 1) = 1.0 + t; }
  void force(auto, auto, auto, auto f) const { f[1] = -1; }
};

TEST(TimeDependenceOfModels, CoversMassAndVelocityConstraints) {
  EXPECT_EQ(time_of(*make_problem(TimedMass{})).what, "the mass M(1, 1) depends on t");
  EXPECT_EQ(time_of(*make_problem(Sleigh{})).kind, Kind::none);
  EXPECT_EQ(time_of(*make_problem(HeavyTop{})).kind, Kind::none);
}

}  // namespace
}  // namespace driftless::tests

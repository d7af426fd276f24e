// The differences behind bdf, against the classical formulas at equal steps and against polynomials at any.
#include <gtest/gtest.h>

#include <cmath>

#include "integrators/common/bdf_history.hpp"

namespace driftless::integrators {
namespace {

Vector scalar(double value) {
  return Vector::Constant(1, value);
}

double factorial(int n) {
  return std::tgamma(n + 1);
}

// Values of a function at the ends of steps that vary in length, the last at t = 0.
struct Walk {
  BdfHistory history;
  double t = 0;

  template <class Function>
  Walk(const std::vector<double>& steps, Function f) {
    for (const double h : steps) t -= h;
    std::vector<Vector> values = {scalar(f(t))};
    for (const double h : steps) values.push_back(scalar(f(t += h)));
    history.start(values, values.size(), {steps.rbegin(), steps.rend()});
    t = 0;
  }
};

const std::vector<double> uneven = {0.3, 0.1, 0.2, 0.25, 0.4, 0.15, 0.35};

TEST(BdfHistory, EqualStepsGiveTheClassicalFormulas) {
  // h y'_n = sum a_j y_{n-j} (Hairer, Norsett, Wanner I, section III.1)
  const std::vector<std::vector<double>> classical = {{1, -1},
                                                      {3. / 2, -2, 1. / 2},
                                                      {11. / 6, -3, 3. / 2, -1. / 3},
                                                      {25. / 12, -4, 3, -4. / 3, 1. / 4},
                                                      {137. / 60, -5, 5, -10. / 3, 5. / 4, -1. / 5}};
  const double h = 0.1;
  const auto f = [](double t) { return std::exp(t) + std::sin(3 * t); };
  for (int k = 1; k <= 5; ++k) {
    Walk walk(std::vector<double>(7, h), f);
    walk.history.prepare(h, k);
    Vector y(1), yp(1);
    walk.history.predict(y, yp);
    const double slope = yp(0) + walk.history.c() * (f(h) - y(0));
    double expected = 0;
    for (int j = 0; j <= k; ++j)
      expected += classical[static_cast<std::size_t>(k - 1)][static_cast<std::size_t>(j)] * f(h - j * h);
    EXPECT_NEAR(slope, expected / h, 1e-12) << k;
    EXPECT_NEAR(walk.history.judged(), 1.0 / (k + 1), 1e-14) << k;
  }
}

TEST(BdfHistory, PolynomialsAreContinuedAtAnySteps) {
  for (int k = 1; k <= 5; ++k) {
    const auto f = [k](double t) { return std::pow(t + 2, k) - 3 * t; };
    const auto slope = [k](double t) { return k * std::pow(t + 2, k - 1) - 3; };
    Walk walk(uneven, f);
    const double h = 0.27;
    walk.history.prepare(h, k);
    Vector y(1), yp(1);
    walk.history.predict(y, yp);
    EXPECT_NEAR(y(0), f(h), 1e-11) << k;
    EXPECT_NEAR(yp(0), slope(h), 1e-10) << k;
    walk.history.accept(scalar(f(h)));
    for (const double back : {0.0, 0.1, 0.27}) {
      walk.history.interpolate(back, y);
      EXPECT_NEAR(y(0), f(h - back), 1e-11) << k;
    }
  }
}

// The local error of BDF k at equal steps is h^(k+1) y^(k+1)/(k+1), and differences of t^(k+1) know it exactly.
TEST(BdfHistory, LocalErrorsOfTheOrdersAround) {
  const double h = 0.2;
  for (int k = 1; k <= 5; ++k)
    for (int order = std::max(1, k - 2); order <= std::min(5, k + 1); ++order) {
      const auto f = [order](double t) { return std::pow(t, order + 1); };
      Walk walk(std::vector<double>(7, h), f);
      walk.history.prepare(h, k);
      Vector y(1), yp(1), error(1);
      walk.history.predict(y, yp);
      ASSERT_TRUE(walk.history.knows_error(order)) << k << " " << order;
      walk.history.local_error(order, scalar(f(h) - y(0)), error);
      EXPECT_NEAR(error(0), std::pow(h, order + 1) * factorial(order + 1) / (order + 1), 1e-13)
          << k << " " << order;
    }
}

TEST(BdfHistory, AStartKnowsItsRate) {
  BdfHistory history;
  history.start(scalar(2), scalar(-3));
  for (const double h : {0.5, 0.25}) {  // an attempt may be repeated with another step
    history.prepare(h, 1);
    Vector y(1), yp(1);
    history.predict(y, yp);
    EXPECT_DOUBLE_EQ(y(0), 2 - 3 * h);
    EXPECT_DOUBLE_EQ(yp(0), -3);
    EXPECT_DOUBLE_EQ(history.c(), 1 / h);
    EXPECT_FALSE(history.knows_error(2));
  }
  EXPECT_FALSE(history.begun());
  history.accept(scalar(1.5));
  EXPECT_TRUE(history.begun());
  EXPECT_EQ(history.values(), 2);
}

// What a stabilizer moved is part of every difference.
TEST(BdfHistory, AMovedValueIsWhatTheNextStepContinues) {
  Walk walk({0.1, 0.1, 0.1}, [](double) { return 0.0; });
  walk.history.prepare(0.1, 3);
  walk.history.accept(scalar(1));
  walk.history.prepare(0.1, 3);
  Vector y(1), yp(1);
  walk.history.predict(y, yp);
  EXPECT_NEAR(y(0), 4, 1e-13);  // the cubic through 0, 0, 0, 1: binomial(4, 3)
}

TEST(BdfHistory, RemembersBitByBit) {
  Walk walk(uneven, [](double t) { return std::sin(t); });
  BdfHistory other;
  other.start(scalar(0), scalar(0));
  const std::vector<double> memory = walk.history.memory();
  EXPECT_EQ(other.remember(memory.data()), memory.data() + memory.size());
  Vector y(1), yp(1), z(1), zp(1);
  walk.history.prepare(0.3, 4);
  walk.history.predict(y, yp);
  other.prepare(0.3, 4);
  other.predict(z, zp);
  EXPECT_EQ(y, z);
  EXPECT_EQ(yp, zp);
  std::vector<double> damaged = memory;
  damaged[0] = 99;
  EXPECT_EQ(other.remember(damaged.data()), nullptr);
}

}  // namespace
}  // namespace driftless::integrators

// A table is the one spline that its conditions determine: through the points, y'' continuous, y''' continuous next to the ends.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <driftless/autodiff/dual_jet.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/mechanics/table.hpp>

#include "support/allocation_counter.hpp"

namespace driftless::mechanics {
namespace {

using autodiff::Dual;
using autodiff::DualJet;
using autodiff::Jet;

template <class Function>
std::vector<double> values(const std::vector<double>& x, Function f) {
  std::vector<double> y;
  for (double a : x) y.push_back(f(a));
  return y;
}

const std::vector<double> rough_x{-1.2, -0.7, -0.65, 0.3, 1.1, 1.9, 3.4};
Table rough() {
  return Table(rough_x, {2.0, -1.0, -0.8, 4.0, 3.5, -2.0, 0.5});
}

TEST(Table, CubicsComeOutExactlyFromFourPointsOn) {
  const auto y = [](double x) { return 1 - 2 * x + 0.5 * x * x + 3 * x * x * x; };
  for (const std::vector<double>& x : {std::vector<double>{-1.0, 0.2, 0.5, 2.0},
                                       {-1.0, -0.9, 0.4, 1.3, 2.0},
                                       {-1.0, -0.5, -0.4, 0.1, 0.7, 0.8, 1.1, 1.9, 2.0}}) {
    const Table table(x, values(x, y));
    for (double at : {-1.0, -0.95, -0.3, 0.2, 0.33, 1.2, 1.95, 2.0}) {
      EXPECT_NEAR(table.value(at), y(at), 1e-13) << x.size() << " points, x = " << at;
      EXPECT_NEAR(table.slope(at), -2 + at + 9 * at * at, 1e-12) << x.size() << " points, x = " << at;
      EXPECT_NEAR(table.second_derivative(at), 1 + 18 * at, 1e-11) << x.size() << " points, x = " << at;
    }
  }
}

TEST(Table, ThreePointsGiveTheirParabolaAndTwoTheirLine) {
  const auto parabola = [](double x) { return 4 - x + 2 * x * x; };
  const Table three({0, 0.5, 2}, values({0, 0.5, 2}, parabola)), two({-1, 3}, {5, -3});
  for (double x : {0.0, 0.2, 0.5, 1.4, 2.0}) {
    EXPECT_NEAR(three.value(x), parabola(x), 1e-14);
    EXPECT_NEAR(three.second_derivative(x), 4, 1e-13);
    EXPECT_NEAR(two.value(x), 3 - 2 * x, 1e-14);
    EXPECT_EQ(two.second_derivative(x), 0);
  }
}

TEST(Table, GoesThroughThePointsAndIsSmoothThere) {
  const Table table = rough();
  const std::vector<double> y{2.0, -1.0, -0.8, 4.0, 3.5, -2.0, 0.5};
  EXPECT_EQ(table.first_argument(), -1.2);
  EXPECT_EQ(table.last_argument(), 3.4);
  const auto third = [&](double from, double to) {
    return (table.second_derivative(to) - table.second_derivative(from)) / (to - from);
  };
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double x = rough_x[i];
    EXPECT_NEAR(table.value(x), y[i], 1e-14);
    if (i == 0 || i + 1 == y.size()) continue;
    const double before = std::nextafter(x, -9), after = std::nextafter(x, 9);
    EXPECT_NEAR(table.value(before), table.value(after), 1e-13) << i;
    EXPECT_NEAR(table.slope(before), table.slope(after), 1e-11) << i;
    EXPECT_NEAR(table.second_derivative(before), table.second_derivative(after), 1e-9) << i;
    // Next to the ends there is no knot; elsewhere there is one.
    const double jump = third(x, x + 0.01) - third(x - 0.01, before);
    if (i == 1 || i + 2 == y.size())
      EXPECT_NEAR(jump, 0, 1e-8) << i;
    else
      EXPECT_GT(std::abs(jump), 1) << i;
  }
}

// The worst error everywhere between the ends: natural ends would show order 2.
TEST(Table, ErrorsAreOfOrderFourUpToTheEnds) {
  const auto error = [](int n) {
    std::vector<double> x;
    for (int i = 0; i <= n; ++i) x.push_back(4.0 * i / n + 0.02 * std::sin(4.0 * i / n));
    const Table table(x, values(x, [](double a) { return std::sin(a); }));
    double worst = 0;
    for (double at = x.front(); at < x.back(); at += 1e-3)
      worst = std::max(worst, std::abs(table.value(at) - std::sin(at)));
    return worst;
  };
  for (int n : {32, 64}) EXPECT_NEAR(std::log2(error(n) / error(2 * n)), 4, 0.15) << n;
}

TEST(Table, GoesOnStraightBeyondTheEnds) {
  const Table table = rough();
  for (double end : {table.first_argument(), table.last_argument()}) {
    const double out = end < 0 ? -1 : 1, value = table.value(end), slope = table.slope(end);
    EXPECT_GT(std::abs(table.second_derivative(end)), 1e-3);  // as inside
    for (double beyond : {1e-12, 0.1, 7.0, 1e6}) {
      const double x = end + out * beyond;
      EXPECT_NEAR(table.value(x), value + slope * (x - end), 1e-14 * (1 + std::abs(slope)) * (1 + beyond));
      EXPECT_NEAR(table.slope(x), slope, 1e-11);
      EXPECT_EQ(table.second_derivative(x), 0);
    }
  }
}

// Simpson's rule is exact for the cubics between the points and the lines beyond.
TEST(Table, IntegralsAreExact) {
  const Table table = rough();
  std::vector<double> ends{-4};
  ends.insert(ends.end(), rough_x.begin(), rough_x.end());
  ends.push_back(6);
  double sum = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const double a = ends[i - 1], b = ends[i];
    const double piece = (b - a) / 6 * (table.value(a) + 4 * table.value((a + b) / 2) + table.value(b));
    EXPECT_NEAR(table.integral(a, b), piece, 1e-13) << i;
    EXPECT_NEAR(table.integral(b, a), -piece, 1e-13) << i;
    sum += piece;
  }
  EXPECT_NEAR(table.integral(-4, 6), sum, 1e-12);
  EXPECT_EQ(table.antiderivative(table.first_argument()), 0);
  EXPECT_LT(table.antiderivative(-1.3), 0);  // y > 0 there, from right to left

  const std::vector<double> x{-1, 0, 1.5, 2, 3};
  const Table cubic(x, values(x, [](double a) { return a * a * a - 2 * a; }));
  const auto primitive = [](double a) { return a * a * a * a / 4 - a * a; };
  for (double at : {-1.0, -0.4, 1.7, 3.0})
    EXPECT_NEAR(cubic.antiderivative(at), primitive(at) - primitive(-1), 1e-13);
}

TEST(Table, DerivativesFlowThroughEveryScalar) {
  const Table table = rough();
  for (double x : {-3.0, -1.0, -0.66, 0.7, 2.2, 5.0}) {
    const double y = table.value(x), y1 = table.slope(x), y2 = table.second_derivative(x), step = 1e-4;
    EXPECT_NEAR(y1, (table.value(x + step) - table.value(x - step)) / (2 * step), 2e-5);
    EXPECT_NEAR(y2, (table.slope(x + step) - table.slope(x - step)) / (2 * step), 1e-7);
    EXPECT_NEAR(y, (table.antiderivative(x + step) - table.antiderivative(x - step)) / (2 * step), 1e-6);
    const double y3 = (table.second_derivative(x + step) - table.second_derivative(x - step)) / (2 * step);

    const auto dual = table.value(Dual<8>::variable(x, 5));
    EXPECT_DOUBLE_EQ(dual.value, y);
    EXPECT_NEAR(dual.grad[5], y1, 1e-12);
    EXPECT_EQ(dual.grad[4], 0);
    EXPECT_NEAR(table.antiderivative(Dual<8>::variable(x, 0)).grad[0], y, 1e-12);
    EXPECT_NEAR(table.slope(Dual<8>::variable(x, 0)).grad[0], y2, 1e-10);

    // Along x(s) = x + 0.3 s - 0.2 s^2.
    const auto jet = table.value(Jet<2>({x, 0.3, -0.2}));
    EXPECT_NEAR(jet.derivative(1), 0.3 * y1, 1e-12);
    EXPECT_NEAR(jet.derivative(2), 0.09 * y2 - 0.4 * y1, 1e-11);

    using D = Dual<8>;
    const auto both = table.value(Jet<2, D>({D::variable(x, 1), D(0.3), D(-0.2)}));
    EXPECT_NEAR(both.derivative(2).value, 0.09 * y2 - 0.4 * y1, 1e-11);
    EXPECT_NEAR(both.derivative(1).grad[1], 0.3 * y2, 1e-11);
    EXPECT_NEAR(both.derivative(2).grad[1], 0.09 * y3 - 0.4 * y2, 1e-7);

    const auto pair = table.value(DualJet<8, 2>(Dual<8>::variable(x, 2), Jet<2>({x, 0.3, -0.2})));
    EXPECT_NEAR(pair.dual.grad[2], y1, 1e-12);
    EXPECT_NEAR(pair.jet.derivative(2), 0.09 * y2 - 0.4 * y1, 1e-11);
  }
}

TEST(Table, ANumberThatIsNoneGivesNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(rough().value(nan)));
  EXPECT_TRUE(std::isnan(rough().antiderivative(nan)));
}

TEST(Table, AllocatesNothingWhenEvaluated) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer brings its own malloc";
  const Table table = rough();
  using J = Jet<2, Dual<8>>;
  double sum = 0;
  EXPECT_EQ(allocation_counter::during([&] {
              for (double x = -2; x < 4; x += 0.1)
                sum += table.value(x) + table.integral(0, x) + autodiff::value_of(table.value(J(x))) +
                       autodiff::value_of(table.antiderivative(J(x)));
            }),
            0);
  EXPECT_TRUE(std::isfinite(sum));
}

std::string refusal(const std::vector<double>& x, const std::vector<double>& y) {
  try {
    Table table(x, y);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Table, RefusesWhatIsNoTable) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal({0, 1, 2}, {0, 1}),
            "a table has 3 arguments x and 2 values y; give as many of one as of the other");
  EXPECT_EQ(refusal({}, {}), "a table has 0 points; give at least 2");
  EXPECT_EQ(refusal({1}, {2}), "a table has 1 point; give at least 2");
  EXPECT_EQ(refusal({0, 1, 2}, {0, nan, 1}),
            "the point x[1] = 1, y[1] = nan of a table is not finite; give numbers");
  EXPECT_EQ(refusal({0, 1, inf}, {0, 1, 2}),
            "the point x[2] = inf, y[2] = 2 of a table is not finite; give numbers");
  EXPECT_EQ(
      refusal({0, 1.5, 1.5}, {0, 1, 2}),
      "x[2] = 1.5 of a table is not greater than x[1] = 1.5; give the points in the order of x, each x once");
  EXPECT_EQ(
      refusal({0, 2, 1, 3}, {0, 1, 2, 3}),
      "x[2] = 1 of a table is not greater than x[1] = 2; give the points in the order of x, each x once");
  EXPECT_EQ(refusal({0, 1, 1 + 1e-15, 2}, {0, 1e300, -1e300, 0}),
            "the points of a table around x[0] = 0 lie too close or too far apart for double precision; "
            "scale them");
  EXPECT_EQ(refusal({-1.5e308, 1.5e308}, {1, 1}),
            "the points of a table around x[0] = -1.5e+308 lie too close or too far apart for double "
            "precision; scale "
            "them");
  EXPECT_EQ(refusal({0, 1}, {3, 3}), "none");
}

}  // namespace
}  // namespace driftless::mechanics

// Tables by splines (test_spline.cpp), cubic, or quintic where it is a motion, with a line beyond the ends; and what is no table.
// Those that keep the shape of their points: test_monotone_table.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <driftless/autodiff/dual_jet.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/mechanics/motion.hpp>
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

// Of a table or a motion.
template <class Function>
double derivative(const Function& y, double x, int order) {
  return y.value(Jet<5>::variable(x)).derivative(order);
}

const std::vector<double> rough_x{-1.2, -0.7, -0.65, 0.3, 1.1, 1.9, 3.4},
    rough_y{2.0, -1.0, -0.8, 4.0, 3.5, -2.0, 0.5};
const TableOptions smooth_options{.interpolation = Interpolation::spline, .outside = Outside::linear};
Table rough() {
  return Table(rough_x, rough_y, smooth_options);
}

TEST(Table, CubicsComeOutExactlyFromFourPointsOn) {
  const auto y = [](double x) { return 1 - 2 * x + 0.5 * x * x + 3 * x * x * x; };
  for (const std::vector<double>& x : {std::vector<double>{-1.0, 0.2, 0.5, 2.0},
                                       {-1.0, -0.9, 0.4, 1.3, 2.0},
                                       {-1.0, -0.5, -0.4, 0.1, 0.7, 0.8, 1.1, 1.9, 2.0}}) {
    const Table table(x, values(x, y), smooth_options);
    for (double at : {-1.0, -0.95, -0.3, 0.2, 0.33, 1.2, 1.95, 2.0}) {
      EXPECT_NEAR(table.value(at), y(at), 1e-13) << x.size() << " points, x = " << at;
      EXPECT_NEAR(derivative(table, at, 1), -2 + at + 9 * at * at, 1e-12)
          << x.size() << " points, x = " << at;
      EXPECT_NEAR(derivative(table, at, 2), 1 + 18 * at, 1e-11) << x.size() << " points, x = " << at;
    }
  }
}

TEST(Table, ThreePointsGiveTheirParabolaAndTwoTheirLine) {
  const auto parabola = [](double x) { return 4 - x + 2 * x * x; };
  const Table three({0, 0.5, 2}, values({0, 0.5, 2}, parabola), smooth_options),
      two({-1, 3}, {5, -3}, smooth_options);
  for (double x : {0.0, 0.2, 0.5, 1.4, 2.0}) {
    EXPECT_NEAR(three.value(x), parabola(x), 1e-14);
    EXPECT_NEAR(derivative(three, x, 2), 4, 1e-13);
    EXPECT_NEAR(two.value(x), 3 - 2 * x, 1e-14);
    EXPECT_EQ(derivative(two, x, 2), 0);
  }
}

TEST(Table, GoesThroughThePointsAndIsSmoothThere) {
  const Table table = rough();
  const std::vector<double>& y = rough_y;
  EXPECT_EQ(table.first_argument(), -1.2);
  EXPECT_EQ(table.last_argument(), 3.4);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double x = rough_x[i];
    EXPECT_NEAR(table.value(x), y[i], 1e-14);
    if (i == 0 || i + 1 == y.size()) continue;
    const double before = std::nextafter(x, -9), after = std::nextafter(x, 9);
    EXPECT_NEAR(table.value(before), table.value(after), 1e-13) << i;
    EXPECT_NEAR(derivative(table, before, 1), derivative(table, after, 1), 1e-11) << i;
    EXPECT_NEAR(derivative(table, before, 2), derivative(table, after, 2), 1e-9) << i;
    // Next to the ends there is no knot; elsewhere there is one.
    const double jump = derivative(table, after, 3) - derivative(table, before, 3);
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
    const Table table(x, values(x, [](double a) { return std::sin(a); }), smooth_options);
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
    const double out = end < 0 ? -1 : 1, value = table.value(end), slope = derivative(table, end, 1);
    EXPECT_GT(std::abs(derivative(table, end, 2)), 1e-3);  // as inside
    for (double beyond : {1e-12, 0.1, 7.0, 1e6}) {
      const double x = end + out * beyond;
      EXPECT_NEAR(table.value(x), value + slope * (x - end), 1e-14 * (1 + std::abs(slope)) * (1 + beyond));
      EXPECT_NEAR(derivative(table, x, 1), slope, 1e-11);
      EXPECT_EQ(derivative(table, x, 2), 0);
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
    EXPECT_NEAR(table.antiderivative(b) - table.antiderivative(a), piece, 1e-13) << i;
    sum += piece;
  }
  EXPECT_NEAR(table.antiderivative(6.0) - table.antiderivative(-4.0), sum, 1e-12);
  EXPECT_EQ(table.antiderivative(table.first_argument()), 0);
  EXPECT_LT(table.antiderivative(-1.3), 0);  // y > 0 there, from right to left

  const std::vector<double> x{-1, 0, 1.5, 2, 3};
  const Table cubic(x, values(x, [](double a) { return a * a * a - 2 * a; }), smooth_options);
  const auto primitive = [](double a) { return a * a * a * a / 4 - a * a; };
  for (double at : {-1.0, -0.4, 1.7, 3.0})
    EXPECT_NEAR(cubic.antiderivative(at), primitive(at) - primitive(-1), 1e-13);
}

TEST(Table, DerivativesFlowThroughEveryScalar) {
  const Table table = rough();
  for (double x : {-3.0, -1.0, -0.66, 0.7, 2.2, 5.0}) {
    const double y = table.value(x), y1 = derivative(table, x, 1), y2 = derivative(table, x, 2), step = 1e-4;
    EXPECT_NEAR(y1, (table.value(x + step) - table.value(x - step)) / (2 * step), 2e-5);
    EXPECT_NEAR(y2, (derivative(table, x + step, 1) - derivative(table, x - step, 1)) / (2 * step), 1e-7);
    EXPECT_NEAR(y, (table.antiderivative(x + step) - table.antiderivative(x - step)) / (2 * step), 1e-6);
    const double y3 = (derivative(table, x + step, 2) - derivative(table, x - step, 2)) / (2 * step);

    const auto dual = table.value(Dual<8>::variable(x, 5));
    EXPECT_DOUBLE_EQ(dual.value, y);
    EXPECT_NEAR(dual.grad[5], y1, 1e-12);
    EXPECT_EQ(dual.grad[4], 0);
    EXPECT_NEAR(table.antiderivative(Dual<8>::variable(x, 0)).grad[0], y, 1e-12);

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

// The curve of a spring stays the cubic that it is: y''' jumps at a point where y'''' of the motion does not.
TEST(TableForMotion, HasFourContinuousDerivatives) {
  const Table table = rough();
  const Motion motion(table);
  const Table smooth = table.for_motion();
  for (std::size_t i = 0; i < rough_x.size(); ++i) {
    const double x = rough_x[i], before = std::nextafter(x, -9), after = std::nextafter(x, 9);
    EXPECT_NEAR(motion.value(x), rough_y[i], 1e-13);
    if (i == 0 || i + 1 == rough_x.size()) continue;
    for (int k = 0; k <= 4; ++k) {
      const double size = 1e-12 * std::pow(50, k);
      EXPECT_NEAR(derivative(motion, before, k), derivative(motion, after, k), size) << i << " " << k;
    }
  }
  EXPECT_GT(std::abs(derivative(table, 0.2999, 3) - derivative(table, 0.3001, 3)), 1);
  for (const double x : {-2.0, -0.8, -0.66, 0.5, 3.0, 4.0}) {
    EXPECT_EQ(motion.value(x), smooth.value(x));
    EXPECT_EQ(motion.value(x), smooth.for_motion().value(x));
    EXPECT_EQ(table.value(x), rough().value(x));
  }
}

TEST(TableForMotion, QuinticsComeOutExactlyFromSixPointsOn) {
  const auto y = [](const auto& x) { return 1.0 + x * (x * x * x * x - 2.0 * x * x - 1.0); };
  for (const std::vector<double>& x :
       {std::vector<double>{-1.0, -0.6, 0.2, 0.5, 1.4, 2.0}, {-1.0, -0.7, 0.0, 0.4, 0.6, 0.9, 1.3, 2.0}}) {
    const Motion motion(Table(x, values(x, y), smooth_options));
    for (const double at : {-1.0, -0.95, -0.3, 0.2, 1.2, 1.95, 2.0})
      for (int k = 0; k <= 5; ++k)
        EXPECT_NEAR(derivative(motion, at, k), y(Jet<5>::variable(at)).derivative(k),
                    1e-13 * std::pow(20, k));
  }
}

TEST(TableForMotion, GoesOnStraightBeyondTheEnds) {
  const Table motion = rough().for_motion();
  for (const double end : {-1.2, 3.4})
    for (const double beyond : {0.1, 7.0}) {
      const double x = end + (end < 0 ? -beyond : beyond), slope = derivative(motion, end, 1);
      EXPECT_NEAR(motion.value(x), motion.value(end) + slope * (x - end), 1e-11);
      EXPECT_EQ(derivative(motion, x, 2), 0);
    }
}

// Coefficients have the size of y over the fifth power of the distance, here 1e350; those of the cubic have 1e210.
TEST(TableForMotion, RefusesPointsTooCloseForIt) {
  const std::vector<double> x{0, 1e-70, 2e-70, 3e-70, 4e-70, 5e-70}, y{0, 1, -1, 1, -1, 0};
  const Table table(x, y, smooth_options);
  try {
    const Motion motion(table);
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "the points of a table around x[0] = 0 lie too close or too far apart for double precision; "
                 "scale them");
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
                sum += table.value(x) + table.antiderivative(x) + autodiff::value_of(table.value(J(x))) +
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
            "the points of a table around x[1] = 1 lie too close or too far apart for double precision; "
            "scale them");
  EXPECT_EQ(refusal({-1.5e308, 1.5e308}, {1, 1}),
            "the points of a table around x[0] = -1.5e+308 lie too close or too far apart for double "
            "precision; scale "
            "them");
  EXPECT_EQ(refusal({0, 1}, {3, 3}), "none");
}

}  // namespace
}  // namespace driftless::mechanics

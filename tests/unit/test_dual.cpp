// Dual numbers against Boost.Math autodiff, closed formulas and central differences.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <boost/math/differentiation/autodiff.hpp>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "driftless/autodiff/eigen_support.hpp"

namespace {

namespace ad = driftless::autodiff;
namespace bd = boost::math::differentiation;
using ad::Dual;
using ad::Jet;
using Dual2 = Dual<2>;

static_assert(std::is_trivially_copyable_v<Dual<1>> && std::is_trivially_copyable_v<Dual<7>>);
static_assert(std::is_trivially_destructible_v<Dual<7>>);
static_assert(sizeof(Dual<7>) == 8 * sizeof(double));
static_assert(std::is_convertible_v<double, Dual2> && std::is_convertible_v<int, Dual2>);
static_assert(!std::is_convertible_v<Dual2, double> && !std::is_convertible_v<Dual2, Dual<3>>);
static_assert(ad::Scalar<double> && ad::Scalar<Dual2> && ad::Scalar<Dual<3, float>> && !ad::Scalar<int>);
static_assert(std::is_same_v<ad::BaseScalar<Jet<2, Dual<3, float>>>, float>);
static_assert(Dual2{}.value == 0 && Dual2{}.grad[0] == 0 && Dual2{}.grad[1] == 0);

constexpr double tight = 2e-14;

void expect_close(double actual, double expected, double tolerance, const char* what) {
  EXPECT_LE(std::abs(actual - expected), tolerance * std::max(std::abs(expected), 1e-300))
      << what << ": " << actual << " instead of " << expected;
}

// The seed has slope 1.5 in the second variable and none in the first.
template <class F>
void check(const char* name, F f, std::initializer_list<double> points) {
  for (const double x : points) {
    SCOPED_TRACE(::testing::Message() << name << " at " << x);
    const auto expected = f(bd::make_fvar<double, 1>(x));
    const Dual2 y = f(Dual2(x, {0.0, 1.5}));
    EXPECT_DOUBLE_EQ(y.value, f(x)) << "value differs from the same function of double";
    EXPECT_EQ(y.grad[0], 0.0);
    expect_close(y.grad[1], 1.5 * expected.derivative(1), tight, "slope");
  }
}

template <class F>
void check2(const char* name, F f, std::initializer_list<std::pair<double, double>> points) {
  for (const auto& [x, y] : points) {
    SCOPED_TRACE(::testing::Message() << name << " at " << x << ", " << y);
    const auto vars = bd::make_ftuple<double, 1, 1>(x, y);
    const auto expected = f(std::get<0>(vars), std::get<1>(vars));
    const Dual2 a = Dual2::variable(x, 0), b = Dual2::variable(y, 1);
    const Dual2 z = f(a, b);
    EXPECT_DOUBLE_EQ(z.value, f(x, y));
    expect_close(z.grad[0], expected.derivative(1, 0), tight, "x slope");
    expect_close(z.grad[1], expected.derivative(0, 1), tight, "y slope");
    // A constant on one side drops that side's derivative and nothing else.
    EXPECT_EQ(f(a, y).grad[1], 0.0);
    EXPECT_EQ(f(x, b).grad[0], 0.0);
    expect_close(f(a, y).grad[0], expected.derivative(1, 0), tight, "x slope, constant y");
    expect_close(f(x, b).grad[1], expected.derivative(0, 1), tight, "y slope, constant x");
  }
}

TEST(Dual, UnaryFunctionsMatchBoost) {
  using namespace std;
  check("sin", [](auto x) { return sin(x); }, {-2.3, 0.0, 0.4, 1.7, 30.0});
  check("cos", [](auto x) { return cos(x); }, {-2.3, 0.4, 1.7, 30.0});
  check("tan", [](auto x) { return tan(x); }, {-1.2, 0.0, 0.4, 2.0});
  check("asin", [](auto x) { return asin(x); }, {-0.9, 0.0, 0.3, 0.75});
  check("acos", [](auto x) { return acos(x); }, {-0.9, 0.0, 0.3, 0.75});
  check("atan", [](auto x) { return atan(x); }, {-5.0, 0.0, 0.3, 2.0});
  check("sinh", [](auto x) { return sinh(x); }, {-3.0, 0.0, 0.3, 2.0});
  check("cosh", [](auto x) { return cosh(x); }, {-3.0, 0.3, 2.0});
  check("tanh", [](auto x) { return tanh(x); }, {-2.0, 0.0, 0.3, 1.0});
  check("exp", [](auto x) { return exp(x); }, {-3.0, 0.0, 0.3, 9.0});
  check("log", [](auto x) { return log(x); }, {1e-3, 0.3, 1.0, 9.0});
  check("sqrt", [](auto x) { return sqrt(x); }, {1e-3, 0.3, 1.0, 9.0});
  check("abs", [](auto x) { return abs(x); }, {-2.0, 0.3});
  check("fabs", [](auto x) { return fabs(x); }, {-2.0, 0.3});
  check("pow 2.5", [](auto x) { return pow(x, 2.5); }, {0.1, 1.0, 3.0});
  check("pow -0.7", [](auto x) { return pow(x, -0.7); }, {0.1, 1.0, 3.0});
  check("pow 100.0", [](auto x) { return pow(x, 100.0); }, {0.9, -1.1});
  check("2^x", [](auto x) { return pow(2.0, x); }, {-1.0, 0.0, 3.5});
}

TEST(Dual, BinaryFunctionsMatchBoost) {
  using namespace std;
  check2("+", [](auto x, auto y) { return x + y; }, {{1.5, 2.0}, {-3.0, 0.7}});
  check2("-", [](auto x, auto y) { return x - y; }, {{1.5, 2.0}, {-3.0, 0.7}});
  check2("*", [](auto x, auto y) { return x * y; }, {{1.5, 2.0}, {-3.0, 0.7}});
  check2("/", [](auto x, auto y) { return x / y; }, {{1.5, 2.0}, {-3.0, 0.7}, {0.1, -9.0}});
  check2("atan2", [](auto y, auto x) { return atan2(y, x); },
         {{1.0, 2.0}, {-1.0, -2.0}, {0.3, -1.1}, {-2.0, 0.5}});
  check2("pow", [](auto x, auto y) { return pow(x, y); }, {{1.5, 2.3}, {0.2, -1.4}, {3.0, 2.0}});
}

TEST(Dual, FunctionsWithoutAnOracleMatchFormulas) {
  for (const double x : {-8.0, -0.3, 0.02, 1.0, 27.0}) {
    const auto y = cbrt(Dual<1>::variable(x, 0));
    EXPECT_EQ(y.value, std::cbrt(x));
    expect_close(y.grad[0], std::cbrt(x) / (3 * x), tight, "cbrt");
  }
  for (const auto& [x, y] : {std::pair{3.0, 4.0}, {-0.1, 7.0}, {3e200, -4e200}, {3e-200, 4e-200}}) {
    const Dual2 h = hypot(Dual2::variable(x, 0), Dual2::variable(y, 1));
    EXPECT_EQ(h.value, std::hypot(x, y));
    expect_close(h.grad[0], x / std::hypot(x, y), tight, "hypot x");
    expect_close(h.grad[1], y / std::hypot(x, y), tight, "hypot y");
    expect_close(hypot(x, Dual2::variable(y, 1)).grad[1], h.grad[1], tight, "hypot constant x");
    expect_close(hypot(Dual2::variable(x, 0), y).grad[0], h.grad[0], tight, "hypot constant y");
  }
  // Digits survive where the naive formulas 1 - t^2 and 1 - x^2 cancel.
  expect_close(tanh(Dual<1>::variable(25.0, 0)).grad[0], 4 * std::exp(-50.0), 1e-13, "tanh tail");
  const double gap = std::ldexp(1.0, -40);
  expect_close(asin(Dual<1>::variable(1 - gap, 0)).grad[0], 1 / std::sqrt(gap * (2 - gap)), tight,
               "asin near 1");
  expect_close(acos(Dual<1>::variable(1 - gap, 0)).grad[0], -1 / std::sqrt(gap * (2 - gap)), tight,
               "acos near 1");
}

TEST(Dual, MinAndMaxSelectByValue) {
  const Dual2 a = Dual2::variable(1.0, 0), b = Dual2::variable(2.0, 1);
  EXPECT_EQ(min(a, b).grad[0], 1.0);
  EXPECT_EQ(max(a, b).grad[1], 1.0);
  EXPECT_EQ(max(a, b).grad[0], 0.0);
  EXPECT_EQ(min(b, a).value, 1.0);
  EXPECT_EQ(max(a, 0.5).grad[0], 1.0);
  EXPECT_EQ(max(a, 5).grad[0], 0.0);
  EXPECT_EQ(max(5, a).value, 5.0);
  EXPECT_EQ(min(0.5, a).grad[0], 0.0);
  using std::max, std::min;
  EXPECT_EQ(max(a, b).value, 2.0);
  EXPECT_EQ(min(a, b).value, 1.0);
  const Dual2 tie = Dual2::variable(1.0, 1);
  EXPECT_EQ(min(a, tie).grad[0], 1.0);
  EXPECT_EQ(max(a, tie).grad[0], 1.0);
}

TEST(Dual, WholePowersAreRightAtZeroAndBelow) {
  const auto x0 = Dual<1>::variable(0.0, 0);
  EXPECT_EQ(pow(x0, 0).value, 1.0);
  EXPECT_EQ(pow(x0, 0).grad[0], 0.0);
  EXPECT_EQ(pow(x0, 1).value, 0.0);
  EXPECT_EQ(pow(x0, 1).grad[0], 1.0);
  EXPECT_EQ(pow(x0, 2).grad[0], 0.0);
  EXPECT_EQ(pow(x0, 7).grad[0], 0.0);
  EXPECT_EQ(pow(x0, 1.0).grad[0], 1.0);
  EXPECT_EQ(pow(x0, 2.0).grad[0], 0.0);
  EXPECT_EQ(pow(x0, 0.0).grad[0], 0.0);
  EXPECT_EQ(pow(x0, 1.5).grad[0], 0.0);
  EXPECT_TRUE(std::isinf(pow(x0, -1).value));
  EXPECT_FALSE(isfinite(pow(x0, 0.5)));
  for (const int n : {-5, -2, -1, 0, 1, 2, 3, 6, 7, 13}) {
    for (const double x : {-1.7, -0.4, 2.3}) {
      SCOPED_TRACE(::testing::Message() << x << "^" << n);
      const auto v = Dual<1>::variable(x, 0);
      for (const auto& y : {pow(v, n), pow(v, static_cast<double>(n)), pow(v, Dual<1>(n)), pow(v, long{n})}) {
        expect_close(y.value, std::pow(x, n), tight, "value");
        expect_close(y.grad[0], n * std::pow(x, n - 1), tight, "slope");
      }
    }
  }
  EXPECT_EQ(pow(Dual<1>::variable(1e200, 0), -2).value, 0.0);
  EXPECT_EQ(pow(Dual<1>::variable(1e200, 0), -2).grad[0], 0.0);
  EXPECT_TRUE(std::isnan(pow(Dual<1>::variable(-1.0, 0), 0.5).value));
}

TEST(Dual, ConstantsMixOnEitherSide) {
  const auto x = Dual<1>::variable(3.0, 0);
  const auto is = [](const Dual<1>& y, double value, double slope) {
    return y.value == value && y.grad[0] == slope;
  };
  EXPECT_TRUE(is(x + 1, 4, 1) && is(1 + x, 4, 1) && is(x + 0.5f, 3.5, 1));
  EXPECT_TRUE(is(x - 1, 2, 1) && is(1 - x, -2, -1) && is(-x, -3, -1) && is(+x, 3, 1));
  EXPECT_TRUE(is(2.0 * x, 6, 2) && is(x * 2, 6, 2) && is(2u * x, 6, 2) && is(2LL * x, 6, 2));
  EXPECT_TRUE(is(x / 2, 1.5, 0.5) && is(9 / x, 3, -1));
  Dual<1> y = x;
  y += 1;
  y *= 2.0;
  y -= 2;
  y /= 3;
  EXPECT_TRUE(is(y, 2, 2.0 / 3));
  y = x;
  const auto& same = y;  // an alias keeps compilers from warning about y op= y
  y *= same;
  EXPECT_TRUE(is(y, 9, 6));
  y /= same;
  EXPECT_TRUE(is(y, 1, 0));
  y += same;
  EXPECT_TRUE(is(y, 2, 0));
  y = 4;
  EXPECT_TRUE(is(y, 4, 0));
  EXPECT_EQ((x * x - x / (x + 1)).value, 9 - 0.75);
}

TEST(Dual, ComparesByValue) {
  const auto x = Dual<1>::variable(3.0, 0);
  EXPECT_TRUE(x == 3 && 3.0 == x && x == Dual<1>(3.0) && x != 4 && !(x != 3) && 4 != x);
  EXPECT_TRUE(x < 4 && 2 < x && x <= 3 && 3 <= x && !(x < 3));
  EXPECT_TRUE(x > 2.5 && 4 > x && x >= 3 && 3 >= x && !(x > 3));
  EXPECT_TRUE(x < x + 1 && x >= x && !(x > x));
  const Dual<1> nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(x < nan || x >= nan || nan == nan);
  EXPECT_EQ(ad::value_of(x), 3.0);
  EXPECT_EQ(ad::value_of(2.5), 2.5);
  EXPECT_EQ(ad::value_of(Dual<2, Dual<1>>(x)), 3.0);
}

TEST(Dual, IsFiniteLooksAtEveryPart) {
  EXPECT_TRUE(isfinite(Dual2(1.0, {2.0, 3.0})));
  EXPECT_FALSE(isfinite(Dual2(1.0, {2.0, INFINITY})));
  EXPECT_FALSE(isfinite(Dual2(NAN, {2.0, 3.0})));
  EXPECT_FALSE(isfinite(sqrt(Dual<1>::variable(0.0, 0))));
  EXPECT_TRUE(std::isnan(log(Dual<1>::variable(-1.0, 0)).value));
}

template <class S>
S pendulum_like(const S& a, const S& b, const S& c) {
  using std::sin, std::cos, std::sqrt, std::pow, std::atan2, std::exp, std::hypot, std::tanh;
  return sin(a * b) * sqrt(1 + c * c) - pow(a, 3) / (2.0 + cos(b)) + atan2(a + c, b) * exp(-c) +
         hypot(a, b * c) - tanh(a - 2 * c) / 3;
}

TEST(Dual, GradientMatchesCentralDifferences) {
  const double x[3] = {0.7, -1.3, 0.4};
  const Dual<3> y =
      pendulum_like(Dual<3>::variable(x[0], 0), Dual<3>::variable(x[1], 1), Dual<3>::variable(x[2], 2));
  EXPECT_DOUBLE_EQ(y.value, pendulum_like(x[0], x[1], x[2]));
  for (int i = 0; i < 3; ++i) {
    const auto f = [&](double s) {
      double p[3] = {x[0], x[1], x[2]};
      p[i] += s;
      return pendulum_like(p[0], p[1], p[2]);
    };
    const double h = 1e-2;  // sixth-order differences: truncation and roundoff both near 1e-12
    const double slope =
        (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
    EXPECT_NEAR(y.grad[i], slope, 1e-9);
  }
}

TEST(Dual, SinCosGivesBoth) {
  const auto x = Dual<1>::variable(0.6, 0);
  const auto [s, c] = sin_cos(x);
  EXPECT_TRUE(s.value == std::sin(0.6) && s.grad[0] == std::cos(0.6));
  EXPECT_TRUE(c.value == std::cos(0.6) && c.grad[0] == -std::sin(0.6));
  EXPECT_EQ(ad::sin_cos(0.6).cos, std::cos(0.6));
}

TEST(Dual, SingleInnerPrecisionStaysSingle) {
  using Single = Dual<1, float>;
  const auto x = Single::variable(0.5f, 0);
  const Single y = 2.0 * sin(x) / 3 + pow(x, 1.5) - pow(x, 2) + 1;
  EXPECT_NEAR(y.grad[0], 2.0 / 3 * std::cos(0.5) + 1.5 * std::sqrt(0.5) - 1, 1e-6);
  static_assert(std::is_same_v<decltype(ad::value_of(y)), float>);
}

TEST(DualEigen, ProductsSumsAndMixedProducts) {
  using Vec = Eigen::Matrix<Dual2, 3, 1>;
  using Mat = Eigen::Matrix<Dual2, 3, 3>;
  const Dual2 a = Dual2::variable(0.3, 0), b = Dual2::variable(-1.2, 1);
  const Mat m{{a, b, 1.0}, {b * b, 2.0, a}, {a * b, 0.0, a + b}};
  const Vec v(b, a * a, 3.0);
  const Vec w = m * v + 2.0 * v - v / 2;
  const Dual2 w1 = b * b * b + 2.0 * a * a + a * 3.0 + 1.5 * a * a;
  EXPECT_NEAR(w(1).value, w1.value, 1e-15);
  EXPECT_NEAR(w(1).grad[0], w1.grad[0], 1e-15);
  EXPECT_NEAR(w(1).grad[1], w1.grad[1], 1e-15);

  const Eigen::Matrix3d r{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  const Vec mixed = r * v;
  const Dual2 mixed2 = 7 * b + 8 * a * a + 30;
  EXPECT_NEAR(mixed(2).value, mixed2.value, 1e-14);
  EXPECT_NEAR(mixed(2).grad[0], 8 * 2 * 0.3, 1e-14);
  EXPECT_EQ(mixed(2).grad[1], 7.0);

  const Dual2 length = v.norm();
  const double expected = std::sqrt(1.2 * 1.2 + 0.3 * 0.3 * 0.3 * 0.3 + 9);
  EXPECT_NEAR(length.value, expected, 1e-15);
  EXPECT_NEAR(length.grad[1], -1.2 / expected, 1e-15);
  EXPECT_NEAR(v.dot(v).grad[0], 4 * 0.3 * 0.3 * 0.3, 1e-15);
  EXPECT_NEAR((m.transpose() * m).trace().value, m.squaredNorm().value, 1e-14);
  Eigen::Matrix<Dual2, Eigen::Dynamic, 1> zero(4);
  zero.setZero();
  EXPECT_EQ(zero(3).grad[1], 0.0);
}

}  // namespace

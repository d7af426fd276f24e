// Taylor jets to order 5 against Boost.Math autodiff and closed formulas.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/math/differentiation/autodiff.hpp>
#include <cmath>
#include <initializer_list>
#include <type_traits>

#include "driftless/autodiff/eigen_support.hpp"

namespace {

namespace ad = driftless::autodiff;
namespace bd = boost::math::differentiation;
using ad::Dual;
using ad::Jet;
using Jet5 = Jet<5>;
using Nested = Jet<2, Dual<3>>;

static_assert(std::is_trivially_copyable_v<Jet5> && std::is_trivially_copyable_v<Nested>);
static_assert(sizeof(Nested) == 12 * sizeof(double));
static_assert(ad::Scalar<Jet5> && ad::Scalar<Nested> && ad::Scalar<Jet<1, float>>);
static_assert(std::is_convertible_v<double, Nested> && std::is_convertible_v<int, Nested>);
static_assert(std::is_convertible_v<Dual<3>, Nested> && !std::is_convertible_v<Nested, Dual<3>>);
static_assert(Jet5{}.c[0] == 0 && Jet5{}.c[5] == 0);

constexpr double tight = 1e-13;

// Relative to the derivative, or to the largest of lower order where it nearly or exactly vanishes.
template <class Expected>
void expect_derivatives(const Jet5& y, const Expected& expected) {
  double largest = 0;
  for (int k = 0; k <= 5; ++k) {
    const double d = expected.derivative(static_cast<std::size_t>(k));
    largest = std::max(largest, std::abs(d));
    EXPECT_LE(std::abs(y.derivative(k) - d), tight * std::max(std::abs(d), 0.01 * largest))
        << "derivative " << k << ": " << y.derivative(k) << " instead of " << d;
  }
}

template <class S>
S bend(const S& x, const S& s) {
  return x + s * (0.7 + s * (-0.4 + s * (0.3 + s * (0.2 - 0.6 * s))));
}

// Once along a straight line, once along a curve whose every coefficient matters.
template <class F>
void check(const char* name, F f, std::initializer_list<double> points) {
  for (const double x : points) {
    SCOPED_TRACE(::testing::Message() << name << " at " << x);
    expect_derivatives(f(Jet5::variable(x)), f(bd::make_fvar<double, 5>(x)));
    const auto s = bd::make_fvar<double, 5>(0.0);
    expect_derivatives(f(bend(Jet5(x), Jet5::variable(0))), f(bend(decltype(s)(x), s)));
  }
}

TEST(Jet, FunctionsMatchBoostToOrderFive) {
  using namespace std;
  check("sin", [](auto x) { return sin(x); }, {-2.3, 0.0, 0.4, 1.7});
  check("cos", [](auto x) { return cos(x); }, {-2.3, 0.0, 0.4, 1.7});
  check("tan", [](auto x) { return tan(x); }, {-1.2, 0.0, 0.4, 2.0});
  check("asin", [](auto x) { return asin(x); }, {-0.8, 0.0, 0.3, 0.6});
  check("acos", [](auto x) { return acos(x); }, {-0.8, 0.0, 0.3, 0.6});
  check("atan", [](auto x) { return atan(x); }, {-3.0, 0.0, 0.3, 1.5});
  check("sinh", [](auto x) { return sinh(x); }, {-2.0, 0.0, 0.3, 1.5});
  check("cosh", [](auto x) { return cosh(x); }, {-2.0, 0.0, 0.3, 1.5});
  check("tanh", [](auto x) { return tanh(x); }, {-1.1, 0.0, 0.3, 0.8});
  check("exp", [](auto x) { return exp(x); }, {-2.0, 0.0, 0.3, 5.0});
  check("log", [](auto x) { return log(x); }, {0.2, 1.0, 3.0});
  check("sqrt", [](auto x) { return sqrt(x); }, {0.2, 1.0, 3.0});
  check("abs", [](auto x) { return abs(x); }, {-2.0, 0.5});
  check("pow 2.5", [](auto x) { return pow(x, 2.5); }, {0.3, 1.0, 3.0});
  check("pow -0.7", [](auto x) { return pow(x, -0.7); }, {0.3, 1.0, 3.0});
  check("2^x", [](auto x) { return pow(2.0, x); }, {-1.0, 0.0, 3.5});
  check("x^x", [](auto x) { return pow(x, x); }, {0.4, 1.0, 2.5});
  check("/", [](auto x) { return (x * x - 2.0) / (1.0 + x * (x + 0.5)); }, {-1.0, 0.0, 3.5});
  check("1/", [](auto x) { return 1.0 / x; }, {-1.0, 0.4, 3.5});
  check("atan2", [](auto x) { return atan2(0.5 * x * x - 1.0, x); }, {-1.5, 0.4, 2.0});
  check("atan2 left", [](auto x) { return atan2(-2.0, x); }, {-1.5, 0.4, 2.0});
  check("atan2 right", [](auto x) { return atan2(x, -2.0); }, {-1.5, 0.4, 2.0});
}

TEST(Jet, FunctionsWithoutAnOracleMatchEquivalents) {
  using namespace std;
  const auto s = bd::make_fvar<double, 5>(0.0);
  for (const double x : {0.4, 1.0, 2.5}) {
    const auto u = bend(decltype(s)(x), s);
    const Jet5 v = bend(Jet5(x), Jet5::variable(0));
    expect_derivatives(cbrt(v), pow(u, 1.0 / 3.0));
    expect_derivatives(-cbrt(-v), pow(u, 1.0 / 3.0));
    expect_derivatives(hypot(v, sin(v)), sqrt(u * u + sin(u) * sin(u)));
    expect_derivatives(hypot(v, 2), sqrt(u * u + 4.0));
    expect_derivatives(hypot(2.0, v), sqrt(u * u + 4.0));
    const Jet5 huge = hypot(3e200 * v, 4e200 * v), straight = 5e200 * v;
    for (int k = 0; k <= 5; ++k) EXPECT_NEAR(huge.c[k] / 1e200, straight.c[k] / 1e200, 1e-14);
  }
  // tanh' = 4 e^-2x up to e^-4x far out, where 1 - tanh^2 has no digit left.
  const Jet5 tail = tanh(Jet5::variable(25));
  EXPECT_NEAR(tail.derivative(1) / (4 * std::exp(-50.0)), 1, 1e-13);
  EXPECT_NEAR(tail.derivative(3) / (16 * std::exp(-50.0)), 1, 1e-13);
}

TEST(Jet, ClosedFormulas) {
  const Jet5 e = exp(2.0 * Jet5::variable(0.0));
  const Jet5 geometric = 1 / (1 - Jet5::variable(0.0));
  double power = 1;
  for (int k = 0; k <= 5; ++k, power *= 2) {
    EXPECT_DOUBLE_EQ(e.derivative(k), power);
    EXPECT_EQ(geometric.c[k], 1.0);
  }
  const Jet5 t = tan(Jet5::variable(0.0));  // x + x^3/3 + 2 x^5/15
  EXPECT_DOUBLE_EQ(t.c[3], 1.0 / 3);
  EXPECT_DOUBLE_EQ(t.c[5], 2.0 / 15);
  const Jet5 x = Jet5::from_derivatives({1, 2, 3, 4, 5, 6});
  for (int k = 0; k <= 5; ++k) EXPECT_DOUBLE_EQ(x.derivative(k), k + 1.0);
  EXPECT_DOUBLE_EQ(x.c[4], 5.0 / 24);
  const auto [s, c] = sin_cos(x);
  const Jet5 one = s * s + c * c;
  EXPECT_NEAR(one.c[0], 1, 1e-15);
  for (int k = 1; k <= 5; ++k) EXPECT_NEAR(one.c[k], 0, 1e-14);
}

TEST(Jet, WholePowersAreRightAtZeroAndBelow) {
  const Jet5 x0 = Jet5::variable(0.0);
  for (int n = 0; n <= 7; ++n) {
    for (const Jet5& y : {pow(x0, n), pow(x0, static_cast<double>(n)), pow(x0, Jet5(n))}) {
      for (int k = 0; k <= 5; ++k) EXPECT_EQ(y.c[k], k == n ? 1.0 : 0.0) << n << " " << k;
    }
  }
  EXPECT_TRUE(std::isinf(pow(x0, -1).c[0]));
  for (const int n : {-6, -3, -1, 0, 1, 2, 3, 5, 8, 13}) {
    for (const double x : {-1.7, -0.4, 2.3}) {
      for (const Jet5& y : {pow(Jet5::variable(x), n), pow(Jet5::variable(x), 1.0 * n)}) {
        double falling = 1;
        for (int k = 0; k <= 5; ++k) {
          const double expected = falling == 0 ? 0 : falling * std::pow(x, n - k);
          // Vanishing derivatives of negative powers do not exist; of positive ones they are exact.
          EXPECT_NEAR(y.derivative(k), expected, tight * std::abs(expected))
              << x << "^" << n << " order " << k;
          falling *= n - k;
        }
      }
    }
  }
  const Jet5 big = pow(Jet5::variable(-1.1), 100.0);
  EXPECT_NEAR(big.derivative(2) / (9900 * std::pow(1.1, 98)), 1, tight);
}

TEST(Jet, SingularPointsAreNotFinite) {
  const Jet5 x0 = Jet5::variable(0.0), x1 = Jet5::variable(1.0);
  EXPECT_EQ(sqrt(x0).c[0], 0.0);
  for (const Jet5& y : {sqrt(x0), log(x0), cbrt(x0), pow(x0, 0.5), 1 / x0, asin(x1), acos(-x1),
                        hypot(x0, 0.0), atan2(x0, x0), pow(-x1, 0.5)}) {
    EXPECT_FALSE(isfinite(y));
    EXPECT_FALSE(std::isfinite(y.c[1]));
  }
  EXPECT_FALSE(isfinite(log(-x1)));  // the value is NaN, the derivatives 1/x, .. are not
  EXPECT_TRUE(isfinite(sqrt(x1)));
  EXPECT_FALSE(isfinite(sqrt(Nested(Dual<3>::variable(0.0, 1)))));
}

TEST(Jet, ConstantsComparisonsAndAliasing) {
  const Jet<2> x({3.0, 1.0, 0.5});
  const auto is = [](const Jet<2>& y, double a, double b, double c) {
    return y.c[0] == a && y.c[1] == b && y.c[2] == c;
  };
  EXPECT_TRUE(is(x + 1, 4, 1, 0.5) && is(1 + x, 4, 1, 0.5) && is(x - 1, 2, 1, 0.5) &&
              is(1 - x, -2, -1, -0.5));
  EXPECT_TRUE(is(2.0 * x, 6, 2, 1) && is(x * 2, 6, 2, 1) && is(x / 2, 1.5, 0.5, 0.25) &&
              is(-x, -3, -1, -0.5));
  EXPECT_TRUE(is(x * x, 9, 6, 4));
  Jet<2> y = x;
  const auto& same = y;  // an alias keeps compilers from warning about y op= y
  y *= same;
  EXPECT_TRUE(is(y, 9, 6, 4));
  y /= same;
  EXPECT_TRUE(is(y, 1, 0, 0));
  y = x;
  y -= same;
  EXPECT_TRUE(is(y, 0, 0, 0));
  y = 5;
  EXPECT_TRUE(is(y, 5, 0, 0));
  EXPECT_TRUE(x == 3 && 3.0 == x && x != 4 && x < 4 && 2 < x && x <= 3 && 4 >= x && x > 2.5 && x < x + 1);
  EXPECT_TRUE(is(max(x, 1), 3, 1, 0.5) && is(max(x, 4.0), 4, 0, 0) && is(min(5, x), 3, 1, 0.5));
  EXPECT_TRUE(is(min(x, x - 1), 2, 1, 0.5) && is(max(x, x - 1), 3, 1, 0.5) && is(fabs(-x), 3, 1, 0.5));
  EXPECT_EQ(ad::value_of(x), 3.0);
}

TEST(JetEigen, ProductsSumsAndMixedProducts) {
  using S = Jet<2>;
  using Vec = Eigen::Matrix<S, 2, 1>;
  const S t = S::variable(0.4);
  const auto [s, c] = sin_cos(t);
  const Eigen::Matrix<S, 2, 2> r{{c, -s}, {s, c}};
  const Vec u(3.0, t * t);
  const Vec rotated = r * u + Eigen::Vector2d(1, 2).cast<S>() - 0.5 * u;
  const S by_hand = c * 3.0 - s * t * t + 1 - 1.5;
  for (int k = 0; k <= 2; ++k) EXPECT_NEAR(rotated(0).c[k], by_hand.c[k], 1e-15);
  const Eigen::Matrix2d m{{1, 2}, {3, 4}};
  EXPECT_NEAR((m * u)(1).c[2], 4.0, 1e-15);
  EXPECT_NEAR(((r * u).squaredNorm() - u.squaredNorm()).c[2], 0, 1e-14);

  using N = Jet<1, Dual<1>>;
  const Eigen::Matrix<N, 2, 1> n(N({Dual<1>::variable(2, 0), Dual<1>(1)}), 3.0);
  EXPECT_EQ((m.cast<N>() * n)(1).c[0].grad[0], 3.0);
  EXPECT_EQ((m * n)(1).c[1].value, 3.0);
  EXPECT_EQ(n.dot(n).c[1].grad[0], 2.0);
}

}  // namespace

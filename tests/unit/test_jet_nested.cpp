// Jets whose scalar is not a double: duals against Boost's mixed derivatives, and lanes of a vector type.
#include <gtest/gtest.h>

#include <array>
#include <boost/math/differentiation/autodiff.hpp>
#include <cmath>
#include <type_traits>

#include "driftless/autodiff/dual.hpp"
#include "driftless/autodiff/jet.hpp"

// A scalar that is not a double: two lanes evaluated at once, as a vector type would be.
namespace lanes {

struct Pair {
  double a = 0, b = 0;
  Pair() = default;
  Pair(double x) : a(x), b(x) {}
  Pair(double x, double y) : a(x), b(y) {}
  Pair operator-() const { return {-a, -b}; }
  Pair& operator+=(const Pair& o) { return *this = {a + o.a, b + o.b}; }
  Pair& operator-=(const Pair& o) { return *this = {a - o.a, b - o.b}; }
  Pair& operator*=(const Pair& o) { return *this = {a * o.a, b * o.b}; }
  Pair& operator/=(const Pair& o) { return *this = {a / o.a, b / o.b}; }
  friend Pair operator+(Pair x, const Pair& y) { return x += y; }
  friend Pair operator-(Pair x, const Pair& y) { return x -= y; }
  friend Pair operator*(Pair x, const Pair& y) { return x *= y; }
  friend Pair operator/(Pair x, const Pair& y) { return x /= y; }
};
Pair sin(const Pair& x) {
  return {std::sin(x.a), std::sin(x.b)};
}
Pair cos(const Pair& x) {
  return {std::cos(x.a), std::cos(x.b)};
}
Pair exp(const Pair& x) {
  return {std::exp(x.a), std::exp(x.b)};
}
Pair sqrt(const Pair& x) {
  return {std::sqrt(x.a), std::sqrt(x.b)};
}
Pair hypot(const Pair& x, const Pair& y) {
  return {std::hypot(x.a, y.a), std::hypot(x.b, y.b)};
}
Pair atan2(const Pair& x, const Pair& y) {
  return {std::atan2(x.a, y.a), std::atan2(x.b, y.b)};
}
Pair pow(const Pair& x, double p) {
  return {std::pow(x.a, p), std::pow(x.b, p)};
}
driftless::autodiff::SinCos<Pair> sin_cos(const Pair& x) {
  return {sin(x), cos(x)};
}

}  // namespace lanes

namespace {

namespace ad = driftless::autodiff;
namespace bd = boost::math::differentiation;
using ad::Dual;
using ad::Jet;
using Nested = Jet<2, Dual<3>>;

static_assert(ad::Scalar<lanes::Pair> && ad::Scalar<Jet<3, lanes::Pair>> &&
              ad::Scalar<Jet<3, Dual<2, lanes::Pair>>>);

TEST(JetOfDual, ConstantsOfEveryLevelMix) {
  const Dual<3> d = Dual<3>::variable(2.0, 1);
  const Nested x({d, 3.0 * d, Dual<3>(1.0)});
  for (const Nested& y : {2.0 * x, x * 2, 2 * x, x + x, x / 0.5}) {
    EXPECT_EQ(y.c[0].value, 4.0);
    EXPECT_EQ(y.c[1].grad[1], 6.0);
    EXPECT_EQ(y.c[2].value, 2.0);
  }
  EXPECT_EQ((1 - x).c[0].value, -1.0);
  EXPECT_EQ((1 - x).c[0].grad[1], -1.0);
  EXPECT_EQ((d * x).c[0].grad[1], 4.0);
  EXPECT_EQ((x + d).c[0].grad[1], 2.0);
  EXPECT_EQ((x - d).c[0].grad[1], 0.0);
  EXPECT_TRUE(x > 1 && x == 2.0 && x < d + 1);
  EXPECT_EQ(ad::value_of(x), 2.0);
  static_assert(std::is_same_v<decltype(ad::value_of(x)), double>);
  EXPECT_EQ(pow(x - 2, 2).c[0].grad[1], 0.0);
  EXPECT_EQ(pow(x - 2, 1).c[0].grad[1], 1.0);
}

template <class S>
S nontrivial(const S& a, const S& b, const S& c) {
  using std::sin, std::cos, std::sqrt, std::pow, std::atan2, std::exp, std::tanh, std::log, std::asin,
      std::acos, std::atan, std::tan, std::sinh, std::cosh;
  return sin(a * b) * sqrt(1.0 + c * c) - pow(a, 2.5) / (2.0 + cos(b)) + atan2(a + c, b) * exp(-c) +
         tanh(a - 2.0 * c) / 3.0 + log(a) * asin(0.3 * b) - acos(0.2 * c) * atan(b * c) +
         tan(0.5 * a) * sinh(c) - cosh(b) + pow(a, c);
}

// x(s) = p + s v + s^2 w; every Taylor coefficient in s is differentiated with respect to p.
TEST(JetOfDual, MixedDerivativesMatchBoost) {
  const double p[3] = {0.7, -1.3, 0.4}, v[3] = {1.1, 0.5, -0.8}, w[3] = {-0.3, 0.9, 0.6};
  Nested x[3];
  for (int i = 0; i < 3; ++i) x[i] = Nested({Dual<3>::variable(p[i], i), Dual<3>(v[i]), Dual<3>(w[i])});
  const Nested y = nontrivial(x[0], x[1], x[2]);

  const auto vars = bd::make_ftuple<double, 1, 1, 1, 2>(p[0], p[1], p[2], 0.0);
  const auto& s = std::get<3>(vars);
  using Oracle = decltype(std::get<0>(vars) + std::get<1>(vars) + std::get<2>(vars) + s);
  const Oracle a = std::get<0>(vars) + v[0] * s + w[0] * s * s;
  const Oracle b = std::get<1>(vars) + v[1] * s + w[1] * s * s;
  const Oracle c = std::get<2>(vars) + v[2] * s + w[2] * s * s;
  const auto expected = nontrivial(a, b, c);

  for (std::size_t k = 0; k <= 2; ++k) {
    const Dual<3> d = y.derivative(static_cast<int>(k));
    const double e[4] = {expected.derivative(0, 0, 0, k), expected.derivative(1, 0, 0, k),
                         expected.derivative(0, 1, 0, k), expected.derivative(0, 0, 1, k)};
    EXPECT_NEAR(d.value, e[0], 1e-13 * std::abs(e[0]));
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(d.grad[i], e[i + 1], 1e-13 * std::abs(e[i + 1])) << "order " << k << ", variable " << i;
    }
  }
}

TEST(JetOfDual, CurvatureOfThePendulumConstraint) {
  // g = q.q - 1: g' = 2 q.v, g'' = 2 v.v + 2 q.a; the gradient of g' is L = 2 v^T.
  const double q[2] = {0.6, 0.8}, v[2] = {-1.5, 0.25}, a[2] = {0.3, -2.0};
  using S = Jet<2, Dual<2>>;
  S x[2];
  for (int i = 0; i < 2; ++i) {
    x[i] = S::from_derivatives({Dual<2>::variable(q[i], i), Dual<2>(v[i]), Dual<2>(a[i])});
  }
  const S g = x[0] * x[0] + x[1] * x[1] - 1;
  EXPECT_DOUBLE_EQ(g.derivative(1).value, 2 * (q[0] * v[0] + q[1] * v[1]));
  EXPECT_DOUBLE_EQ(g.derivative(2).value, 2 * (v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1]));
  for (int i = 0; i < 2; ++i) {
    EXPECT_DOUBLE_EQ(g.derivative(0).grad[i], 2 * q[i]);
    EXPECT_DOUBLE_EQ(g.derivative(1).grad[i], 2 * v[i]);
    EXPECT_DOUBLE_EQ(g.derivative(2).grad[i], 2 * a[i]);
  }
}

template <class S>
S lane_model(const S& x) {
  using std::sin, std::exp, std::sqrt, std::pow, std::hypot, std::atan2;
  return 2 * sin(x) / (1 + exp(x)) + sqrt(x) * pow(x, 3) - pow(x, 1.5) + hypot(x, 1.0) * atan2(x, x * x) -
         x / 3;
}

TEST(JetOfLanes, EachLaneEqualsTheDoubleJet) {
  const auto y = lane_model(Jet<4, lanes::Pair>::variable({0.8, 2.1}));
  const auto first = lane_model(Jet<4>::variable(0.8)), second = lane_model(Jet<4>::variable(2.1));
  const auto nested =
      lane_model(Jet<4, Dual<1, lanes::Pair>>::variable(Dual<1, lanes::Pair>::variable({0.8, 2.1}, 0)));
  for (int k = 0; k <= 4; ++k) {
    EXPECT_DOUBLE_EQ(y.c[k].a, first.c[k]);
    EXPECT_DOUBLE_EQ(y.c[k].b, second.c[k]);
    // Along x + s the gradient of c[k] is (k + 1) c[k + 1].
    if (k < 4) {
      EXPECT_NEAR(nested.c[k].grad[0].b, (k + 1) * second.c[k + 1], 1e-12);
    }
  }
}

}  // namespace

// A DualJet is a Dual and a Jet of the same expression: both parts must be what each gives alone.
#include <gtest/gtest.h>

#include <driftless/autodiff/dual_jet.hpp>

namespace driftless::autodiff {
namespace {

using D = Dual<2>;
using J = Jet<3>;
using DJ = DualJet<2, 3>;

// x and y on a curve that has nothing to do with the gradient's directions.
const D dx = D::variable(0.7, 0), dy = D::variable(1.3, 1);
const J jx = J::from_derivatives({0.7, -0.4, 0.9, 0.2}), jy = J::from_derivatives({1.3, 0.6, -0.1, 0.5});

template <class Function>
void expect_both(const char* name, Function f) {
  const DJ both = f(DJ(dx, jx), DJ(dy, jy));
  const D dual = f(dx, dy);
  const J jet = f(jx, jy);
  EXPECT_NEAR(both.dual.value, dual.value, 1e-15 * std::abs(dual.value)) << name;
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(both.dual.grad[i], dual.grad[i], 1e-15 * std::abs(dual.grad[i])) << name << " " << i;
  for (std::size_t k = 0; k <= 3; ++k)
    EXPECT_NEAR(both.jet.c[k], jet.c[k], 1e-15 * (1 + std::abs(jet.c[k]))) << name << " " << k;
}

TEST(DualJet, FunctionsGiveBothParts) {
  expect_both("sin", [](auto x, auto y) { return sin(x * y); });
  expect_both("cos", [](auto x, auto y) { return cos(x * y); });
  expect_both("sin_cos", [](auto x, auto y) {
    const auto [s, c] = sin_cos(x - y);
    return s * c * c;
  });
  expect_both("tan", [](auto x, auto y) { return tan(x / y); });
  expect_both("sinh", [](auto x, auto y) { return sinh(x * y); });
  expect_both("cosh", [](auto x, auto y) { return cosh(x * y); });
  expect_both("tanh", [](auto x, auto y) { return tanh(x * y); });
  expect_both("exp", [](auto x, auto y) { return exp(x - y); });
  expect_both("log", [](auto x, auto y) { return log(x + y); });
  expect_both("sqrt", [](auto x, auto y) { return sqrt(x * x + y); });
  expect_both("cbrt", [](auto x, auto y) { return cbrt(x + y); });
  expect_both("asin", [](auto x, auto y) { return asin(x / y); });
  expect_both("acos", [](auto x, auto y) { return acos(x / y); });
  expect_both("atan", [](auto x, auto y) { return atan(x / y); });
  expect_both("atan2", [](auto x, auto y) { return atan2(y, x); });
  expect_both("hypot", [](auto x, auto y) { return hypot(y, x); });
  expect_both("pow whole", [](auto x, auto y) { return pow(x, 3) * pow(y, -2); });
  expect_both("pow real", [](auto x, auto y) { return pow(x, 1.7) * y; });
  expect_both("pow variable", [](auto x, auto y) { return pow(x, y); });
  expect_both("pow of a constant", [](auto x, auto y) { return pow(1.5, x) * y; });
  expect_both("abs, min, max", [](auto x, auto y) { return abs(x - y) * max(x, y) + min(x, y); });
}

TEST(DualJet, OperatorsWithConstants) {
  expect_both("before", [](auto x, auto y) { return 2.0 - 3 * x + 1.0 / y; });
  expect_both("behind", [](auto x, auto y) { return (x - 2.0) / 3.0 * 4 + y; });
  expect_both("compound", [](auto x, auto y) {
    x += 1.5, x -= y, x *= 2.0, x /= y, x -= 0.25;
    return -x;
  });
}

TEST(DualJet, ComparesByValueAndKnowsConstants) {
  const DJ x(dx, jx);
  EXPECT_TRUE(x < 1.0);
  EXPECT_TRUE(is_constant(DJ(3.0)));
  EXPECT_FALSE(is_constant(x));
  EXPECT_TRUE(isfinite(x));
  EXPECT_FALSE(isfinite(sqrt(x - 0.7)));  // no derivative at zero
}

}  // namespace
}  // namespace driftless::autodiff

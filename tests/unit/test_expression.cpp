// mechanics::Expression: values against muParser and by hand, derivatives against differences and formulas, every refusal.
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <muParser.h>
#include <driftless/autodiff/dual_jet.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/mechanics/expression.hpp>

#include "support/allocation_counter.hpp"

namespace {

using driftless::InputError;
using driftless::mechanics::Expression;
using D = driftless::autodiff::Dual<8>;
using J = driftless::autodiff::Jet<2>;
using JD = driftless::autodiff::Jet<2, D>;
using DJ = driftless::autodiff::DualJet<8, 2>;
using Values = std::vector<double>;

const Expression::Names names{.variables = {"x", "y", "t", "crank.angle", "crank.angle'"},
                              .constants = {{"k", 5.0}, {"zero", 0.0}, {"c_1", 0.25}}};
const Values somewhere{3, 2, 0.5, 0.7, -4};

Expression parse(const std::string& text) {
  return Expression::parse(text, names);
}

double value(const std::string& text, const Values& at = somewhere) {
  return parse(text).evaluate<double>(at);
}

// --- values ---

struct Case {
  const char* text;
  double expected;
};

TEST(Expression, PrecedenceAndAssociativity) {
  // clang-format off
  const std::vector<Case> cases{
      {"2+3*4", 14}, {"(2+3)*4", 20}, {"20-3-4", 13}, {"20-(3-4)", 21}, {"64/8/2", 4}, {"64/(8/2)", 16},
      {"64/8*2", 16}, {"2^3^2", 512}, {"(2^3)^2", 64}, {"-2^2", -4}, {"(-2)^2", 4}, {"2^-1", 0.5},
      {"2*-3", -6}, {"2--3", 5}, {"2 - - - 3", -1}, {"+5", 5}, {"2^-2^2", 0.0625}, {"-2^-2", -0.25},
      {"3*2^2", 12}, {"-x^2", -9}, {"x-y-t", 0.5}, {"x-(y-t)", 1.5}, {"x/y/t", 3}, {"x/(y/t)", 0.75},
      {"y^x^y", 512}, {"(y^x)^y", 64}, {"x-2", 1}, {"2-x", -1}, {"2-x-y", -3}, {"x*2/4", 1.5},
      {"4/x*3", 4}, {"-x+y", -1}, {"x*-y", -6}, {"2^y", 4}, {"y^-2", 0.25}, {" 2\t*\n x ", 6},
      {"2*(x-(y-(t-1)))", 1}};
  // clang-format on
  for (const auto& [text, expected] : cases) EXPECT_DOUBLE_EQ(value(text), expected) << text;
}

TEST(Expression, NumbersAndNames) {
  // clang-format off
  const std::vector<Case> cases{
      {"1", 1}, {".5", 0.5}, {"1e-3", 0.001}, {"1.5E+2", 150}, {"2.", 2}, {"k", 5}, {"c_1", 0.25},
      {"crank.angle", 0.7}, {"crank.angle'", -4}, {"2*k*(crank.angle - 0.3) + c_1*crank.angle'", 3},
      {"crank.angle'^2", 16}, {"pi", std::numbers::pi}, {"e", std::numbers::e},
      {"1e1*e", 10 * std::numbers::e}};
  // clang-format on
  for (const auto& [text, expected] : cases) EXPECT_DOUBLE_EQ(value(text), expected) << text;
  // Names of the caller win; a variable wins over a constant, and a function is one where a parenthesis follows.
  const auto own =
      Expression::parse("pi + 10*e + sin + sin(0) + 100*both",
                        {.variables = {"pi", "sin", "both"}, .constants = {{"e", 7}, {"both", 9}}});
  EXPECT_DOUBLE_EQ(own.evaluate<double>(Values{1, 2, 3}), 1 + 70 + 2 + 300);
}

TEST(Expression, Functions) {
  // clang-format off
  const std::vector<Case> cases{
      {"cbrt(x-11)", -2}, {"hypot(x, 4)", 5}, {"sqrt(x+6)", 3}, {"log10(997+x)", 3}, {"abs(1-x)", 2},
      {"sign(1-x)", -1}, {"sign(x-3)", 0}, {"sign(x)", 1}, {"min(x, y)", 2}, {"max(x, y)", 3},
      {"min(y, x)", 2}, {"max(y, x)", 3}, {"pow(x, y)", 9}, {"pow(x, 3)", 27}, {"pow(2, x)", 8},
      {"log(exp(x))", 3}, {"ln(e^x)", 3}, {"atan2(x, -x)", 0.75 * std::numbers::pi}, {"sin(pi/6*x)", 1},
      {"cos(pi/3*x)", -1}, {"asin(x/6)", std::numbers::pi / 6}, {"acos(x/6)", std::numbers::pi / 3},
      {"tan(x*pi/12)", 1}, {"atan(x/3)", std::numbers::pi / 4}, {"2*sinh(x) + exp(-x)", std::exp(3.)},
      {"cosh(x) + sinh(x)", std::exp(3.)}, {"tanh(x)*cosh(x)/sinh(x)", 1},
      // Halfway, and at s = 1/4: 3/16 - 2/64 = 5/32.
      {"step(x, 2, 10, 4, 20)", 15}, {"step(x, 2.5, 0, 4.5, 32)", 5}, {"step(x, 3, 7, 4, 8)", 7},
      {"step(x, 4, 7, 5, 8)", 7}, {"step(x, 2, 7, 3, 8)", 8}, {"step(x, 1, 7, 2, y)", 2}};
  // clang-format on
  for (const auto& [text, expected] : cases)
    EXPECT_NEAR(value(text), expected, 4e-15 * std::abs(expected)) << text;
}

TEST(Expression, Cases) {
  // clang-format off
  const std::vector<Case> cases{
      {"if(x > y, 1, 2)", 1}, {"if(x < y, 1, 2)", 2}, {"if(x <= 3, 1, 2)", 1}, {"if(x >= 3, 1, 2)", 1},
      {"if(x < 3, 1, 2)", 2}, {"if(x > 3, 1, 2)", 2}, {"if(x == 3, 1, 2)", 1}, {"if(x != 3, 1, 2)", 2},
      {"if(x + 1 > y*2 - 1, x, y)", 3}, {"if(not x > y, 1, 2)", 2}, {"if(not not x > y, 1, 2)", 1},
      {"if(not (x > y) or y > 0, 1, 2)", 1}, {"if(x > 9 and y > 0 or t > 0, 1, 2)", 1},
      {"if(x > 9 and (y > 0 or t > 0), 1, 2)", 2}, {"if(t > 0 or x > 9 and y > 9, 1, 2)", 1},
      {"2*if(x > y, if(x > 9, 1, 2), 3)^2", 8}, {"if(1 > 2, x, y)", 2}, {"if(k == 5 and x > 0, 1, 2)", 1},
      {"if(k == 5 or x < 0, 1, 2)", 1}, {"if(k != 5 or x < 0, 1, 2)", 2}, {"if(k != 5 and x > 0, 1, 2)", 2}};
  // clang-format on
  for (const auto& [text, expected] : cases) EXPECT_EQ(value(text), expected) << text;
}

// A random formula as text in both languages; parentheses only where chance puts them, so that precedence is compared too.
class RandomText {
 public:
  std::pair<std::string, std::string> formula(int depth) {  // ours, muParser's
    const int kind = depth == 0 ? pick(2) : pick(12);
    if (kind == 0) return same(std::string(1, "xyt"[pick(3)]));
    if (kind == 1) return same(fmt::format("{}", std::round(1000 * std::exp(real(-2, 2))) / 1000));
    if (kind < 8) {
      std::string ours, theirs;
      for (int i = 0, count = 2 + pick(3); i < count; ++i) {
        const auto term = operand(depth - 1);
        // muParser takes one sign only.
        const bool minus = pick(4) == 0 && term.first[0] != '-';
        const std::string sign = (i == 0 ? "" : std::string(1, "+-*/^"[pick(5)])) + (minus ? "-" : "");
        ours += sign + term.first;
        theirs += sign + term.second;
      }
      return {ours, theirs};
    }
    if (kind < 10) {
      static const std::vector<std::pair<const char*, const char*>> functions{
          {"sin", "sin"},   {"cos", "cos"},     {"tan", "tan"},   {"asin", "asin"}, {"acos", "acos"},
          {"atan", "atan"}, {"sinh", "sinh"},   {"cosh", "cosh"}, {"tanh", "tanh"}, {"exp", "exp"},
          {"log", "ln"},    {"ln", "ln"},       {"sqrt", "sqrt"}, {"abs", "abs"},   {"sign", "sign"},
          {"-", "-"},       {"log10", "log10"}, {"", ""}};
      const auto& [our_name, their_name] =
          functions[static_cast<std::size_t>(pick(static_cast<int>(functions.size())))];
      const auto [ours, theirs] = formula(depth - 1);
      return {fmt::format("{}({})", our_name, ours), fmt::format("{}({})", their_name, theirs)};
    }
    const auto a = formula(depth - 1), b = formula(depth - 1);
    if (kind == 10) {
      const char* const name = std::vector{"min", "max", "atan2"}[static_cast<std::size_t>(pick(3))];
      return {fmt::format("{}({}, {})", name, a.first, b.first),
              fmt::format("{}({}, {})", name, a.second, b.second)};
    }
    const auto c = condition(depth - 1);
    return {fmt::format("if({}, {}, {})", c.first, a.first, b.first),
            fmt::format("(({}) ? ({}) : ({}))", c.second, a.second, b.second)};
  }
  double real(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine_); }

 private:
  static std::pair<std::string, std::string> same(const std::string& text) { return {text, text}; }
  std::pair<std::string, std::string> operand(int depth) {
    const auto [ours, theirs] = formula(depth);
    return pick(2) == 0 ? std::pair(ours, theirs) : std::pair("(" + ours + ")", "(" + theirs + ")");
  }
  std::pair<std::string, std::string> condition(int depth) {
    const auto a = formula(depth), b = formula(depth);
    const std::string sign = std::vector{"<", "<=", ">", ">=", "==", "!="}[static_cast<std::size_t>(pick(6))];
    const std::pair simple{a.first + sign + b.first, "(" + a.second + ")" + sign + "(" + b.second + ")"};
    if (depth <= 0 || pick(2) == 0) return simple;
    const auto other = condition(depth - 1);
    const bool both = pick(2) == 0;
    return {simple.first + (both ? " and " : " or ") + other.first,
            simple.second + (both ? " && " : " || ") + other.second};
  }
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  std::mt19937 engine_{20117};
};

TEST(Expression, RandomFormulasAgreeWithMuParser) {
  RandomText random;
  int compared = 0, refused = 0, recovered = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto [ours, theirs] = random.formula(1 + i % 4);
    double x = 0, y = 0, t = 0;
    mu::Parser reference;
    reference.EnableOptimizer(false);  // it sums 2*x + 3*x to 5*x, which rounds differently
    reference.DefineVar("x", &x);
    reference.DefineVar("y", &y);
    reference.DefineVar("t", &t);
    reference.SetExpr(theirs);
    Expression expression;
    try {
      expression = parse(ours);
    } catch (const InputError& error) {
      // Only for what is constant and has no value.
      ASSERT_NE(std::string(error.what()).find("no value"), std::string::npos) << error.what();
      ++refused;
      continue;
    }
    for (int j = 0; j < 10; ++j) {
      x = random.real(-3, 3), y = random.real(0, 2), t = random.real(-1, 9);
      const double here = expression.evaluate<double>(Values{x, y, t, 0, 0}), there = reference.Eval();
      // Here a piece without a value spoils the whole; there IEEE arithmetic may recover: atan(1/0).
      if (!std::isfinite(here)) {
        recovered += std::isfinite(there);
        continue;
      }
      ++compared;
      ASSERT_NEAR(here, there, 1e-14 * std::abs(there)) << ours << "\n"
                                                        << theirs << "\n"
                                                        << x << " " << y << " " << t;
    }
  }
  EXPECT_GT(compared, 20000);
  EXPECT_LT(recovered, compared / 20);
  EXPECT_LT(refused, 400);
}

// --- derivatives ---

// Smooth around the point below.
// clang-format off
const std::vector<std::string> smooth{
    "x*y - t/x + 3", "2*x - 5 + x/4 - (7 - y)", "x^2 + y^3 - x^-2 + t^0", "x^y", "2^x",
    "(x - 5)^3*(y - 4)^-3", "x^1.5", "x^2.7", "sin(x)*cos(y) - tan(t)",
    "asin(t/2) + acos(t/3) + atan(x*y)", "atan2(x - 5, y)", "sinh(t) - cosh(x) + tanh(x*t)", "exp(-x*t)",
    "log(x*y) + ln(t)", "log10(x + y*t)", "sqrt(x + y)", "cbrt(x - 9)", "hypot(x, y*t)",
    "pow(x, y*t) + pow(y, 4)", "abs(y - x)*abs(x)", "sign(y - x)*x", "min(x, y) + 2*max(x*t, y)",
    "step(x, y, t, 5, x*y)", "step(t, 0, -1, 2, 3)", "step(x, 4, t, 5, y)",
    "if(x > y and not t > 9, x*t, y)^2", "2*k*(crank.angle - 0.3) + c_1*crank.angle'*abs(crank.angle')",
    "1/(1 + exp(-k*(x - y)))", "-(x - y)^2/(x*t)", "(x/2)^9 + (x/10)^-3", "(x - 5)^y^0*x"};
// clang-format on
const Values point{3.1, 1.7, 0.6, 0.4, -1.3};
// The curve for jets: x' and x''.
const Values velocity{0.8, -0.5, 1.1, 0.3, 0.9}, acceleration{-0.4, 0.7, 0.2, -0.6, 0.5};

// Fourth order: first and second derivative of f at 0.
std::pair<double, double> differences(const std::function<double(double)>& f, double h) {
  const double m2 = f(-2 * h), m1 = f(-h), at = f(0), p1 = f(h), p2 = f(2 * h);
  return {(m2 - 8 * m1 + 8 * p1 - p2) / (12 * h), (-m2 + 16 * m1 - 30 * at + 16 * p1 - p2) / (12 * h * h)};
}

std::vector<D> duals(const Values& at) {
  std::vector<D> x;
  for (std::size_t i = 0; i < at.size(); ++i) x.push_back(D::variable(at[i], static_cast<int>(i)));
  return x;
}
std::vector<J> jets(const Values& at) {
  std::vector<J> x;
  for (std::size_t i = 0; i < at.size(); ++i)
    x.push_back(J::from_derivatives({at[i], velocity[i], acceleration[i]}));
  return x;
}
std::vector<JD> jets_of_duals(const Values& at) {
  std::vector<JD> x;
  for (std::size_t i = 0; i < at.size(); ++i)
    x.push_back(
        JD::from_derivatives({D::variable(at[i], static_cast<int>(i)), D(velocity[i]), D(acceleration[i])}));
  return x;
}
std::vector<DJ> dual_jets(const Values& at) {
  const auto d = duals(at);
  const auto j = jets(at);
  std::vector<DJ> x;
  for (std::size_t i = 0; i < at.size(); ++i) x.emplace_back(d[i], j[i]);
  return x;
}

TEST(Expression, ValuesAreTheSameOnEveryScalar) {
  for (const auto& text : smooth) {
    const Expression f = parse(text);
    const double expected = f.evaluate<double>(point),
                 near = 2e-14 * std::abs(expected);  // whole powers are products
    EXPECT_NEAR(f.evaluate<D>(duals(point)).value, expected, near) << text;
    EXPECT_NEAR(f.evaluate<J>(jets(point)).c[0], expected, near) << text;
    EXPECT_NEAR(f.evaluate<JD>(jets_of_duals(point)).c[0].value, expected, near) << text;
    EXPECT_NEAR(f.evaluate<DJ>(dual_jets(point)).value(), expected, near) << text;
  }
}

TEST(Expression, GradientsAreThoseOfDifferences) {
  for (const auto& text : smooth) {
    const Expression f = parse(text);
    const D dual = f.evaluate<D>(duals(point));
    for (std::size_t i = 0; i < point.size(); ++i) {
      const auto along = [&](double s) {
        Values at = point;
        at[i] += s;
        return f.evaluate<double>(at);
      };
      const double slope = differences(along, 1e-3).first;
      EXPECT_NEAR(dual.grad[i], slope, 1e-9 * (1 + std::abs(slope))) << text << " by " << names.variables[i];
    }
  }
}

TEST(Expression, JetsAreThoseOfDifferencesAlongACurve) {
  for (const auto& text : smooth) {
    const Expression f = parse(text);
    const auto along = [&](double s) {
      Values at = point;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] += s * velocity[i] + s * s / 2 * acceleration[i];
      return f.evaluate<double>(at);
    };
    const J jet = f.evaluate<J>(jets(point));
    const double first = differences(along, 1e-3).first, second = differences(along, 3e-3).second;
    EXPECT_NEAR(jet.derivative(1), first, 1e-9 * (1 + std::abs(first))) << text;
    EXPECT_NEAR(jet.derivative(2), second, 2e-7 * (1 + std::abs(second))) << text;
  }
}

TEST(Expression, NestedScalarsAgreeWithThePlainOnes) {
  for (const auto& text : smooth) {
    const Expression f = parse(text);
    const D dual = f.evaluate<D>(duals(point));
    const J jet = f.evaluate<J>(jets(point));
    const JD nested = f.evaluate<JD>(jets_of_duals(point));
    const DJ both = f.evaluate<DJ>(dual_jets(point));
    for (std::size_t k = 0; k <= 2; ++k) {
      EXPECT_NEAR(both.jet.c[k], jet.c[k], 1e-13 * (1 + std::abs(jet.c[k]))) << text;
      EXPECT_NEAR(nested.c[k].value, jet.c[k], 1e-13 * (1 + std::abs(jet.c[k]))) << text;
      for (std::size_t i = 0; i < point.size(); ++i) {
        const auto along = [&](double s) {
          Values at = point;
          at[i] += s;
          return f.evaluate<J>(jets(at)).c[k];
        };
        const double slope = differences(along, 1e-3).first;
        EXPECT_NEAR(nested.c[k].grad[i], slope, 1e-8 * (1 + std::abs(slope))) << text << " " << k << " " << i;
      }
    }
    for (std::size_t i = 0; i < point.size(); ++i)
      EXPECT_NEAR(both.dual.grad[i], dual.grad[i], 1e-13 * (1 + std::abs(dual.grad[i]))) << text;
  }
}

// Value, first and second derivative by x.
void expect_derivatives(const std::string& text, double x, double f, double f1, double f2) {
  const Expression expression = parse(text);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-14 * std::abs(b); };
  const std::vector<D> dual{D::variable(x, 0), D(2), D(3), D(4), D(5)};
  const std::vector<J> jet{J::variable(x), J(2), J(3), J(4), J(5)};
  const std::vector<JD> nested{JD::from_derivatives({D::variable(x, 0), D(1), D(0)}), JD(2), JD(3), JD(4),
                               JD(5)};
  const D d = expression.evaluate<D>(dual);
  const J j = expression.evaluate<J>(jet);
  const JD n = expression.evaluate<JD>(nested);
  EXPECT_TRUE(near(d.value, f) && near(d.grad[0], f1))
      << text << " at " << x << ": " << d.value << " " << d.grad[0];
  EXPECT_TRUE(near(j.c[0], f) && near(j.derivative(1), f1) && near(j.derivative(2), f2))
      << text << " at " << x << ": " << j.c[0] << " " << j.derivative(1) << " " << j.derivative(2);
  EXPECT_TRUE(near(n.c[0].value, f) && near(n.c[0].grad[0], f1) && near(n.c[1].grad[0], f2))
      << text << " at " << x;
}

TEST(Expression, WholePowersAtZeroAndNegativeBases) {
  expect_derivatives("x^2", 0, 0, 0, 2);
  expect_derivatives("x^1", 0, 0, 1, 0);
  expect_derivatives("x^0", 0, 1, 0, 0);
  expect_derivatives("x^3", 0, 0, 0, 0);
  expect_derivatives("x^3", -2, -8, 12, -12);
  expect_derivatives("x^-2", -2, 0.25, 0.25, 0.375);
  expect_derivatives("pow(x, 2)", 0, 0, 0, 2);
  expect_derivatives("x^(4 - 2)", 0, 0, 0, 2);
  expect_derivatives("x^y", -3, 9, -6, 2);  // y = 2 has no derivative here
  expect_derivatives("x^100", 0, 0, 0, 0);  // beyond where Jet multiplies by itself
  expect_derivatives("x^101", -1, -1, 101, -10100);
}

TEST(Expression, PiecesHaveTheirOwnDerivatives) {
  expect_derivatives("abs(x)^3", -2, 8, -12, 12);
  expect_derivatives("sign(x)*x^2", -2, -4, 4, -2);
  expect_derivatives("min(x^2, 5*x)", 2, 4, 4, 2);
  expect_derivatives("max(x^2, 5*x)", 2, 10, 5, 0);
  expect_derivatives("step(x, 0, 0, 2, 1)", 0.5, 5. / 32, 9. / 16,
                     0.75);  // s = x/2: (6 s - 6 s^2)/2, (6 - 12 s)/4
  expect_derivatives("step(x, 0, 3, 2, x^2)", 4, 16, 8, 2);
  expect_derivatives("step(x, 0, x^2, 2, 1)", -4, 16, -8, 2);
  expect_derivatives("if(x < 0, x^2, x^3)", 2, 8, 12, 12);
  expect_derivatives("if(x < 0, x^2, x^3)", -2, 4, -4, 2);
  expect_derivatives("log10(x)", 1000, 3, 1e-3 / std::log(10.), -1e-6 / std::log(10.));
  EXPECT_EQ(parse("log10(x)").evaluate<D>(duals({1000, 0, 0, 0, 0})).value, 3);
}

TEST(Expression, WhatIsNotTakenDoesNotLeak) {
  expect_derivatives("if(x > 0, sqrt(x), 0)", -1, 0, 0, 0);
  expect_derivatives("if(x > 0, sqrt(x), 0)", 0, 0, 0, 0);
  expect_derivatives("if(x != 0, sin(x)/x, 1)", 0, 1, 0, 0);
  expect_derivatives("if(x <= 0, x^2, log(x))", -3, 9, -6, 2);
  expect_derivatives("3*x + if(x > 0 and log(x) > 1, 1/x, x^2)", -1, -2, 1, 2);
  expect_derivatives("if(x <= 0 or log(x) > 1, x^2, 1/0.5)", -1, 1, -2, 2);
}

// A constant has no derivative, also where the function's slope is infinite: contact that is open.
TEST(Expression, ConstantsPassThroughSingularPoints) {
  expect_derivatives("sqrt(max(x, 0))", -1, 0, 0, 0);
  expect_derivatives("cbrt(max(x, 0))", -1, 0, 0, 0);
  expect_derivatives("max(0, x)^1.5", -1, 0, 0, 0);
  expect_derivatives("max(0, x)^0.5", -1, 0, 0, 0);
  expect_derivatives("acos(min(x, 1))", 2, 0, 0, 0);
  expect_derivatives("hypot(max(x, 0), 0)", -1, 0, 0, 0);
  expect_derivatives("abs(max(x, 0))^c_1", -1, 0, 0, 0);
}

TEST(Expression, BrokenPowersAtZeroHaveTheDerivativesThatExist) {
  expect_derivatives("x^3.5", 0, 0, 0, 0);
  expect_derivatives("x^(y + 1.5)", 0, 0, 0, 0);  // y = 2 has no derivative here
  const auto first = [](const char* text) { return parse(text).evaluate<D>(duals({0, 0, 0, 0, 0})).grad[0]; };
  const std::vector<J> jet{J::variable(0), J(1), J(1), J(1), J(1)};
  EXPECT_EQ(first("x^1.5"), 0);
  EXPECT_FALSE(std::isfinite(first("x^0.5")));
  EXPECT_EQ(parse("x^2.5").evaluate<J>(jet).c[2], 0);
  EXPECT_FALSE(std::isfinite(parse("x^1.5").evaluate<J>(jet).c[2]));
}

// --- no value ---

TEST(Expression, WhatHasNoValueIsNotANumberWhateverIsDoneWithIt) {
  const Values at{0, -1, 1, 0, 0};
  // clang-format off
  const std::vector<std::string> texts{
      "1/x", "atan(1/x)", "1/(1/x)", "x/x", "log(x)", "exp(log(x))", "log10(x)", "x^-1", "x^y",
      "pow(x, -0.5)", "sqrt(y)", "y^0.5", "asin(y - 1)", "min(5, sqrt(y))", "min(sqrt(y), 5)",
      "max(5, sqrt(y))", "max(sqrt(y), 5)", "sign(sqrt(y))", "abs(sqrt(y))", "if(sqrt(y) > 0, 1, 2)",
      "if(sqrt(y) == 0, 1, 2)", "if(sqrt(y) != 0, 1, 2)", "if(not sqrt(y) > 0, 1, 2)",
      "if(sqrt(y) > 0 or t > 0, 1, 2)", "if(t > 0 and sqrt(y) > 0, 1, 2)", "step(t, x, 1, y, 2)",
      "step(sqrt(y), 0, 1, 2, 3)", "0*sqrt(y)", "sqrt(y)^0", "pow(sqrt(y), x)", "1^sqrt(y)", "t^sqrt(y)",
      "2 - sqrt(y)/3 + 1"};
  // clang-format on
  for (const auto& text : texts) {
    const Expression f = parse(text);
    EXPECT_TRUE(std::isnan(f.evaluate<double>(at))) << text;
    EXPECT_TRUE(std::isnan(f.evaluate<D>(duals(at)).value)) << text;
    EXPECT_TRUE(std::isnan(f.evaluate<JD>(jets_of_duals(at)).c[0].value)) << text;
    EXPECT_TRUE(std::isnan(f.evaluate<DJ>(dual_jets(at)).jet.c[0])) << text;
    EXPECT_NE(f.fault(at), "") << text;
  }
  // An overflow is a value, only a large one.
  EXPECT_EQ(value("1/(1 + exp(1000*x))"), 0);
}

TEST(Expression, FaultNamesTheGuiltyPart) {
  const Values at{0, -0.25, 1, 1e200, 0};
  for (const auto& [text, expected] : std::vector<std::pair<const char*, const char*>>{
           {"sqrt(y)", "sqrt of -0.25 in 'sqrt(y)'"},
           {"3 + 2*sqrt( y )*x", "sqrt of -0.25 in 'sqrt( y )'"},
           {"1/(t-1)", "division by 0 in '1/(t-1)'"},
           {"5 - x/(-x)", "division by 0 in 'x/(-x)'"},
           {"ln(x)", "log of 0 in 'ln(x)'"},
           {"log10(y)", "log10 of -0.25 in 'log10(y)'"},
           {"asin(t + 1)", "asin of 2 in 'asin(t + 1)'"},
           {"asin(t + 2^-52)", "asin of 1.0000000000000002 in 'asin(t + 2^-52)'"},
           {"y^0.5", "-0.25 to the power 0.5 in 'y^0.5'"},
           {"pow(y, t/2)", "-0.25 to the power 0.5 in 'pow(y, t/2)'"},
           {"2*pow(x, -2)", "0 to the power -2 in 'pow(x, -2)'"},
           {"exp(1000*t)", "exp of 1000 in 'exp(1000*t)'"},
           {"-(crank.angle*crank.angle)", "1e+200 times 1e+200 in 'crank.angle*crank.angle'"},
           {"crank.angle*1e200", "1e+200 times 1e+200 in 'crank.angle*1e200'"},
           {"crank.angle/1e-200", "1e+200 divided by 1e-200 in 'crank.angle/1e-200'"},
           {"1e108*crank.angle + 1e108*crank.angle",
            "1e+308 plus 1e+308 in '1e108*crank.angle + 1e108*crank.angle'"},
           {"-1e108*crank.angle - 1e108*crank.angle",
            "-1e+308 minus 1e+308 in '-1e108*crank.angle - 1e108*crank.angle'"},
           {"hypot(1.5e308*t, 1.5e308*t)", "hypot of 1.5e+308 and 1.5e+308 in 'hypot(1.5e308*t, 1.5e308*t)'"},
           {"step(x, t, 0, y, 1)", "step from x0 = 1 to x1 = -0.25 in 'step(x, t, 0, y, 1)'"},
           {"if(x == 0, log(x), sqrt(y))", "log of 0 in 'log(x)'"},
           {"if(x != 0, log(x), sqrt(y))", "sqrt of -0.25 in 'sqrt(y)'"},
           {"if(log(x) > 0, sqrt(y), 1)", "log of 0 in 'log(x)'"},
           {"step(t, x, log(x), 0.5, sqrt(y))", "sqrt of -0.25 in 'sqrt(y)'"},
           {"if(x > 0, log(x), x)", ""},
           {"x + y", ""}})
    EXPECT_EQ(parse(text).fault(at), expected) << text;
  EXPECT_EQ(parse("2*y + 1").fault(Values{0, NAN, 0, 0, 0}), "the value nan of y");
  EXPECT_EQ(parse("crank.angle'").fault(Values{0, 0, 0, 0, INFINITY}), "the value inf of crank.angle'");
  const std::string text = "sqrt(y" + std::string(100, ' ') + ")";
  EXPECT_LT(parse(text).fault(at).size(), 100U);
}

// --- what it says about itself ---

TEST(Expression, ConstantsAndVariables) {
  const auto used = [](const char* text) { return parse(text).variables(); };
  EXPECT_EQ(used("t*x + t^2"), (std::vector<int>{0, 2}));
  EXPECT_EQ(used("crank.angle' + crank.angle"), (std::vector<int>{3, 4}));
  EXPECT_EQ(used("if(k > 5, x, y)"), (std::vector<int>{1}));
  EXPECT_EQ(used("if(k >= 5 or x > 0, 2*t, y)"), (std::vector<int>{2}));
  EXPECT_TRUE(used("2*k").empty());

  EXPECT_EQ(parse(" 2*k^2 - sin(0)").constant(), 50);
  EXPECT_EQ(parse("-4").constant(), -4);
  EXPECT_EQ(parse("10^-2").constant(), 0.01);
  EXPECT_EQ(parse("if(k < 0, x, step(1, 0, 2, 2, 4))").constant(), 3);
  EXPECT_EQ(parse("2*x").constant(), std::nullopt);
  EXPECT_EQ(parse("x").constant(), std::nullopt);
  EXPECT_EQ(parse(" 2*k^2 ").text(), " 2*k^2 ");
  EXPECT_EQ(Expression().constant(), 0);
  EXPECT_EQ(Expression().text(), "0");
  EXPECT_EQ(Expression().fault({}), "");
  // Guards work on constants too.
  EXPECT_EQ(value("if(zero > 0, x/zero, 7)"), 7);
  EXPECT_EQ(value("if(zero > 0 and 1/zero > 3, 1, 8)"), 8);
  EXPECT_EQ(value("if(zero == 0 or 1/zero > 3, 1, 8)"), 1);
}

TEST(Expression, EvaluatesWithoutAllocation) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "the sanitizer brings its own malloc";
  std::vector<Expression> all;
  for (const auto& text : smooth) all.push_back(parse(text));
  const auto d = duals(point);
  const auto j = jets(point);
  const auto jd = jets_of_duals(point);
  const auto dj = dual_jets(point);
  double sum = 0;
  EXPECT_EQ(allocation_counter::during([&] {
              for (const Expression& f : all) {
                sum += f.evaluate<double>(point) + f.evaluate<D>(d).value + f.evaluate<J>(j).c[0];
                sum += f.evaluate<JD>(jd).c[0].value + f.evaluate<DJ>(dj).value();
              }
            }),
            0);
  EXPECT_TRUE(std::isfinite(sum));
}

// --- refusals ---

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Expression, RefusalsSayWhereAndWhatWasExpected) {
  struct Refusal {
    std::string text;
    int position;  // 0: none
    std::vector<std::string> parts;
  };
  for (const auto& [text, position, parts] : std::vector<Refusal>{
           {"", 0, {"empty"}},
           {"  \n ", 0, {"empty"}},
           {"2*crnk.angle", 3, {"no name 'crnk.angle'", "did you mean crank.angle"}},
           {"2*crank.angel'", 3, {"no name 'crank.angel''", "did you mean", "crank.angle'"}},
           {"x + elephant",
            5,
            {"no name 'elephant'",
             "known names are x, y, t, crank.angle, crank.angle', c_1, k, zero, pi, e"}},
           {"sinus(x)", 1, {"no function 'sinus'", "did you mean sin"}},
           {"1 + elephants(x)", 5, {"no function 'elephants'", "known functions are sin, cos, tan"}},
           {"floor(x)", 1, {"no function 'floor'"}},
           {"x(2)", 1, {"'x' is no function", "x*("}},
           {"pi(2)", 1, {"no function 'pi'"}},
           {"1 + sin", 5, {"'sin' is a function", "sin(x)"}},
           {"2*sin(x, y)", 3, {"sin takes 1 argument, not 2", "sin(x)"}},
           {"sin()", 1, {"sin takes 1 argument, not 0"}},
           {"atan2(x)", 1, {"atan2 takes 2 arguments, not 1", "atan2(y, x)"}},
           {"step(x, 1, 2, 3)", 1, {"step takes 5 arguments, not 4", "step(x, x0, y0, x1, y1)"}},
           {"if(x > 0, 1)", 1, {"if takes 3 arguments, not 2"}},
           {"2*(x + 1", 9, {"an operator or ')' was expected after the '(' at position 3, not the end"}},
           {"sin(x", 6, {"an operator, ',' or ')' was expected after the '(' at position 4, not the end"}},
           {"2*x + 1)", 8, {"')' closes no '('"}},
           {"(2*x]", 5, {"an operator or ')' was expected", "not ']'"}},
           {"2 x", 3, {"an operator (+ - * / ^", "or the end was expected, not 'x'"}},
           {"2x", 2, {"not 'x'"}},
           {"x 345.5", 3, {"not '345.5'"}},
           {"1.2.3", 4, {"an operator", "not '.'"}},
           {"1 = x", 3, {"==", "not '='"}},
           {"x && y", 3, {"and or", "not '&'"}},
           {"x ? 1 : 2", 3, {"not '?'"}},
           {"2*", 3, {"a number, a name, a function or '(' was expected, not the end"}},
           {"2**x", 3, {"a number, a name, a function or '(' was expected, not '*'"}},
           {"x + , y", 5, {"was expected, not ','"}},
           {"()", 2, {"was expected, not ')'"}},
           {"max(x,)", 7, {"was expected, not ')'"}},
           {".", 1, {"not '.'"}},
           {"_x", 1, {"not '_'"}},
           {"1 + \xc3\xa4 + 2", 5, {"not '\xc3\xa4'"}},
           {"x'", 1, {"no name 'x''"}},
           {"crank.angle''", 13, {"crank.angle' is followed by a second apostrophe"}},
           {"x*1e400", 3, {"the number '1e400' is too large"}},
           {"1e-400", 1, {"the number '1e-400' is too large or too small"}},
           {"x + sqrt(-1)", 5, {"sqrt of -1 in 'sqrt(-1)', which has no value"}},
           {"2 - 1/0", 5, {"division by 0 in '1/0'"}},
           {"x/zero", 1, {"division by 0 in 'x/zero'"}},
           {"x/(k - 5)", 1, {"division by 0 in 'x/(k - 5)'"}},
           {"if(x > 0, 1/zero, 1)", 11, {"division by 0 in '1/zero'"}},
           {"atan(1/0)", 6, {"division by 0 in '1/0'"}},
           {"log(0)*x", 1, {"log of 0 in 'log(0)'"}},
           {"exp(1e3)", 1, {"exp of 1000 in 'exp(1e3)'"}},
           {"(-2)^0.5", 1, {"-2 to the power 0.5 in '(-2)^0.5'"}},
           {"step(x, 2, 0, 1, 5)", 1, {"step from x0 = 2 to x1 = 1 in 'step(x, 2, 0, 1, 5)'"}},
           {"x > 0", 1, {"a number was expected, and 'x > 0' is a condition"}},
           {"2*(x > 0)", 3, {"a number was expected, and '(x > 0)' is a condition"}},
           {"sin(x > 0)", 5, {"a number was expected, and 'x > 0' is a condition"}},
           {"if(x, 1, 2)", 4, {"a condition such as x > 0 was expected, and 'x' is a number"}},
           {"if(x > 0 and y, 1, 2)", 14, {"a condition", "'y' is a number"}},
           {"if(not x, 1, 2)", 8, {"a condition", "'x' is a number"}},
           {"if(0 < x < 1, 1, 2)", 10, {"two numbers are compared at a time", "a < b and b < c"}},
           {"if(x > 0, y > 0, 2)", 11, {"a number was expected, and 'y > 0' is a condition"}}}) {
    const std::string message = refusal(text);
    for (const auto& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message << "\n" << part;
    const std::string place =
        position > 0 ? fmt::format("in '{}' at position {}: ", text, position) : "the expression is empty";
    EXPECT_EQ(message.rfind(place, 0), 0U) << text << "\n" << message;
  }
  // Positions are characters, not bytes.
  EXPECT_NE(refusal("(\xc3\xa4").find("position 2"), std::string::npos);
  try {
    Expression::parse("2*mass", {.constants = {{"mass", NAN}}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the constant mass is nan"), std::string::npos) << error.what();
  }
}

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

TEST(Expression, LimitsAreReachedAndRefused) {
  const auto nested = [](int n) { return repeated("(", n) + "x" + repeated(")", n); };
  EXPECT_EQ(value(nested(200)), 3);
  EXPECT_NE(refusal(nested(201))
                .find("at position 201: parentheses, signs or powers are nested more than 200 deep"),
            std::string::npos);
  EXPECT_EQ(value(repeated("-", 200) + "x"), 3);
  for (const char* piece :
       {"-", "+", "(", "x^", "2^", "not ", "sin(", "if(", "-(", "x+(", "if(x>0,1,", "1-(2-("}) {
    const std::string message = refusal(repeated(piece, 100000) + "x");
    EXPECT_NE(message.find("nested more than 200 deep"), std::string::npos) << piece << message;
    EXPECT_LT(message.size(), 300U);
  }

  const auto leaning = [](int n) { return repeated("x+(", n - 1) + "x" + repeated(")", n - 1); };
  EXPECT_DOUBLE_EQ(value(leaning(64)), 64 * 3);
  EXPECT_NE(refusal(leaning(65)).find("more than 64 results wait"), std::string::npos);
  EXPECT_NE(refusal(leaning(65)).find("at position 193:"), std::string::npos);  // the last x: 1 + 64 * 3
  EXPECT_DOUBLE_EQ(parse(leaning(64)).evaluate<JD>(jets_of_duals(somewhere)).c[0].grad[0], 64);

  EXPECT_DOUBLE_EQ(value(repeated("x+", 4999) + "x"), 15000);  // 9999 nodes
  EXPECT_NE(refusal(repeated("x+", 5000) + "x").find("more than 10000 numbers"), std::string::npos);
  EXPECT_DOUBLE_EQ(*parse(repeated("1+", 100000) + "1").constant(), 100001);  // folded as it comes
  EXPECT_NE(refusal(repeated("sin(", 1) + repeated("x,", 1000000)).find("more than 10000"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(1000000, 'a')).find("no name"), std::string::npos);
  EXPECT_EQ(value(repeated("0", 1000000) + "7"), 7);
  EXPECT_EQ(value(repeated(" ", 1000000) + "7"), 7);
}

// Whatever stands in the text: a value or an InputError whose message is short, printable and one line.
TEST(Expression, HostileTextsAreRefusedInOneLine) {
  std::mt19937 engine(907);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
  };
  const std::vector<std::string> tokens{
      "x", "y",  "t", "1", "0",  "2.5", "1e9", "(",  ")",    "(",   ")",   ",",    "+",    "-",     "*",
      "/", "^",  "<", ">", "==", "!",   "'",   ".",  "sin(", "if(", "and", "not ", "or ",  "step(", "max(",
      "e", "pi", " ", "k", "&",  "#",   "\n",  "\\", "\"",   "%",   "{}",  "{",    "\xff", "\xc3"};
  int accepted = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string text;
    if (i % 3 == 0) {  // bytes
      for (std::size_t j = pick(20); j-- > 0;) text += static_cast<char>(pick(256));
    } else if (i % 3 == 1) {  // pieces
      for (std::size_t j = pick(15); j-- > 0;) text += tokens[pick(tokens.size())];
    } else {  // a right one with one thing changed
      text = smooth[pick(smooth.size())];
      text.replace(pick(text.size()), pick(3), tokens[pick(tokens.size())]);
    }
    try {
      const Expression expression = parse(text);
      const double number = expression.evaluate<double>(point);
      EXPECT_EQ(expression.fault(point).empty(), std::isfinite(number)) << text;
      ++accepted;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_LT(message.size(), 400U) << message;
      for (const char c : message)
        ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '\xff') << message;
    }
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace

// mechanics::Expression: values against muParser and by hand, derivatives against differences and formulas, on every scalar.
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

#include "unit/expression_cases.hpp"

namespace {

using driftless::InputError;
using namespace driftless::tests::expressions;

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

// Fourth order: first and second derivative of f at 0.
std::pair<double, double> differences(const std::function<double(double)>& f, double h) {
  const double m2 = f(-2 * h), m1 = f(-h), at = f(0), p1 = f(h), p2 = f(2 * h);
  return {(m2 - 8 * m1 + 8 * p1 - p2) / (12 * h), (-m2 + 16 * m1 - 30 * at + 16 * p1 - p2) / (12 * h * h)};
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

}  // namespace

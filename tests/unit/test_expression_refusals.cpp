// mechanics::Expression: what has no value, what is to blame, what is refused and in which words, and no allocation.
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/allocation_counter.hpp"
#include "unit/expression_cases.hpp"

namespace {

using driftless::InputError;
using namespace driftless::tests::expressions;

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
           {"exp(1000*t)", "exp of 1000 in 'exp(1000*t)' is beyond the largest number (1.8e308)"},
           {"-(crank.angle*crank.angle)",
            "1e+200 times 1e+200 in 'crank.angle*crank.angle' is beyond the largest number (1.8e308)"},
           {"crank.angle*1e200",
            "1e+200 times 1e+200 in 'crank.angle*1e200' is beyond the largest number (1.8e308)"},
           {"crank.angle/1e-200",
            "1e+200 divided by 1e-200 in 'crank.angle/1e-200' is beyond the largest number (1.8e308)"},
           {"1e108*crank.angle + 1e108*crank.angle",
            "1e+308 plus 1e+308 in '1e108*crank.angle + 1e108*crank.angle' is beyond the largest number "
            "(1.8e308)"},
           {"-1e108*crank.angle - 1e108*crank.angle",
            "-1e+308 minus 1e+308 in '-1e108*crank.angle - 1e108*crank.angle' is beyond the largest number "
            "(1.8e308)"},
           {"hypot(1.5e308*t, 1.5e308*t)",
            "hypot of 1.5e+308 and 1.5e+308 in 'hypot(1.5e308*t, 1.5e308*t)' is beyond the largest number "
            "(1.8e308)"},
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

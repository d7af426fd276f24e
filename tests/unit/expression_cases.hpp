// What the tests of mechanics::Expression share: names, somewhere to evaluate, scalars.
#pragma once

#include <string>
#include <vector>

#include <driftless/autodiff/dual_jet.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/mechanics/expression.hpp>

namespace driftless::tests::expressions {

using driftless::mechanics::Expression;
using D = driftless::autodiff::Dual<8>;
using J = driftless::autodiff::Jet<2>;
using JD = driftless::autodiff::Jet<2, D>;
using DJ = driftless::autodiff::DualJet<8, 2>;
using Values = std::vector<double>;

inline const Expression::Names names{.variables = {"x", "y", "t", "crank.angle", "crank.angle'"},
                                     .constants = {{"k", 5.0}, {"zero", 0.0}, {"c_1", 0.25}}};
inline const Values somewhere{3, 2, 0.5, 0.7, -4};

inline Expression parse(const std::string& text) {
  return Expression::parse(text, names);
}

inline double value(const std::string& text, const Values& at = somewhere) {
  return parse(text).evaluate<double>(at);
}

// Smooth around the point below.
// clang-format off
inline const std::vector<std::string> smooth{
    "x*y - t/x + 3", "2*x - 5 + x/4 - (7 - y)", "x^2 + y^3 - x^-2 + t^0", "x^y", "2^x",
    "(x - 5)^3*(y - 4)^-3", "x^1.5", "x^2.7", "sin(x)*cos(y) - tan(t)",
    "asin(t/2) + acos(t/3) + atan(x*y)", "atan2(x - 5, y)", "sinh(t) - cosh(x) + tanh(x*t)", "exp(-x*t)",
    "log(x*y) + ln(t)", "log10(x + y*t)", "sqrt(x + y)", "cbrt(x - 9)", "hypot(x, y*t)",
    "pow(x, y*t) + pow(y, 4)", "abs(y - x)*abs(x)", "sign(y - x)*x", "min(x, y) + 2*max(x*t, y)",
    "step(x, y, t, 5, x*y)", "step(t, 0, -1, 2, 3)", "step(x, 4, t, 5, y)",
    "if(x > y and not t > 9, x*t, y)^2", "2*k*(crank.angle - 0.3) + c_1*crank.angle'*abs(crank.angle')",
    "1/(1 + exp(-k*(x - y)))", "-(x - y)^2/(x*t)", "(x/2)^9 + (x/10)^-3", "(x - 5)^y^0*x"};
// clang-format on
inline const Values point{3.1, 1.7, 0.6, 0.4, -1.3};
// The curve for jets: x' and x''.
inline const Values velocity{0.8, -0.5, 1.1, 0.3, 0.9}, acceleration{-0.4, 0.7, 0.2, -0.6, 0.5};

inline std::vector<D> duals(const Values& at) {
  std::vector<D> x;
  for (std::size_t i = 0; i < at.size(); ++i) x.push_back(D::variable(at[i], static_cast<int>(i)));
  return x;
}
inline std::vector<J> jets(const Values& at) {
  std::vector<J> x;
  for (std::size_t i = 0; i < at.size(); ++i)
    x.push_back(J::from_derivatives({at[i], velocity[i], acceleration[i]}));
  return x;
}
inline std::vector<JD> jets_of_duals(const Values& at) {
  std::vector<JD> x;
  for (std::size_t i = 0; i < at.size(); ++i)
    x.push_back(
        JD::from_derivatives({D::variable(at[i], static_cast<int>(i)), D(velocity[i]), D(acceleration[i])}));
  return x;
}
inline std::vector<DJ> dual_jets(const Values& at) {
  const auto d = duals(at);
  const auto j = jets(at);
  std::vector<DJ> x;
  for (std::size_t i = 0; i < at.size(); ++i) x.emplace_back(d[i], j[i]);
  return x;
}

}  // namespace driftless::tests::expressions

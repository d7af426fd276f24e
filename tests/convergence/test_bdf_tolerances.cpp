// Variable order and step: the error of q at the end is proportional to the tolerance over six decades, 1e-4 to 1e-10, on problems with
// references: the slope of log(error) over log(tolerance), by least squares over tolerances 10^(-j/2), is within 0.3 of 1. It is a
// little below 1: a multistep method of order k with an error per step of tol makes steps of tol^(1/(k+1)) and a global error of
// tol^(k/(k+1)), 0.83 at order 5. The reference of sundials-slider-crank has ten decimals, a hundredth of the smallest error here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convergence/tolerance_fit.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

class BdfTolerances : public testing::TestWithParam<std::tuple<ToleranceCase, Method>> {};

TEST_P(BdfTolerances, GiveProportionalErrors) {
  const auto& [c, method] = GetParam();
  const ToleranceFit fit = fit_tolerances(c.problem, method);
  EXPECT_NEAR(fit.slope, 1, 0.3);
  // Errors at one time may cancel, so that single ones are far below the line, but not above it.
  double largest = 0;
  for (std::size_t i = 0; i < fit.errors.size(); ++i)
    largest = std::max(largest, fit.errors[i] / std::pow(10, -(loosest + static_cast<int>(i)) / 2.0));
  EXPECT_LT(largest, 1000);  // error over tolerance
  EXPECT_LT(fit.scatter, 1);
  RecordProperty("slope", std::to_string(fit.slope));
  RecordProperty("scatter", std::to_string(fit.scatter));
}

INSTANTIATE_TEST_SUITE_P(All, BdfTolerances,
                         testing::Combine(testing::ValuesIn(tolerance_cases()),
                                          testing::ValuesIn(bdf_methods())),
                         [](const auto& p) {
                           return test_name(std::get<0>(p.param).problem + "_" +
                                            std::get<1>(p.param).formulation);
                         });

}  // namespace
}  // namespace driftless::tests

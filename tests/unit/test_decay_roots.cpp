// Baumgarte's feedback by roots: the polynomial, what is refused, and that g decays with these rates.
#include <gtest/gtest.h>

#include <cmath>

#include "formulations/common/decay_roots.hpp"
#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using formulations::decay_roots, formulations::gains_of_roots;

void expect_gains(const std::string& roots, const std::vector<double>& gains) {
  const std::vector<double> ours = gains_of_roots(decay_roots(roots));
  ASSERT_EQ(ours.size(), gains.size()) << roots;
  for (std::size_t j = 0; j < gains.size(); ++j) EXPECT_NEAR(ours[j], gains[j], 1e-13) << roots << " " << j;
}

TEST(DecayRoots, MultiplyOut) {
  expect_gains("7", {7});
  expect_gains("3;5", {15, 8});
  expect_gains("2;2;2", {8, 12, 6});
  expect_gains("1;2;3;4", {24, 50, 35, 10});
  expect_gains("1+2i;1-2i", {5, 2});
  expect_gains("2;1.5e-1-1e+0i;0.15+1i", {2 * 1.0225, 1.0225 + 0.6, 2.3});
}

TEST(DecayRoots, Refusals) {
  const auto says = [](const char* text) { return complaint([&] { decay_roots(text); }); };
  for (const auto& [text, piece] :
       std::vector<std::pair<const char*, const char*>>{{"0;1", "real part 0 (must be above 0"},
                                                        {"-3", "real part -3"},
                                                        {"1+2i", "without its conjugate 1-2i"},
                                                        {"1+2i;1-2i;1+2i", "without its conjugate"},
                                                        {"", "must be a finite number"},
                                                        {"3;", "must be a finite number"},
                                                        {"2i", "is no root"},
                                                        {"1+xi;1-xi", "must be a finite number"},
                                                        {"nan", "must be a finite number"}})
    EXPECT_NE(says(text).find(piece), std::string::npos) << text << ": " << says(text);
}

// From g(0) = a, g'(0) = b the solution of (d/dt + 3)(d/dt + 5) g = 0 is known; so is that of a pair.
TEST(DecayRoots, AreTheRatesOfDecay) {
  const auto instance = catalog::make_problem("001-drift-model", {{"s0", "0.4"}, {"r0", "-0.1"}});
  const auto final_s = [&](const char* formulation) {
    return solve(*instance.problem, instance.start,
                 {.formulation = formulation, .integrator = "dop853", .stabilizer = "none"},
                 {.t_end = 0.7, .rtol = 1e-12, .atol = 1e-12, .start_as_given = true})
        .final.q()(0);
  };
  const double a = 0.4, b = -0.1, t = 0.7;
  const double c = (5 * a + b) / 2;
  EXPECT_NEAR(final_s("baumgarte:roots=3;5"), c * std::exp(-3 * t) + (a - c) * std::exp(-5 * t), 1e-10);
  EXPECT_NEAR(final_s("baumgarte:roots=1+2i;1-2i"),
              std::exp(-t) * (a * std::cos(2 * t) + (b + a) / 2 * std::sin(2 * t)), 1e-10);
}

TEST(DecayRoots, BelongToTheOrder) {
  const auto instance = catalog::make_problem("pendulum");
  const auto says = [&](const char* text) {
    return complaint([&] { solve(*instance.problem, instance.start, {.formulation = text}, {.t_end = 1}); });
  };
  EXPECT_NE(says("baumgarte:roots=3").find("roots has 1 roots and the system has order 2"),
            std::string::npos);
  EXPECT_NE(says("baumgarte:roots=3;4,gamma=2").find("leave the others out"), std::string::npos);
  EXPECT_NE(says("baumgarte:roots=3;4,gain=auto").find("roots would be ignored"), std::string::npos);
}

}  // namespace
}  // namespace driftless::tests

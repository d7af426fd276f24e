// The runs of the paper, all of them with bdf, which stands for DASSL and ODASSL. The constants of their
// corrector are not printed, and three settings of it are tried.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper002 {

struct Setting {
  const char *name, *integrator;
};
inline constexpr Setting setting_a{"(a)",
                                   "bdf:corrector=0.33,iterations=4,ratio=0.6"},  // the constants of DASSL
    setting_b{"(b)", "bdf:corrector=0.01,iterations=8,ratio=0.6"},  // less left by the corrector
    setting_c{"(c)", "bdf:corrector=1e-4,jacobian=step"},           // nothing left, a matrix in every step
    setting_default{"default", "bdf"};
inline constexpr std::array settings{setting_a, setting_b, setting_c};

// 10^-first, .., 10^-last in equal steps of the exponent, with three digits.
std::vector<std::string> tolerances(double first, double last, int count);

// With $tol as both tolerances, for the loop over them.
std::string example21(const std::string& formulation, const std::string& integrator);
std::string andrews(const std::string& formulation, const std::string& integrator);

std::string at(const std::string& command, const std::string& tolerance);  // one run of it
std::string over(const std::vector<std::string>& tolerances, const std::string& command);

// Largest relative errors of components at t = 0.03, and what DASSL calls NSTEPS, NFE, NJE, NEF. There is no
// Jacobian in DASSL without a matrix, so that matrices are what to compare.
inline const Reading error_p = pointer("/error_relative/q"), error_v = pointer("/error_relative/v"),
                     error_lambda = pointer("/error_relative/lambda"), steps = work("steps"),
                     residuals = work("rhs"), matrices = work("factorizations"), failures = work("rejected");

}  // namespace driftless::experiments::paper002

// What `trust-region` and `direct-regularization` share: everything but the equation for the multipliers. Options, with the
// letters of Petzold, Ren, Maly (1997); h_c is the step that resolves the constraints, gamma = 1/h_c:
//   feedback   sum_j gamma_j g^(j),  gamma_j = m!/(j! h_c^(m-j))   (4.14): 1/h_c; 2/h_c^2, 2/h_c; ..
//              from m = 5 on, where these are unstable, those of (tau + 1/h_c)^m
//              feedback=velocity, m = 2: gamma g' alone, the formulas of index 2 for the velocity constraint
//              velocity constraints: gamma w
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <driftless/core/entries.hpp>
#include <driftless/linalg/damped_solve.hpp>

namespace driftless::formulations {

std::vector<OptionSpec> regularization_options(const std::string& epsilon_help);
// `name` for messages.
std::unique_ptr<Formulation> regularized_formulation(linalg::Damping kind, const std::string& name,
                                                     const OptionValues& options);

// gamma_0, .., gamma_{m-1} for gamma = 1/h_c.
std::vector<double> taylor_gains(int m, double gamma);

}  // namespace driftless::formulations

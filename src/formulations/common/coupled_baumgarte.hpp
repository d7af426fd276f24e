// The coupled form of `baumgarte`: multipliers are unknowns, and the feedback equation contains the rate of the discretisation,
//   M x_{m-1}' = f - B lambda - K^T kappa,    0 = G x_{m-1}' + c - r_g,   0 = K x_{m-1}' + ck - r_k
// Petzold, Ren, Maly (1997), (2.1a) with (2.5), and (4.3) without c. It has the solutions of the eliminated form; near singular
// places its Newton iteration bears more. Fails where constraints lose rank.
#pragma once

#include <memory>

#include <driftless/core/system.hpp>

#include "constraint_feedback.hpp"

namespace driftless::formulations {

std::unique_ptr<System> coupled_baumgarte(const Problem& problem, const Feedback& feedback, bool curvature);

}  // namespace driftless::formulations

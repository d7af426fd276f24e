// MechanismProblem: a mechanism as a Problem, with derivatives by formula from those of its measures:
//   G, c, L, K, ck, w_x, (G^T lambda)_x, f_z and what is gyroscopic. Automatic, from mechanism_model.hpp: derivatives of the curvature,
//   of N v and of the energy.
#pragma once

#include <memory>

#include <driftless/core/problem.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

std::shared_ptr<const Problem> make_problem(MechanismModel model);

}  // namespace driftless::mechanics

// MechanismProblem: a mechanism as a Problem, with derivatives by formula from those of its measures:
//   G, c, L, K, ck, w_x, (G^T lambda)_x, f_z and what is gyroscopic. Automatic, from mechanism_model.hpp: derivatives of the curvature and
//   of N v.
#pragma once

#include <memory>

#include <driftless/core/problem.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

// From so many velocities on a mechanism offers matrices without their zeros: below, whole ones cost less (./dev bench mechanisms).
constexpr int smallest_sparse = 36;

std::shared_ptr<const Problem> make_problem(MechanismModel model, int sparse_from = smallest_sparse);

}  // namespace driftless::mechanics

// MechanismProblem: a mechanism as a Problem, with derivatives by formula from those of its measures:
//   G, c, L, K, ck, w_x, (G^T lambda)_x, f_z and what is gyroscopic. Automatic, from mechanism_model.hpp: derivatives of the curvature and
//   of N v.
#pragma once

#include <memory>

#include <driftless/core/problem.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

// Whether a mechanism offers its matrices without their zeros: where that costs less than whole ones (matrices_of() says which it is), or as
// somebody asks.
enum class Matrices { that_cost_less, whole, sparse };

Matrices matrices_of(const MechanismModel& model);

std::shared_ptr<const Problem> make_problem(MechanismModel model,
                                            Matrices matrices = Matrices::that_cost_less);

}  // namespace driftless::mechanics

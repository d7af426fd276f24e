// RelativeProblem: a mechanism in relative coordinates as a Problem. What one acceleration and a projection onto the constraints need comes by
// recursion along the tree (tree_dynamics.hpp): M, f, g, G, c, L and those of velocity rows. Other derivatives, those that implicit methods ask
// for, come automatically from the equations (relative_equations.hpp).
#pragma once

#include <memory>

#include <driftless/core/problem.hpp>

#include "mechanics/relative/tree_dynamics.hpp"

namespace driftless::mechanics {

std::shared_ptr<const Problem> make_relative_problem(std::shared_ptr<const RelativeModel> model,
                                                     std::shared_ptr<const TreeDynamics> dynamics);

}  // namespace driftless::mechanics

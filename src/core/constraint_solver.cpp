#include <driftless/core/constraint_solver.hpp>

#include <driftless/core/problem.hpp>
#include <driftless/core/sparse_constraints.hpp>
#include <driftless/core/sparse_dynamics.hpp>

#include "dense_constraints.hpp"

namespace driftless {

std::unique_ptr<ConstraintSolver> make_constraint_solver(const Problem& problem, ConstraintSolver::Of of,
                                                         ConstraintSolver::Metric metric,
                                                         ConstraintSolver::For use) {
  const Shape& s = problem.shape();
  if (s.sparse() && (s.mass_by_bodies || metric == ConstraintSolver::Metric::points))
    return std::make_unique<SparseConstraints>(of, metric, use);
  return std::make_unique<DenseConstraints>(problem, of, metric, use);
}

const SparseDynamics* sparse_dynamics(const Problem& problem) {
  if (!problem.shape().sparse()) return nullptr;
  const auto* dynamics = dynamic_cast<const SparseDynamics*>(&problem);
  return dynamics && !dynamics->branches().sizes.empty() ? dynamics : nullptr;
}

std::unique_ptr<ConstraintSolver> make_dynamics_solver(const Problem& problem, ConstraintSolver::For use) {
  using Solver = ConstraintSolver;
  const SparseDynamics* dynamics = sparse_dynamics(problem);
  if (!dynamics)
    return std::make_unique<DenseConstraints>(problem, Solver::Of::all, Solver::Metric::mass, use);
  if (problem.shape().mass_by_bodies)
    return std::make_unique<SparseConstraints>(Solver::Of::all, Solver::Metric::mass, use);
  return std::make_unique<SparseConstraints>(
      SparseConstraints::by_branches(problem.sparse_pattern().C, dynamics->branches().sizes, use));
}

}  // namespace driftless

#include <driftless/core/constraint_solver.hpp>

#include <driftless/core/problem.hpp>
#include <driftless/core/sparse_constraints.hpp>

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

}  // namespace driftless

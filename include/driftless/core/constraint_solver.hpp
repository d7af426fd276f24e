// ConstraintSolver: the constraint rows of a problem, however its matrices are kept:
//
//   M a + B l = f,   C a = r        C = [G; K], or G;  B = C^T, or as the problem gives it;  M: its mass matrix, or moved points (smallest
//                                   displacements)
//
// Which rows count is decided by RankDecision (rank_decision.hpp); r of the others counts as far as it agrees.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/core/rank_decision.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless {

class Problem;
struct Evaluation;

class ConstraintSolver {
 public:
  using Of = RankDecision::Of;
  using For = RankDecision::For;
  enum class Metric { points, mass };

  virtual ~ConstraintSolver() = default;

  // M and B evaluated at one place, C at another, (t, z); for symmetric systems both are the same.
  virtual Status factor(const Problem& problem, double t, VectorIn z, const Evaluation& forces,
                        const Evaluation& rows) = 0;
  Status factor(const Problem& problem, double t, VectorIn z, const Evaluation& at) {
    return factor(problem, t, z, at, at);
  }
  // After factor(), with its `rows`. f and a, r and l may be the same vectors.
  virtual void solve(const Evaluation& rows, VectorIn f, VectorIn r, VectorOut a, VectorOut l) = 0;
  // After solve(), of its l: those of least norm among all with the same forces, where it does not yield these by itself.
  virtual void least_norm(const Evaluation& /*rows*/, VectorOut /*l*/) {}
  // Of a = solve(): see contradicts() in rank_decision.hpp.
  virtual bool contradicts(const Evaluation& rows, VectorIn a, VectorIn r, double free,
                           double curved) const = 0;

  virtual const std::vector<int>& left_out() const = 0;  // ascending
  bool full() const { return left_out().empty(); }
  const RankDecision& rank() const { return rank_; }

 protected:
  ConstraintSolver(Of of, For use) : rank_(of, use) {}
  ConstraintSolver(const ConstraintSolver&) = default;
  ConstraintSolver& operator=(const ConstraintSolver&) = default;

  RankDecision rank_;
};

std::unique_ptr<ConstraintSolver> make_constraint_solver(const Problem& problem, ConstraintSolver::Of of,
                                                         ConstraintSolver::Metric metric,
                                                         ConstraintSolver::For use);

}  // namespace driftless

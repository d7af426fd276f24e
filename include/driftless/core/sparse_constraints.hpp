// SparseConstraints: the constraint rows of a large mechanism, factored without their zeros (linalg/sparse_saddle.hpp).
//
// Which rows are independent is decided as in rank_decision.hpp, by angles in the metric of moved points at the nearest point of the manifold;
// masses have no part in that. The pivots of the factorisation, with M as its metric, say only when to look: where one of them is
// small that was not at the last decision, or other rows are lost than then. Where squares are useless (small angles, masses over many
// decades), a mechanism of moderate size is solved with orthogonal rows instead. Where rows are left out, multipliers are those of least norm.
//
// Where M couples more than a row of C touches (branches of a tree), rows are judged as smallest displacements, and [M B; C 0] is factored as a
// matrix of fields (linalg/field_matrix.hpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <driftless/core/constraint_solver.hpp>
#include <driftless/linalg/dependent_saddle.hpp>
#include <driftless/linalg/field_matrix.hpp>
#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless {

class SparseConstraints final : public ConstraintSolver {
 public:
  SparseConstraints(Of of, Metric metric, For use) : ConstraintSolver(of, use), of_(of), metric_(metric) {}
  // Whose rows are not the problem's, but brought to M = I by the caller.
  static SparseConstraints of_transformed_rows(For use) {
    SparseConstraints made(Of::all, Metric::mass, use);
    made.transformed_ = true;
    return made;
  }

  // `branches`: sizes of the groups of velocities that M couples.
  static SparseConstraints by_branches(const linalg::SparseRows& pattern, const std::vector<int>& branches,
                                       For use);

  using ConstraintSolver::factor;
  Status factor(const Problem& problem, double t, VectorIn z, const Evaluation& forces,
                const Evaluation& rows) override;
  // After factor(): the same without these rows.
  Status factor_without(const Evaluation& e, const std::vector<int>& rows);
  void solve(const Evaluation& rows, VectorIn f, VectorIn r, VectorOut a, VectorOut l) override;
  void least_norm(const Evaluation& forces, VectorOut l) override;
  bool contradicts(const Evaluation& rows, VectorIn a, VectorIn r, double free,
                   double curved = 0) const override;
  const std::vector<int>& left_out() const override { return left_out_; }
  const linalg::SparseSaddle& saddle() const { return saddle_; }
  void shares(int row, std::vector<double>& y) { saddle_.shares(row, y); }  // see SparseSaddle

 private:
  Status factor_branches(const Evaluation& forces, const Evaluation& rows);
  Status factor_rows(const Problem& problem, double t, VectorIn z, const Evaluation& e);
  void start(const Problem& problem, double t, VectorIn z, const linalg::SparseRows& C);
  const double* metric(const Evaluation& e) const;
  bool made_orthogonal(const Problem& problem, const Evaluation& e);
  bool as_decided();

  Of of_;
  Metric metric_;
  bool transformed_ = false;
  int rows_ = 0;
  linalg::SparseSaddle saddle_, near_;  // near_: for multipliers of least norm
  linalg::SparseSaddle across_;         // where B belongs to another place than C
  bool across_used_ = false;
  std::vector<int> left_out_;
  bool decided_ = false, restricted_ = false;  // restricted: saddle_ was told to leave rows out
  double weakest_ = 1;                         // pivot by its square, where all was well by angles
  std::vector<double> point_metric_;
  std::shared_ptr<linalg::DependentSaddle>
      orthogonal_;  // takes the place of saddle_ where squares are useless
  std::optional<linalg::FieldMatrix<double>> branches_;  // [M B; C 0], where M is made of those
  std::vector<char> idle_;                               // rows that are left out
  Vector pull_, zero_, rest_, fields_;
};

}  // namespace driftless

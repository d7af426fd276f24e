// DenseConstraints: a ConstraintSolver for matrices that are kept whole (linalg/saddle_point.hpp). Private to core.
#pragma once

#include <driftless/core/constraint_solver.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

class DenseConstraints final : public ConstraintSolver {
 public:
  DenseConstraints(const Problem& problem, Of of, Metric metric, For use);

  using ConstraintSolver::factor;
  Status factor(const Problem& problem, double t, VectorIn z, const Evaluation& forces,
                const Evaluation& rows) override;
  void solve(const Evaluation& rows, VectorIn f, VectorIn r, VectorOut a, VectorOut l) override;
  bool contradicts(const Evaluation& rows, VectorIn a, VectorIn r, double free, double curved) const override;
  const std::vector<int>& left_out() const override { return rank_.left_out(); }

 private:
  const Matrix& rows_of(const Evaluation& e);    // [G; K], or G
  const Matrix& pushes_of(const Evaluation& e);  // [B, K^T]

  const Shape& shape_;
  const int nk_;  // rows of K that count
  const Metric metric_;
  linalg::SaddlePoint saddle_;
  Matrix points_;  // diag(levers^2), where that is the metric and levers are known
  Matrix C_, B_;
};

}  // namespace driftless

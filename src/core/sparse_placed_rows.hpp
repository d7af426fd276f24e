// SparsePlacedRows: constraint rows at a place, of a problem whose matrices are kept without their zeros (redundancy.hpp), and which of them are
// independent. Private to core.
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/linalg/sparse_saddle.hpp>

#include "redundancy.hpp"

namespace driftless {

class SparsePlacedRows final : public PlacedRows {
 public:
  // The first `rows` rows of [G; K]. `sizes`: those of row_sizes().
  SparsePlacedRows(const Problem& problem, int rows, const Scales& scales, const Vector& sizes);

  int count() const override { return rows_; }
  bool evaluate(double t, VectorIn z) override;
  std::vector<int> dependent(double sine) override;
  bool keep_without(const std::vector<int>& rows) override;
  void least_move(VectorIn right, VectorOut delta) override;
  void times(VectorIn delta, VectorOut right) const override;
  void residual(VectorOut missed) const override;

  const Vector& place() const { return place_; }  // where the rows were evaluated last
  // Evaluates at the nearest point of the manifold, two steps of Gauss and Newton away, and says how far it is, as a part of ordinary displacements.
  double evaluate_nearest(double t, VectorIn z);
  // Rows to be left out: at most so many unless sines are up to `sine`; ascending.
  std::vector<int> left_out(double sine, int redundant);
  double off(const std::vector<int>& rows) const;  // the largest residual of these

 private:
  std::vector<int> vanishing() const;
  bool factor(const std::vector<int>& without, double limit);

  const Problem& problem_;
  const Shape& shape_;
  const int rows_;
  const Scales& scales_;
  const Vector& sizes_;
  linalg::SparseRows C_;  // rows by their lengths, columns by the levers
  linalg::SparseSaddle saddle_;
  Evaluation e_;
  Workspace work_;
  Vector place_, lengths_, missed_, zero_, multipliers_;
};

}  // namespace driftless

// SparsePlacedRows: constraint rows at a place, of a problem whose matrices are kept without their zeros. Private to core.
#pragma once

#include <vector>

#include <driftless/linalg/sparse_saddle.hpp>

#include "placed_rows.hpp"

namespace driftless {

class SparsePlacedRows final : public PlacedRows {
 public:
  SparsePlacedRows(const Problem& problem, int rows, const Scales& scales, const Vector& sizes);

  bool evaluate(double t, VectorIn z) override;
  std::vector<int> left_out(const RowLimits& limits) override;
  std::vector<int> dependent(double sine) override;
  bool keep_without(const std::vector<int>& rows) override;
  void least_move(VectorIn right, VectorOut delta) override;
  void times(VectorIn delta, VectorOut right) const override;

 private:
  std::vector<int> vanishing() const;
  bool factor(const std::vector<int>& without, double limit);
  bool keep_safe_positions() override;

  linalg::SparseRows C_;  // rows by their lengths, columns by the levers
  linalg::SparseSaddle saddle_;
  Evaluation e_;
  Vector zero_, multipliers_;
};

}  // namespace driftless

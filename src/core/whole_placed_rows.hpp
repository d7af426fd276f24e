// WholePlacedRows: constraint rows at a place, of a problem with whole matrices. Private to core.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <Eigen/QR>

#include <driftless/linalg/chosen_rows.hpp>
#include <driftless/linalg/row_basis.hpp>

#include "placed_rows.hpp"

namespace driftless {

class WholePlacedRows final : public PlacedRows {
 public:
  using PlacedRows::PlacedRows;

  bool evaluate(double t, VectorIn z) override;
  std::vector<int> left_out(const RowLimits& limits) override;
  std::vector<int> dependent(double sine) override;
  double weakest() const override { return weakest_; }
  bool prefer_strong_rows() override {
    safe_sine_ = 0.5;  // to the first ones
    return true;
  }
  bool keep_without(const std::vector<int>& rows) override;
  void least_move(VectorIn right, VectorOut delta) override;
  void times(VectorIn delta, VectorOut right) const override;

 private:
  // Rows that count, strongest first: those whose sine is above limit(k) for the k-th of the group.
  void choose_group(int first, int size, Matrix& rest, const std::function<double(int)>& limit,
                    std::vector<int>& left_out);
  bool keep_safe_positions() override;

  Evaluation e_;
  Matrix C_;  // rows by their lengths, columns by the levers
  double weakest_ = 1;
  double safe_sine_ = linalg::least_safe_sine;
  Eigen::CompleteOrthogonalDecomposition<Matrix> kept_;  // rows that least_move() means; the others are zero
  std::optional<linalg::RowBasis> safe_;                 // it means the strongest rows of this instead
};

}  // namespace driftless

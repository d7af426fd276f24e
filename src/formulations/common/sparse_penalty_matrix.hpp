// SparsePenaltyMatrix: M + C^T W C of large mechanisms (penalty_matrix.hpp). Nodes of its factorisation are what M couples, bodies or branches of a
// tree; a row couples those that it has entries of.
#pragma once

#include <vector>

#include <driftless/linalg/block_cholesky.hpp>
#include <driftless/linalg/sparse_rows.hpp>

#include "penalty_matrix.hpp"
#include "row_segments.hpp"

namespace driftless::formulations {

class SparsePenaltyMatrix final : public PenaltyMatrix {
 public:
  explicit SparsePenaltyMatrix(const Problem& problem);

  void take(const Evaluation& at) override;
  Status factor(const Vector& root) override;
  linalg::RowsView rows() const override { return {C_, C_.rows}; }
  const Vector& mass_diagonal() const override { return diagonal_; }
  void subtract_mass_times(VectorIn x, Vector& y) const override;
  void subtract_pull(const Vector& s, Vector& y) const override {
    X_.add_transposed_times(X_.rows, -1, s.data(), y.data());
  }
  void rows_times(const Vector& x, Vector& along) const override {
    along.setZero();
    X_.add_times(X_.rows, 1, x.data(), along.data());
  }
  void divide(Vector& x) override { H_.solve(x.data()); }

 private:
  // What two segments of a row add to H.
  struct Product {
    RowSegment a, b;
    linalg::BlockPattern::Slot to;
  };
  void add_mass();
  void add_products();

  const std::vector<int> sizes_;
  linalg::SparseRows C_, X_;  // X_: transposed, rows by their roots
  RowSegments segments_;
  std::vector<double> M_;
  std::vector<Product> products_;
  std::vector<linalg::BlockPattern::Slot> own_;
  linalg::BlockCholesky H_;
  Vector diagonal_;
};

}  // namespace driftless::formulations

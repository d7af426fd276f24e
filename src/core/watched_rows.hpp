// WatchedRows: constraint rows that a singularity watch looks at: how long they are, what is left of them without their part in the rows
// before them. Before: in their own order where matrices are whole, in the order of elimination where they are sparse. Private to core.
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/row_angles.hpp>
#include <driftless/core/sparse_constraints.hpp>

namespace driftless {

class WatchedRows {
 public:
  explicit WatchedRows(const Problem& problem);

  // These rows of [G; K] from now on; of sparse matrices always all.
  void choose(std::vector<int> rows);
  const std::vector<int>& chosen() const { return chosen_; }
  int count() const { return static_cast<int>(chosen_.size()); }

  bool evaluate(double t, VectorIn z);  // lengths and angles there; false where something is not finite
  bool take(const Matrix& rows);        // the same from rows that somebody evaluated already
  RowAngles& angles() { return angles_; }
  const RowAngles& angles() const { return angles_; }
  const Evaluation& parts() const { return e_; }

  Vector in_metric(VectorIn row) const;  // of entries by displacements

  // After evaluate(): what is left of row k, and how much of each row was taken away.
  Vector rest(int k);
  const Vector& shares() const { return shares_; }

  int rank(double limit)
      const;  // after evaluate(): how many rows have singular values above the limit, each divided by its length
  // After evaluate(): how far the weakest row is from the others, by the sizes that rows have nearby (row_sizes()). Sparse: by the pivots.
  double smallest_sine(const RowSizes& nearby) const;
  // Of sparse matrices: rows that the others imply, ascending, as decided at a state; their angles do not count from then on.
  const std::vector<int>& decide(double t, VectorIn z);
  // After decide(): the combination of the rows that count which such a row is, 0 for those that do not.
  Vector combination(int row);
  int redundant() const { return rank_.rank().redundant(); }  // how many of these are so everywhere

 private:
  const Problem& problem_;
  const Shape& shape_;
  Parts parts_;
  Evaluation e_;
  std::vector<int> chosen_;
  RowAngles angles_;
  Vector shares_;
  const Vector levers_;               // empty: not known
  const std::vector<double> metric_;  // of sparse rows: diag(levers^2)
  Matrix rows_;                       // those chosen, in the metric of moved points
  linalg::SparseSaddle saddle_;       // of sparse rows
  SparseConstraints rank_{SparseConstraints::Of::all, SparseConstraints::Metric::points,
                          SparseConstraints::For::accelerations};
  std::vector<double> taken_;
};

}  // namespace driftless

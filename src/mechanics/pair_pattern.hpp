// Where the entries of matrices over pairs of bodies stand: how what acts on one body changes as another one moves. In whole matrices, and in rows
// without their zeros, where the entries of a body stand side by side and all rows of a body have the same columns.
#pragma once

#include <algorithm>

#include "mechanics/row_pattern.hpp"

namespace driftless::mechanics {

// Bodies that share a measure of a row or a force, or whose measures a force depends on; not those of rows whose pulls on one body do not change as
// the other one moves.
linalg::SparseRows pair_pattern(const MechanismModel& model);

// Blocks of such matrices by the first velocities of the two bodies.
struct WholePairs {
  double* data;
  Eigen::Index rows;
  RowBlock block(int row_v, int column_v) const { return {data + row_v + column_v * rows, 1, rows}; }
};
struct SparsePairs {
  linalg::SparseRows& matrix;
  RowBlock block(int row_v, int column_v) const {
    const int first = matrix.first(row_v), last = matrix.last(row_v);
    const int* columns = matrix.column.data();
    const auto entry = std::lower_bound(columns + first, columns + last, column_v) - columns;
    return {matrix.value.data() + entry, last - first, 1};
  }
};

}  // namespace driftless::mechanics

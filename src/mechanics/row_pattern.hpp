// Where the entries of rows over bodies stand: in whole matrices, and in rows without their zeros, where the entries of a body stand side by
// side.
#pragma once

#include <driftless/core/problem.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

// Entries of some rows that belong to one body.
struct RowBlock {
  double* at;
  Eigen::Index row_step, column_step;
  double& operator()(int i, int j) const { return at[i * row_step + j * column_step]; }
};

class RowPattern {
 public:
  explicit RowPattern(const MechanismModel& model);

  const linalg::SparseRows& rows() const { return rows_; }  // of [G; K], without values
  int entry(int row, int body) const;                       // of a body's first one; 0 for the ground
  int length(int row) const { return rows_.last(row) - rows_.first(row); }

 private:
  const MechanismModel& model_;
  linalg::SparseRows rows_;
};

// A whole matrix, and the values of sparse rows, as something that has such entries.
struct WholeRows {
  static constexpr bool keeps_constants = false;  // it was cleared
  double* data;
  Eigen::Index rows;
  RowBlock block(int row, int v, int, int) const { return {data + row + v * rows, 1, rows}; }
};
struct ValuesOfRows {
  static constexpr bool keeps_constants = true;
  double* values;
  RowBlock block(int, int, int entry, int length) const { return {values + entry, length, 1}; }
};

// What is asked for of rows at a state, and where it goes; null and false: not asked for.
template <class Target>
struct WantedRows {
  double *g, *rates, *c;
  bool with_G, with_L;
  Target G, L;
};

}  // namespace driftless::mechanics

// ColumnGroups: columns of a sparse matrix that share no row, so that their derivatives are computed together, as one directional derivative
// (Curtis, Powell, Reid 1974). Greedy: a column joins the first group in which no column shares a row with it.
#pragma once

#include <vector>

#include <driftless/linalg/sparse_rows.hpp>

namespace driftless::linalg {

struct ColumnGroups {
  int count = 0;
  std::vector<int> of_column;
};

ColumnGroups column_groups(const SparseRows& pattern);

}  // namespace driftless::linalg

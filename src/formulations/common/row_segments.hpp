// The entries of constraint rows by the blocks of the mass matrix that they belong to.
#pragma once

#include <vector>

#include <driftless/linalg/sparse_rows.hpp>

namespace driftless::formulations {

// Entries of a row that follow each other in one block.
struct RowSegment {
  int block;
  int own;    // the first one's place in the block
  int entry;  // and in the rows
  int count;
};

struct RowSegments {
  std::vector<RowSegment> all;  // row by row, blocks ascending
  std::vector<int> start;       // of a row; one more than there are rows

  RowSegments() = default;
  RowSegments(const linalg::SparseRows& C, const std::vector<int>& blocks) {
    std::vector<int> block_of, first_of;
    for (const int size : blocks) {
      first_of.push_back(static_cast<int>(block_of.size()));
      block_of.insert(block_of.end(), static_cast<std::size_t>(size), static_cast<int>(first_of.size()) - 1);
    }
    const auto at = [&](int column) { return block_of[static_cast<std::size_t>(column)]; };
    start.push_back(0);
    for (int i = 0; i < C.rows; ++i) {
      for (int k = C.first(i); k < C.last(i);) {
        const int column = C.column_of(k), block = at(column);
        int count = 1;
        while (k + count < C.last(i) && C.column_of(k + count) == column + count &&
               at(column + count) == block)
          ++count;
        all.push_back({block, column - first_of[static_cast<std::size_t>(block)], k, count});
        k += count;
      }
      start.push_back(static_cast<int>(all.size()));
    }
  }
};

}  // namespace driftless::formulations

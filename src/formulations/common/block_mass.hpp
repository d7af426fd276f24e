// BlockMass: the mass matrix of a large mechanism by the blocks of its bodies (or branches of a tree), M = L L^T.
#pragma once

#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/linalg/kernels.hpp>
#include <driftless/linalg/sparse_rows.hpp>
#include <driftless/linalg/types.hpp>

#include "row_segments.hpp"

namespace driftless::formulations {

class BlockMass {
 public:
  // Whose columns have the rows C.
  BlockMass(const std::vector<int>& sizes, const linalg::SparseRows& C);

  // Blocks one after the other. False where a pivot is not above limit times what its diagonal entry was.
  bool factor(const std::vector<double>& M, double limit);

  void divide(double* x) const;                                                    // x := M^-1 x
  double square(const linalg::SparseRows& C, int row) const;                       // C_i M^-1 C_i^T
  void add_times(const std::vector<double>& M, const double* x, double* y) const;  // y += M x
  void add_inverse(double factor, std::vector<double>& M) const;  // M += factor M^-1 of what was factored

 private:
  struct Block {
    int first, size, start;  // column, order, where it begins in M
    const linalg::CholeskyKernel* kernel;
  };
  std::vector<Block> blocks_;
  RowSegments segments_;
  std::vector<double> L_;
  mutable std::vector<double> work_;
};

}  // namespace driftless::formulations

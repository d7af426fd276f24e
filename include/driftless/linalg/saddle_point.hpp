// The saddle-point system with dense blocks and sizes known at run time.
//
//     [M B] [a]   [f]       M = L L^T by its structure,  X = C L^-T,  Y = B^T L^-T  (Y = X when B = C^T)
//     [C 0] [l] = [r]       S = X Y^T = C M^-1 B:  Cholesky when B = C^T, LU with row pivoting otherwise
//                           y = L^-1 f,  S l = X y - r,  a = L^-T (y - Y^T l)
//
// Above the sizes that kernels.hpp unrolls, X with many zeros is kept without them (sparse_panel.hpp, sparse_cholesky.hpp).
// Where M is not safely positive definite, or S is lost although the rows of C and the columns of B are
// independent (huge mass ratios), the whole matrix is factored instead; it may be regular for a singular M.
// Nothing is allocated after construction, except when factor() reports a failure. Fails with rank_loss where
// rows of C are within an angle of about 3e-7 of being dependent, whatever their units (factor_status.hpp); who knows
// which of them are independent says so and gets the solution of dependent_saddle.hpp.
#pragma once

#include <memory>
#include <vector>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/kernels.hpp>
#include <driftless/linalg/sparse_cholesky.hpp>
#include <driftless/linalg/sparse_panel.hpp>
#include <driftless/linalg/types.hpp>
#include <driftless/linalg/whole_matrix.hpp>

namespace driftless::linalg {

class DependentSaddle;

enum class MassStructure { identity, diagonal, block_diagonal, dense };

struct SaddleShape {
  int n = 0;
  int m = 0;
  MassStructure mass = MassStructure::dense;
  std::vector<int> blocks;  // block sizes, sum n, when block_diagonal
};

class SaddlePoint {
 public:
  SaddlePoint() = default;
  explicit SaddlePoint(const SaddleShape& shape);

  /// B = C^T. M is n x n and taken as symmetric (lower triangle): with identity it is not read, with diagonal
  /// only its diagonal, with block_diagonal only the blocks. C is m x n. m > n is rank_loss at once.
  FactorStatus factor(MatrixIn M, MatrixIn C);

  /// B (n x m) given. Also rank_loss if only C M^-1 B is singular. Pass either overload column-major matrices
  /// or blocks of such: Eigen copies anything else, and that allocates.
  FactorStatus factor(MatrixIn M, MatrixIn B, MatrixIn C);

  /// Only these rows of C, and as many columns of B, are independent; m > n is allowed. Allocates.
  FactorStatus factor(MatrixIn M, MatrixIn B, MatrixIn C, const std::vector<int>& rows,
                      const std::vector<int>& columns);

  /// After ok. f and a, r and l may be the same vectors.
  void solve(VectorIn f, VectorIn r, VectorOut a, VectorOut l) const;

  /// 1-norm condition number of S with rows (and columns) scaled to unit diagonal, or of the equilibrated
  /// whole matrix where that was factored; 1 without constraints; infinity after a failed factor. Costs m
  /// solves.
  double condition_estimate() const;

  /// After rank_loss: the rows of C (or columns of B) that depend on earlier ones, 0-based. Else empty.
  std::vector<int> dependent_rows() const;

  /// By the pivots of S, where B = C^T and it was factored: S_jj and the pivot, which is S_jj sin^2 of the angle of row j
  /// to the rows before it (in the metric M^-1). False: not known.
  bool row_pivots(VectorOut squares, VectorOut pivots) const;

  /// Whether these leave no doubt that the rows are independent: sines above 1e-2, and no row that nearly vanishes. False also where
  /// it is not known.
  bool clearly_independent() const;

  /// Whether the last factor() had to measure the rows, because its pivots were not to be believed.
  bool doubted() const { return doubted_; }

  /// Whether the last factor() had to take the whole matrix.
  bool used_whole_matrix() const { return route_ == Route::whole; }

 private:
  enum class Route { none, symmetric, sparse, unsymmetric, whole, dependent };
  struct Block {
    int offset, start, size;  // first unknown, first entry in L_, order
    const CholeskyKernel* kernel;
  };

  void check_sizes(MatrixIn M, MatrixIn C) const;
  bool factor_mass(MatrixIn M);
  void to_panel(const StridedView& A, double* panel) const;  // A L^-T for an m x n matrix A
  bool factor_symmetric(const StridedView& C);
  bool factor_symmetric_dense(double limit);
  bool factor_symmetric_sparse(double limit);
  bool factor_unsymmetric(double limit);
  bool independent(const StridedView& rows);
  double mass_entry(MatrixIn M, int i, int j) const;
  FactorStatus factor_as_whole(MatrixIn M, const StridedView& B, const StridedView& C, bool mass_regular);
  FactorStatus fail(FactorStatus status, const StridedView& B, const StridedView& C);
  Matrix schur_complement() const;  // as factored: scaled when unsymmetric
  bool by_cholesky() const { return route_ == Route::symmetric || route_ == Route::sparse; }
  void solve_rows(double* a, double* l) const;
  void lower_solve(double* x) const;  // L^-1 x
  void upper_solve(double* x) const;  // L^-T x

  SaddleShape shape_;
  Route route_ = Route::none;
  bool doubted_ = false;
  FactorStatus status_ = FactorStatus::ok;
  std::vector<Block> blocks_;
  const CholeskyKernel* rows_ = &cholesky_kernel(0);
  std::vector<double> L_, X_, Y_, S_, row_scale_, column_scale_;
  std::vector<int> row_swap_;
  SparsePanel sparse_X_;
  SparseCholesky sparse_S_;
  WholeStorage<std::vector<double>, std::vector<double>, std::vector<double>, std::vector<int>> whole_;
  std::shared_ptr<const DependentSaddle>
      dependent_;               // never changed once factored, so that copies may share it
  Matrix failed_C_, failed_B_;  // C and B^T after a rank loss
};

}  // namespace driftless::linalg

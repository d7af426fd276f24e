// The saddle-point system of large mechanisms, with work that grows like their entries:
//
//     [M C^T] [a]   [f]       M = L L^T block by block,  X = C L^-T, which has the zeros of C
//     [C  0 ] [l] = [r]       S = X X^T = L_S L_S^T by blocks (block_cholesky.hpp), in an order with little fill
//                             S l = X L^-1 f - r,   a = L^-T (L^-1 f - X^T l)
//
// Rows within a sine of 1e-5 of those before them (in the order of elimination) are left out: their multipliers are 0, and who asked for
// them hears of it. Where pivots are small but above that, the solution is refined with the residual C a - r, which does not suffer from the
// squares that S is made of. Order and places are found once, at construction; nothing is allocated later.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <driftless/linalg/block_cholesky.hpp>
#include <driftless/linalg/block_lu.hpp>
#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/sparse_rows.hpp>

namespace driftless::linalg {

class SparseSaddle {
 public:
  SparseSaddle() = default;
  // The first `rows` rows of matrices with this pattern, with columns in blocks of these sizes, those of M.
  SparseSaddle(const SparseRows& pattern, int rows, const std::vector<int>& blocks);

  bool empty() const { return !S_; }
  int rows() const { return rows_; }

  // These rows do not count, until said otherwise.
  void leave_out(const std::vector<int>& rows);

  // mass: the blocks of M one after the other, column by column; null: M = I. Rows whose squared sine is up to `limit` are
  // left out. `shift` is added to the diagonal of S.
  FactorStatus factor(const double* mass, const SparseRows& C, double limit = dependent_limit,
                      double shift = 0);
  // [M B^T; C 0] with rows B that differ from C, both with the pattern: S = X Y^T, Y = B L^-T, by LU (block_lu.hpp). Rows count as
  // independent but for those that were left out; rank_loss where they are not.
  FactorStatus factor(const double* mass, const SparseRows& B, const SparseRows& C);
  const std::vector<int>& dependent() const {
    return S_->dependent();
  }  // rows that the last factor() left out

  // After ok. f and a, r and l may be the same vectors; C: the matrix that was factored.
  void solve(const SparseRows& C, VectorIn f, VectorIn r, VectorOut a, VectorOut l);
  void solve_rows(double* l) { S_->solve(l); }  // S l = r

  // As SaddlePoint has them: S_jj, and what is left of it without the rows before row j.
  const std::vector<double>& squares() const { return S_->squares(); }
  const std::vector<double>& pivots() const { return S_->pivots(); }
  double weakest() const { return weakest_; }  // the smallest pivot by its square, of rows that count

  // Of the rows before a row, those that its part in their span is made of: row = sum of y_i row_i + rest. Zero for all others.
  void shares(int row, std::vector<double>& y);
  int place(int row) const { return S_->place(row); }  // in the order of elimination

  static constexpr double dependent_limit = 1e-10;

 private:
  struct Block {
    int first, size, start;  // column, order, where it begins in L_
  };
  // X_a X_b^T over one block of columns, added to an entry block of S.
  struct Product {
    int a, b, rows_a, rows_b, step_a, step_b, size;
    BlockPattern::Slot to;
    int row_a, row_b;  // first rows of the nodes
  };

  bool factor_mass(const double* mass);
  void set_panel(const SparseRows& C, SparseRows& X) const;
  void multiply();
  void multiply_unsymmetric();
  void start_unsymmetric();
  double residual(const SparseRows& C, VectorIn a);
  void lower_solve(double* x) const;  // L^-1 x
  void upper_solve(double* x) const;  // L^-T x

  int rows_ = 0, columns_ = 0;
  std::vector<Block> blocks_;
  std::vector<int> segment_start_;  // of the segments of row i
  struct Segment {
    int block, entry;  // where its entries begin in X
  };
  std::vector<Segment> segments_;
  std::vector<Product> products_;
  std::vector<std::size_t> diagonal_entries_;  // of S
  SparseRows X_;
  std::vector<double> mass_, L_, y_, left_, wanted_;
  std::vector<char> diagonal_;  // blocks of L that are
  bool identity_ = true;
  double weakest_ = 1;
  std::shared_ptr<const BlockPattern> order_;
  std::optional<BlockCholesky> S_;
  // Where B differs from C:
  bool unsymmetric_ = false;
  SparseRows Y_;
  std::optional<BlockLu<double>> lu_;
  std::vector<BlockPattern::Slot> lower_, upper_;  // of products, and of them transposed
  std::vector<char> left_out_, idle_;              // rows; idle: those that depend on others, too
};

}  // namespace driftless::linalg

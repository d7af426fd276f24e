// PenaltyMatrix: M + C^T W C of a mechanism, C = [G; K], W = diag(root)^2, and the products that PenaltyIteration is made of, however matrices are kept.
// Inside, rows are scaled by the roots: X = C^T W^(1/2).
//
//   whole     one Cholesky factorisation of nv x nv
//   sparse    by blocks of bodies (or branches of a tree), of which two meet where a row has both: linear in their number as long as loops are local
#pragma once

#include <memory>

#include <driftless/core/problem.hpp>
#include <driftless/linalg/kernels.hpp>
#include <driftless/linalg/rows_view.hpp>
#include <driftless/linalg/saddle_point.hpp>

namespace driftless::formulations {

class PenaltyMatrix {
 public:
  virtual ~PenaltyMatrix() = default;

  virtual void take(const Evaluation& at) = 0;  // M, G and K there
  // M + X X^T of what was taken; singular_mass where it is not positive definite.
  virtual Status factor(const Vector& root) = 0;

  virtual linalg::RowsView rows() const = 0;  // C
  virtual const Vector& mass_diagonal() const = 0;

  // After factor().
  virtual void subtract_mass_times(VectorIn x, Vector& y) const = 0;  // y -= M x
  virtual void subtract_pull(const Vector& s, Vector& y) const = 0;   // y -= X s
  virtual void rows_times(const Vector& x, Vector& along) const = 0;  // along = X^T x
  virtual void divide(Vector& x) = 0;                                 // x := (M + X X^T)^-1 x
};

class WholePenaltyMatrix final : public PenaltyMatrix {
 public:
  explicit WholePenaltyMatrix(const linalg::SaddleShape& shape);

  void take(const Evaluation& at) override;
  void take(MatrixIn M, MatrixIn C);
  Status factor(const Vector& root) override;
  linalg::RowsView rows() const override { return {C_, none_}; }
  const Vector& mass_diagonal() const override { return diagonal_; }
  void subtract_mass_times(VectorIn x, Vector& y) const override { y.noalias() -= M_.lazyProduct(x); }
  void subtract_pull(const Vector& s, Vector& y) const override { y.noalias() -= X_.lazyProduct(s); }
  void rows_times(const Vector& x, Vector& along) const override {
    along.noalias() = X_.transpose().lazyProduct(x);
  }
  void divide(Vector& x) override {
    kernel_->forward(shape_.n, H_.data(), x.data());
    kernel_->backward(shape_.n, H_.data(), x.data());
  }

 private:
  void copy_mass(MatrixIn M);

  linalg::SaddleShape shape_;
  const linalg::CholeskyKernel* kernel_;
  Matrix M_, H_, X_, C_;
  const Matrix none_;
  Vector diagonal_;
};

// Sparse where the problem offers M and its rows without zeros. Throws InputError where it does not and is too large.
std::unique_ptr<PenaltyMatrix> penalty_matrix(const Problem& problem);

}  // namespace driftless::formulations

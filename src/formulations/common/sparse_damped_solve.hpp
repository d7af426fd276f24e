// SparseDampedSolve: what linalg/damped_solve.hpp does for a matrix A, for A = C W^-1 C^T of large mechanisms, which is never formed, and scaled by D:
//
//   W = M, or M + rho C^T C;   S = D A D is symmetric, positive semidefinite
//   shifted         (S + eps I) y = r
//   least_squares   (S^2 + eps I) y = S r:    y = Re (S + i sqrt(eps) I)^-1 r, so that the condition of S is not squared here either
//                   (S^2 + eps I) x = b:      x = -Im (S + i sqrt(eps) I)^-1 b / sqrt(eps)
// Both are A + tau Z with Z = D^-2 and tau = eps or i sqrt(eps), and that is a saddle without fill (linalg/field_matrix.hpp):
//
//   [M C^T    ] [a]   [rho C^T r]    u = y + rho w,  w = C a + r = tau Z y:  W a + C^T y = M a + C^T u - rho C^T r = 0
//   [C -sigma ] [u] = [   -r    ]    so that u = (1 + rho tau Z) y,  sigma = tau Z/(1 + rho tau Z)
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/linalg/damped_solve.hpp>
#include <driftless/linalg/field_matrix.hpp>

namespace driftless::formulations {

class SparseDampedSolve {
 public:
  // Blocks of M, pattern of C.
  SparseDampedSolve(linalg::Damping kind, const std::vector<int>& blocks, const linalg::SparseRows& C);

  // Of matrices that stay where they are until the last solve(); rho = 0: W = M.
  void take(const std::vector<double>& M, const linalg::SparseRows& C, double rho) {
    M_ = &M;
    C_ = &C;
    rho_ = rho;
  }
  void scale(const Vector& D) { D_ = D; }

  // False where something is not finite or the matrix has no pivots.
  bool factor(double epsilon);
  bool factor_within(VectorIn r, double floor, double radius);  // as DampedSolve has it

  // After true. r and y may be the same vector.
  void solve(VectorIn r, VectorOut y);         // y(eps)
  void solve_normal(VectorIn b, VectorOut x);  // (S^2 + eps I) x = b or (S + eps I) x = b
  double epsilon() const { return epsilon_; }

  // [M C^T; C -I/rho] [a; .] = [f; 0]: W a = f, for rho above 0.
  bool factor_augmented();
  void divide_augmented(VectorOut f);

 private:
  template <class Scalar>
  bool factor(linalg::FieldMatrix<Scalar>& matrix, Scalar tau);
  template <class Scalar>
  void fill(linalg::FieldMatrix<Scalar>& matrix) const;
  template <class Scalar>
  void solve(linalg::FieldMatrix<Scalar>& matrix, Scalar tau, VectorIn r);  // to x_, or complex_x_
  std::complex<double> tau() const { return {0, std::sqrt(epsilon_)}; }
  Vector& values(double) { return x_; }
  Eigen::VectorXcd& values(std::complex<double>) { return complex_x_; }

  const linalg::Damping kind_;
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  std::unique_ptr<linalg::FieldMatrix<double>> real_, augmented_;
  std::unique_ptr<linalg::FieldMatrix<std::complex<double>>> complex_;
  const std::vector<char> none_left_out_;
  const std::vector<double>* M_ = nullptr;
  const linalg::SparseRows* C_ = nullptr;
  double rho_ = 0, epsilon_ = 0;
  Vector D_, x_, y_, normal_;
  Eigen::VectorXcd complex_x_;
};

}  // namespace driftless::formulations

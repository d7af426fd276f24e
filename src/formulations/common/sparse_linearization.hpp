// SparseLinearization: the derivatives of a constrained system of order 2 (constrained_system.hpp) without their zeros, and the iteration matrix
// c F_y' + F_y made of them (linalg/field_matrix.hpp). Unknowns are (d_0, d_1), displacements of positions and velocities, and (l, mu):
//
//   (c - W) d_0 - d_1 - P G^T dmu         = r_0        W = N^+ (N v)_q N,  P: how mu pushes (push_metric.hpp)
//   A_0 d_0 + (c M + A_1) d_1 + C^T dl    = r_1        A_0 = -f_x + (C^T l)_x,  A_1 = -f_v,  C = [G; K],  l = (lambda, kappa)
//   sum_j imposed[i][j] (g^(j) by d)      = r          g by d: G d_0,  g' by d: L d_0 + G d_1,  w by d: w_x d_0 + K d_1
//
// Rows that others imply are not imposed; their multipliers stay as they are.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/core/system.hpp>

#include "constrained_system.hpp"
#include "field_iteration.hpp"

namespace driftless::formulations {

class SparseLinearization {
 public:
  SparseLinearization(const Problem& problem, const ConstrainedForm& form);

  const linalg::FieldPattern& pattern() const { return *pattern_; }

  // parts: C, L, by_x, by_v, Bl_x, M; v: velocities there.
  void set(const Evaluation& parts, VectorIn v, const std::vector<int>& left_out);
  FieldPlace& place() { return place_; }  // where N and N^+ are taken
  const FieldPlace& place() const { return place_; }

  std::unique_ptr<IterationMatrix<double>> real_matrix(Work& work) const;
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix(Work& work) const;

  // speed -= what mu pushes positions by.
  void subtract_pushes(const linalg::SparseRows& C, const double* mu, Vector& speed) const;
  void scale_pushes(linalg::SparseRows& C) const;  // to the transposed directions along which it does so
  // The constraint rows of all that is imposed and their unknowns, by the rows of [G; K].
  int row_of(int i, int k) const;         // imposed[i] (or w, with i = 0) of row k
  int multiplier_of(int i, int k) const;  // i = 0: lambda or kappa, i = 1: mu

 private:
  template <class Scalar>
  friend class SparseIterationMatrix;

  const Shape& shape_;
  const std::vector<std::vector<double>> imposed_;
  const Vector push_metric_;  // empty: mu pushes along C^T
  const bool stabilized_;
  const std::vector<int> quaternions_;  // the first of three rates each
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  SparseParts at_;
  Vector v_;
  std::vector<int> left_out_;
  std::vector<char> not_of_g_, not_of_w_;  // rows of [G; K] that are not imposed as rows of G, as rows of K
  FieldPlace place_;
  mutable Vector pushed_;
};

}  // namespace driftless::formulations

// SparseLinearization: the derivatives of a constrained system of order 2 (constrained_system.hpp) without their zeros, and the iteration matrix
// c F_y' + F_y made of them (linalg/field_matrix.hpp). Unknowns are (d_0, d_1), displacements of positions and velocities, l = (lambda,
// kappa), mu_0 of positions and e = (mu_1, eta_w) of velocities, as far as the form has them. C = [G; K], L = [g'_x; w_x].
//
//   (c - W) d_0 - d_1 - P G^T dmu_0 - tau^2 P L^T de  = r_0     W = N^+ (N v)_q N,  P: how pushes are measured (push_metric.hpp)
//   A_0 d_0 + (c M + A_1) d_1 + C^T dl                = r_1     top by forces:  A_0 = -f_x + (M a)_x + (C^T l)_x,  A_1 = -f_v
//   c d_1 - da - P C^T de                             = r_1     top by acceleration
//   sum_j imposed[i][j] (g^(j) by d)                  = r       g by d: G d_0,  [g'; w] by d: L d_0 + C d_1
//
// What would have no zeros is kept apart as further unknowns:
//   accelerations a        M da + A_0 d_0 + A_1 d_1 + C^T dl = 0,   C da + c_x d_0 + c_v d_1 = r       (l: those of a; r = 0 unless these
//                          rows are imposed)
//   M^-1 C^T de            the rows of the top are multiplied by M, and so are their residuals
//   c p = M^-1 G^T mu_0    c M p - G^T mu_0 = 0: p is a displacement, so that no row mixes what differs by c
//   invariants             a border of few rows (field_iteration.hpp)
// Rows beside the square system A_1 y = r_1, A_2 y = r_2 (ssf_matrix.hpp) are [A_1 W A_2^T; A_2 0] with multipliers m that nobody asks for:
// the ssf solution by Fuehrer, Leimkuhler (1991), (38). It is factored anew in every iteration, as far as A_2 is that of the iterate.
// W A_2^T d: P G^T m_0 + tau^2 P L^T m_1 for positions, P C^T m_1 for velocities.
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

// A field of constraint rows: where its residuals and unknowns stand in those of the system, -1: nowhere. Those of K follow by themselves.
struct RowField {
  int residual_of_g = -1, residual_of_w = -1;
  int unknown_of_g = -1, unknown_of_w = -1;
};

class SparseLinearization {
 public:
  SparseLinearization(const Problem& problem, const ConstrainedForm& form, int invariants);

  const linalg::FieldPattern& pattern() const { return *pattern_; }

  // parts: C, L, by_x, by_v, Bl_x, M; v: velocities there; tau: the unit of time of pushes.
  void set(const Evaluation& parts, VectorIn v, const std::vector<int>& left_out, double tau);
  // by_x, by_v, Bl_x, c_x, c_v at the accelerations that are unknowns.
  void set_accelerations(const Evaluation& parts, const std::vector<int>& left_out);
  void set_beside(const Evaluation& parts);      // C and L of the rows beside
  void measure_beside_by(double tau);            // and the unit of time of W
  void set_invariants(const Matrix& gradients);  // a row for each
  FieldPlace& place() { return place_; }         // where N and N^+ are taken
  const FieldPlace& place() const { return place_; }

  std::unique_ptr<IterationMatrix<double>> real_matrix(Work& work) const;
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix(Work& work) const;

  bool has_accelerations() const { return accelerations_; }
  bool pushes_by_mass() const {
    return by_mass_;
  }  // P = M^-1 for velocities: rows of the top are multiplied by M
  const Vector& push_metric() const { return push_metric_; }
  const std::vector<RowField>& row_fields() const { return fields_; }  // those of rows of G alone are last
  int positions() const { return pattern_->fields().rows; }            // that field

 private:
  template <class Scalar>
  friend class SparseIterationMatrix;

  // sum_j imposed[j] g^(j), or w, in the equations of a field.
  struct Imposed {
    int field;
    double by_g, by_rate;
    bool velocities;
  };
  void lay_out(const ConstrainedForm& form);

  const Shape& shape_;
  const Vector push_metric_;  // empty: pushes are along C^T
  const bool forces_, differentiated_, accelerations_, by_mass_, input_, coupled_, beside_;
  const int stabilized_, invariants_;
  const bool frozen_;                   // rows beside stay what they are
  const std::vector<int> quaternions_;  // the first of three rates each
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  std::vector<RowField> fields_;
  std::vector<Imposed> imposed_;
  int first_invariant_ = 0;  // of residuals and unknowns
  SparseParts at_, accelerating_;
  linalg::SparseRows beside_C_, beside_L_;
  long beside_changes_ = 0;
  double tau_ = 1;
  Matrix gradients_;
  Vector v_;
  std::vector<int> left_out_, left_out_there_;  // of what is imposed, of accelerations
  // 1 where a row of [G; K] does not count as one of G, of K, of both, of accelerations.
  std::vector<char> not_of_g_, not_of_w_, not_imposed_, not_accelerated_;
  FieldPlace place_;
};

}  // namespace driftless::formulations

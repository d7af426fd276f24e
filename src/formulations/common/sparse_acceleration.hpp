// SparseAcceleration: the matrix c I - (rhs)_y of the ODE behind `index1` and `baumgarte` (acceleration_system.hpp) for large mechanisms. Changes of
// accelerations and multipliers are unknowns too, so that no zeros are lost (the derivative of the acceleration itself has none):
//
//   (c - W) d_0 - d_1                                        = r_0        see field_iteration.hpp
//   c d_1 - da                                               = r_1
//   A_0 d_0 + A_1 d_1 + M da + C^T dl                        = 0          A_0 = -f_x + (M a)_x + (C^T l)_x,  A_1 = -f_v
//   (C a + c)_x d_0 + (C a + c)_v d_1 + C da + feedback      = 0          feedback: gains[0] g + gains[1] g' by d_0 and d_1, of w likewise
//
// With a pull back to the manifold, z' = .. - F r (formulations/invariant_stabilized.cpp), c p_0 and c p_1 are added to the first two, where
//   c p_0 = P (G^T x_0 + tau^2 L^T x_1),  c p_1 = P C^T x_1          P: of displacements measured by moved points, of M; L^T where H is one
//   c G p_0 = r_0,   c (L p_0 + C p_1) = r_1                         r by d_0 and d_1; without L p_0 for F = split; x = r for F = H^T
// and invariants are a border (field_iteration.hpp).
//
// Where multipliers are unknowns of a step and a is its rate, da = c d_1 (coupled_baumgarte.hpp), the matrix is the same: residuals are then those of
// the equations of motion and of the rows of l.
//
// Rows that others imply are left out; their multipliers stay as they are. A law of its own (acceleration_law.hpp) leaves out none of them, and
// its rows give way by diag(softness): C da - diag(softness) dl.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include <driftless/core/system.hpp>

#include "constraint_feedback.hpp"
#include "field_iteration.hpp"

namespace driftless::formulations {

// How a violation of the manifold is answered.
struct SparsePull {
  enum class F { block, split, full, transpose, input };
  F answer = F::block;
  bool integral = false;  // of h# + gamma h, not of gamma h
  int invariants = 0;
  bool one_for_all_levels() const { return answer == F::full || answer == F::transpose; }
};

class SparseAcceleration {
 public:
  enum class Unknowns { levels, levels_and_multipliers };

  // Of a problem with sparse_dynamics().
  explicit SparseAcceleration(const Problem& problem, std::optional<SparsePull> pull = {},
                              Unknowns unknowns = Unknowns::levels);

  // Where a and the multipliers are those of the motion, with these rows left out. `gains` of g and g', or none.
  Status linearize(double t, VectorIn z, VectorIn a, VectorIn multipliers, const std::vector<int>& left_out,
                   const std::vector<double>& gains, double velocity_gain, const Vector& softness = {});

  // After linearize(): c is no part of the rows.
  void leave_out_curvature(double t, VectorIn z);
  // After linearize(): gamma h is answered, in that unit of time; gradients of invariants, a row for each.
  void set_pull(double gamma, double tau, const Matrix& gradients);

  const Evaluation& parts() const { return at_; }  // of the last linearize()
  const linalg::FieldPattern& pattern() const { return *pattern_; }
  std::unique_ptr<IterationMatrix<double>> real_matrix(Work& work) const;
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix(Work& work) const;

 private:
  template <class Scalar>
  friend class SparseAccelerationMatrix;

  const Problem& problem_;
  const Shape& shape_;
  const std::optional<SparsePull> pull_;
  const bool coupled_;  // multipliers are unknowns
  Vector pull_metric_;  // P, for F = block, split, full
  double gamma_ = 0, tau_ = 1;
  Matrix gradients_;
  const std::vector<int> quaternions_;  // the first of three rates each
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  Evaluation at_, still_;
  Vector v_;
  std::vector<int> left_out_;
  std::vector<char> not_of_g_, not_of_w_,
      left_out_rows_;  // 1 where a row does not count as one of G, of K, at all
  std::vector<double> gains_;
  double velocity_gain_ = 0;
  Vector softness_;  // empty: none
  FieldPlace place_;
};

}  // namespace driftless::formulations

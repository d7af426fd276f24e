// SparseAcceleration: the matrix c I - (rhs)_y of the ODE behind `index1` and `baumgarte` (acceleration_system.hpp) for large mechanisms. Changes of
// accelerations and multipliers are unknowns too, so that no zeros are lost (the derivative of the acceleration itself has none):
//
//   (c - W) d_0 - d_1                                        = r_0        see field_iteration.hpp
//   c d_1 - da                                               = r_1
//   A_0 d_0 + A_1 d_1 + M da + C^T dl                        = 0          A_0 = -f_x + (M a)_x + (C^T l)_x,  A_1 = -f_v
//   (C a + c)_x d_0 + (C a + c)_v d_1 + C da + feedback      = 0          feedback: gains[0] g + gains[1] g' by d_0 and d_1, of w likewise
//
// Rows that others imply are left out; their multipliers stay as they are. A law of its own (acceleration_law.hpp) leaves out none of them, and
// its rows give way by diag(softness): C da - diag(softness) dl.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/core/system.hpp>

#include "constraint_feedback.hpp"
#include "field_iteration.hpp"

namespace driftless::formulations {

class SparseAcceleration {
 public:
  explicit SparseAcceleration(const Problem& problem);

  // Where a and the multipliers are those of the motion, with these rows left out. `gains` of g and g', or none.
  Status linearize(double t, VectorIn z, VectorIn a, VectorIn multipliers, const std::vector<int>& left_out,
                   const std::vector<double>& gains, double velocity_gain, const Vector& softness = {});

  std::unique_ptr<IterationMatrix<double>> real_matrix(Work& work) const;
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix(Work& work) const;

 private:
  template <class Scalar>
  friend class SparseAccelerationMatrix;

  const Problem& problem_;
  const Shape& shape_;
  const std::vector<int> quaternions_;  // the first of three rates each
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  Evaluation at_;
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

// RegularizedFields: the matrix c I - (rhs)_y of the ODE behind `trust-region` and `direct-regularization` for large mechanisms, without zeros as that of
// `index1` (sparse_acceleration.hpp): changes of accelerations a and of multipliers are unknowns, too. With the letters of regularized_forces.hpp,
//
//   (c - W) d_0 - d_1                                             = r_0        see field_iteration.hpp
//   c d_1 - da                                                    = r_1
//   A_0 d_0 + A_1 d_1 + M da + C^T du                             = 0          u = y + rho w: A_0 = -f_x + (M a)_x + (C^T u)_x,  A_1 = -f_v
//   (C a + c - r)_x d_0 + (C a + c - r)_v d_1 + C da - dw         = 0
//
//   shifted         w = eps Z y
//   least_squares   A w = eps Z Z y, by p = W^-1 C^T Q w. With s = sqrt(eps), p = s p', w = s Z w', v = w' - rho s Z y:
//                   ((M p')_x - (C^T v)_x) d_0 + M dp' - C^T dv   = 0
//                   (C p')_x d_0 + C dp' - s Z dy - Z y e         = 0          e: change of eps by s, or 0
//                   du = dy + rho s Z dw',   dv = dw' - rho s Z dy - rho Z y e
//
// Where the radius decides about eps, e is such that y . Z dy = 0: two solutions with one matrix. The terms with p' and v at fixed C vanish but where
// constraints lose rank, or eps is given. With mass=paper M stands for M + rho M^-1, and (rho M^-1 a)_x is left out.
//
// Multipliers s as unknowns of their own (regularized_dae.cpp): where eps is automatic, s - y(z) = r gives ds = dy + r. Where it is given all of the above is
// taken at s, and its residual r stands in the place of Z y e: -r where it is shifted, -r/s with least squares.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/core/system.hpp>

#include "field_iteration.hpp"
#include "sparse_regularized_forces.hpp"

namespace driftless::formulations {

class RegularizedFields {
 public:
  // Of the ODE, or with multipliers as unknowns.
  RegularizedFields(const Problem& problem, SparseRegularizedForces& forces, bool with_multipliers);

  // After forces.solve() there. `gains` of g and g', or none. y: where eps is given, those of an iterate count.
  Status linearize(double t, VectorIn z, VectorIn y, const std::vector<double>& gains, double velocity_gain);

  std::unique_ptr<IterationMatrix<double>> real_matrix(Work& work) const;
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix(Work& work) const;

 private:
  template <class Scalar>
  friend class RegularizedMatrix;

  void relate(VectorIn y);
  void rotate(double t, VectorIn z);

  const Problem& problem_;
  const Shape& shape_;
  SparseRegularizedForces& forces_;
  const bool with_multipliers_, least_squares_;
  const std::vector<int> quaternions_;  // the first of three rates each
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  Evaluation at_, along_, still_;
  std::vector<double> M_, gains_;
  std::vector<char> all_count_, not_of_g_, not_of_w_;
  double velocity_gain_ = 0, root_ = 0;  // root_: s
  bool rotates_ = false, bounded_ = false;
  Vector v_;
  linalg::SparseRows rotation_, Cp_x_;
  SparseRegularizedForces::There there_;
  // Of every row: how w (in its equation) and y (in the one of least squares, which is for s Z dy) depend on u and v, what x, which stands for Z y e or a
  // residual in its place, adds to both; and y itself by u, v and x.
  Vector w_by_u_, w_by_v_, y_by_u_, y_by_v_, w_by_x_, last_by_x_, y_by_x_, Zy_;
  Vector p_, zero_, no_l_;
  FieldPlace place_;
};

}  // namespace driftless::formulations

// Pushes: the matrix U of a constrained system, along which its stabilizing multipliers move the levels of z (rows: displacements of
// all levels, columns: the multipliers s, those of forces first and zero):
//   mu_j          D on level j, times M^-1 on the top level if so wished; if coupled, tau^(2(j-i)) binomial(j, i) L_{j-i}^T on the
//                 levels i < j
//   of w          K^T on level 1, times M^-1 where D or the metric has it; if coupled, tau^2 w_x^T on level 0
//   of invariants their gradients, tau^(2(m-1-i)) times that by level i
// tau is the unit of time (unit_of_time.hpp). Of long bodies all of it but what M^-1 divides is in the metric of push_metric.hpp.
#pragma once

#include <driftless/linalg/kernels.hpp>

#include "direction_map.hpp"
#include "imposed_rows.hpp"

namespace driftless::formulations {

class Pushes {
 public:
  Pushes(const Problem& problem, const ConstrainedForm& form, int first_column);

  Parts parts() const;  // of the problem, for what follows
  bool none() const;    // U is zero
  // D and M factored, before what follows.
  Status prepare(double t, VectorIn z, const Evaluation& parts);
  bool along_forces() const { return form_.D.kind == Direction::input && !form_.D.given; }
  void measure_time_by(double tau) { tau_squared_ = tau * tau; }
  void minus_push(const Evaluation& parts, const ImposedRows& rows, VectorIn s, VectorOut to);  // to = -U s
  void matrix(const Evaluation& parts, const ImposedRows& rows, MatrixOut U);
  DirectionMap& directions() { return directions_; }
  const DirectionMap& directions() const { return directions_; }

 private:
  bool transposed() const { return form_.D.kind == Direction::transpose && !form_.D.given; }
  // Whether D is G^T as it is; M^-1 is a metric of its own.
  bool plain(int level) const {
    const bool by_mass = form_.mass_metric && level == shape_.order - 1;
    return transposed() && (by_mass || directions_.metric().size() == 0);
  }
  void measure(MatrixOut columns) const;  // displacements of a level, in the metric of pushes
  // With `input`, D divides by M, and so do the pushes of velocity constraints.
  bool velocities_by_mass() const { return form_.mass_metric || along_forces(); }
  bool with_velocities() const {
    return form_.top == ConstrainedForm::Top::acceleration && form_.velocities && shape_.nk > 0;
  }

  double weight(int levels) const;  // tau^(2 levels)

  const Shape& shape_;
  const ConstrainedForm form_;
  const int first_;
  double tau_squared_ = 1;
  DirectionMap directions_;
  const linalg::CholeskyKernel& kernel_;  // for matrices of ng rows
  Matrix D_, D_transposed_;               // unless D is G^T
  Vector push_, invariants_push_;
};

}  // namespace driftless::formulations

// Pushes: the matrix U of a constrained system, along which its stabilizing multipliers move the levels of z (rows: displacements of
// all levels, columns: the multipliers s, those of forces first and zero):
//   mu_j          D on level j, times M^-1 on the top level if so wished; if coupled, binomial(j, i) L_{j-i}^T on the levels i < j
//   of w          K^T on level 1, times M^-1 where D or the metric has it; if coupled, w_x^T on level 0
//   of invariants their gradients
#pragma once

#include "direction_map.hpp"
#include "imposed_rows.hpp"

namespace driftless::formulations {

class Pushes {
 public:
  Pushes(const Problem& problem, const ConstrainedForm& form, int first_column);

  Parts parts() const;  // of the problem, for compute()
  Status compute(double t, VectorIn z, const Evaluation& parts, const ImposedRows& rows, MatrixOut U);
  DirectionMap& directions() { return directions_; }
  const DirectionMap& directions() const { return directions_; }

 private:
  bool with_velocities() const {
    return form_.top == ConstrainedForm::Top::acceleration && form_.velocities && shape_.nk > 0;
  }

  const Shape& shape_;
  const ConstrainedForm form_;
  const int first_;
  DirectionMap directions_;
  Matrix D_;
};

}  // namespace driftless::formulations

// ImposedRows: the constraint rows of a constrained system and their derivatives along displacements of z,
//   sum_j imposed[i][j] g^(j),   w,   invariants less their values at the start;      d g^(j) / d x_i = binomial(j, i) L_{j-i}
#pragma once

#include <vector>

#include <driftless/core/manifold.hpp>

#include "constrained_system.hpp"

namespace driftless::formulations {

class ImposedRows {
 public:
  ImposedRows(const Problem& problem, const ConstrainedForm& form);

  int count() const;
  int invariants() const { return manifold_.rows() - manifold_.constraint_rows(); }
  Parts parts() const;           // of the problem, for residual()
  Parts jacobian_parts() const;  // further ones, for jacobian()

  Status evaluate(double t, VectorIn z);  // the invariants and their gradients, before what follows
  void residual(const Evaluation& parts, VectorOut r) const;
  void jacobian(const Evaluation& parts, MatrixOut C) const;
  auto invariant_gradients() const { return H_.bottomRows(invariants()); }

  Manifold& manifold() { return manifold_; }  // keeps the values of the invariants
  const Manifold& manifold() const { return manifold_; }

 private:
  bool with_velocities() const { return form_.velocities && shape_.nk > 0; }

  const Shape& shape_;
  const ConstrainedForm form_;
  bool with_rates_ = false;  // some g^(j), j > 0, is imposed
  Manifold manifold_;
  Matrix H_;
};

}  // namespace driftless::formulations

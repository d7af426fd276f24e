// SparseDirections: a System that says where its stabilizing multipliers push positions (MechanicalSystem::directions) without zeros.
#pragma once

#include <driftless/core/errors.hpp>
#include <driftless/linalg/sparse_rows.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless {

class SparseDirections {
 public:
  virtual ~SparseDirections() = default;
  virtual bool has_sparse_directions() const = 0;  // false: D has no zeros to speak of
  // D^T with the entries of C = [G; K], of which the first ng rows count.
  virtual void sparse_directions(double t, VectorIn z, linalg::SparseRows& D) = 0;
};

}  // namespace driftless

// KeptOffsets: systems that impose g = 0 on positions alone, where redundant rows of the start are off by rounded coordinates.
//
// A start meets as many rows as are independent, which ones is a matter of choice, and what is left is within the assembly tolerance. A run may
// choose other rows: with g = 0 its first step would move the mechanism by that much, and index 3 makes of it a velocity of offset/h. So rows
// keep the offset that they have where the run begins (or where an action left it):  g(q) = g(q_0). Rows left out follow the others; should they be
// chosen later, they keep what they are off by then.
#pragma once

#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless {

class Problem;

class KeptOffsets {
 public:
  virtual ~KeptOffsets() = default;
  virtual Vector& kept_offsets() = 0;  // ng of them, or empty: none
};

// Of a system, which lets its integrator follow rows left out; null: it imposes g = 0.
template <class Object>
Vector* kept_offsets(Object& system) {
  auto* keeps = dynamic_cast<KeptOffsets*>(&system);
  return keeps && keeps->kept_offsets().size() > 0 ? &keeps->kept_offsets() : nullptr;
}
// A step begins there, with these rows left out.
void follow_rows_left_out(const Problem& problem, double t, VectorIn z, const std::vector<int>& left_out,
                          Vector& offsets);

// The same for a checkpoint, always as many numbers: ng, zeros where there are none.
void append_offsets(const Vector& offsets, int ng, std::vector<double>& values);
Vector offsets_from(const double* values, int ng);

// What the rows are off by at a start with redundant ones; empty where they hold, where all are independent, or where they are off by more than
// is allowed.
Vector offsets_at_start(const Problem& problem, double t, VectorIn z);

}  // namespace driftless

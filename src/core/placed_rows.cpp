#include "placed_rows.hpp"

#include <algorithm>
#include <cmath>

#include "sparse_placed_rows.hpp"
#include "whole_placed_rows.hpp"

namespace driftless {

PlacedRows::PlacedRows(const Problem& problem, int rows, const Scales& scales, const Vector& sizes)
    : problem_(problem),
      shape_(problem.shape()),
      scales_(scales),
      sizes_(sizes),
      lengths_(Vector::Zero(rows)),
      missed_(Vector::Zero(rows)) {}

double PlacedRows::evaluate_nearest(double t, VectorIn z) {
  Vector place = z, delta(shape_.nv);
  double all = 0;
  for (int pass = 0;; ++pass) {
    const bool finite = evaluate(t, place);
    if (pass == 2 || shape_.ng == 0 || !finite || !keep_safe_positions()) return all;
    least_move(-missed_, delta);
    const double far = scales_.distance(delta);
    if (pass == 0) all = far;
    if (!(far > 1e-14) || !(far < 0.1)) return all;
    problem_.displace(t, place.head(shape_.nq), delta, work_);
  }
}

double PlacedRows::off(const std::vector<int>& rows) const {
  double largest = 0;
  for (const int i : rows) largest = std::max(largest, std::abs(missed_(i)));
  return largest;
}

std::unique_ptr<PlacedRows> placed_rows(const Problem& problem, int rows, const Scales& scales,
                                        const Vector& sizes) {
  if (problem.shape().sparse()) return std::make_unique<SparsePlacedRows>(problem, rows, scales, sizes);
  return std::make_unique<WholePlacedRows>(problem, rows, scales, sizes);
}

}  // namespace driftless

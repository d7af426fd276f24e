#include <driftless/core/power.hpp>

namespace driftless {

double Power::at(const Problem& problem, double t, VectorIn z, VectorIn lambda, VectorIn kappa) {
  const Shape& s = problem.shape();
  if (!any(s)) return 0;
  Parts parts;
  if (s.has_power) parts = parts | Part::power;
  // Without zeros B is G^T.
  const bool sparse = s.sparse() && !s.given_input;
  if (sparse) parts_.storage = Storage::sparse;
  if (of_constraints(s) && sparse) {
    parts = parts | Part::jacobian;
    if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  } else if (of_constraints(s)) {
    if (s.ng > 0) parts = parts | Part::input;
    if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  }
  problem.evaluate(parts, Point(t, z), parts_);
  double power = s.has_power ? parts_.power : 0;
  if (!of_constraints(s)) return power;
  const auto v = z.tail(s.nv);
  if (sparse) {
    const linalg::SparseRows& C = parts_.sparse.C;
    for (int i = 0; i < s.multipliers(); ++i)
      power -= C.product(i, v.data()) * (i < s.ng ? lambda(i) : kappa(i - s.ng));
    return power;
  }
  if (s.ng > 0) power -= v.dot(parts_.B.lazyProduct(lambda));
  if (s.nk > 0) power -= v.dot(parts_.K.transpose().lazyProduct(kappa));
  return power;
}

}  // namespace driftless

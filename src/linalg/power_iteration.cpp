#include <driftless/linalg/power_iteration.hpp>

#include <cmath>

namespace driftless::linalg {

namespace {

// length(i) of row i, w = C^T u by down(), u = C w by up().
template <class Length, class Down, class Up>
double largest_eigenvalue(VectorOut u, VectorOut w, Length length, Down down, Up up) {
  // Irregular, so that no eigenvector of a regular structure is orthogonal to it; long rows count more, rows of zeros (left out) not at
  // all.
  double place = 1.0;
  for (int i = 0; i < static_cast<int>(u.size()); ++i) {
    u(i) = length(i) * std::sin(place);
    if (length(i) > 0) place += 2.4;
  }
  double eigenvalue = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double norm = u.norm();
    if (!(norm > 0)) return norm;
    u /= norm;
    down();
    const double last = eigenvalue;
    eigenvalue = w.squaredNorm();
    if (iteration > 3 && eigenvalue - last <= 1e-4 * eigenvalue) return eigenvalue;
    up();
  }
  return eigenvalue;
}

}  // namespace

double largest_gram_eigenvalue(MatrixIn C, VectorOut u, VectorOut w) {
  return largest_eigenvalue(
      u, w, [&](int i) { return C.row(i).norm(); }, [&] { w.noalias() = C.transpose().lazyProduct(u); },
      [&] { u.noalias() = C.lazyProduct(w); });
}

double largest_gram_eigenvalue(const SparseRows& C, VectorOut u, VectorOut w) {
  return largest_eigenvalue(
      u, w, [&](int i) { return std::sqrt(C.square(i)); },
      [&] {
        w.setZero();
        C.add_transposed_times(C.rows, 1, u.data(), w.data());
      },
      [&] {
        u.setZero();
        C.add_times(C.rows, 1, w.data(), u.data());
      });
}

}  // namespace driftless::linalg

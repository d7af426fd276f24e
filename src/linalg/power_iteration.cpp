#include <driftless/linalg/power_iteration.hpp>

#include <cmath>

namespace driftless::linalg {

double largest_gram_eigenvalue(MatrixIn C, VectorOut u, VectorOut w) {
  // Irregular, so that no eigenvector of a regular structure is orthogonal to it; long rows count more, rows of zeros (left out) not at
  // all.
  double place = 1.0;
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    const double length = C.row(i).norm();
    u(i) = length * std::sin(place);
    if (length > 0) place += 2.4;
  }
  double eigenvalue = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double length = u.norm();
    if (!(length > 0)) return length;
    u /= length;
    w.noalias() = C.transpose().lazyProduct(u);
    const double last = eigenvalue;
    eigenvalue = w.squaredNorm();
    if (iteration > 3 && eigenvalue - last <= 1e-4 * eigenvalue) return eigenvalue;
    u.noalias() = C.lazyProduct(w);
  }
  return eigenvalue;
}

}  // namespace driftless::linalg

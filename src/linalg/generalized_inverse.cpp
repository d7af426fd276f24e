#include <driftless/linalg/generalized_inverse.hpp>

#include <Eigen/QR>

#include <driftless/linalg/dense_lu.hpp>
#include <driftless/linalg/null_space.hpp>

namespace driftless::linalg {

namespace {

// The smallest sum of squares of A x - b; false where columns depend on each other.
bool least_squares(const Matrix& A, const Vector& b, Vector& x) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(A);
  if (qr.rank() < A.cols()) return false;
  x = qr.solve(b);
  return true;
}

bool solve_extended(const Matrix& A_1, const Matrix& R, const Matrix& A_2, const Vector& a_1,
                    const Vector& a_2, Vector& x) {
  const auto n = A_1.cols(), k = A_2.rows();
  Matrix whole = Matrix::Zero(n + k, n + k);
  whole.topLeftCorner(n, n) = A_1;
  whole.topRightCorner(n, k) = R;
  whole.bottomLeftCorner(k, n) = A_2;
  Vector right(n + k);
  right << a_1, a_2;
  DenseLu<double> lu(static_cast<int>(n + k));
  if (!lu.factor(whole)) return false;
  lu.solve(right, right);
  x = right.head(n);
  return true;
}

}  // namespace

bool generalized_solve(GeneralizedSolution definition, const Matrix& A_1, const Matrix& R, const Matrix& A_2,
                       const Vector& a_1, const Vector& a_2, Vector& x) {
  const auto n = A_1.cols(), k = A_2.rows();
  if (!A_1.allFinite() || !R.allFinite() || !A_2.allFinite() || !a_1.allFinite() || !a_2.allFinite())
    return false;
  if (definition == GeneralizedSolution::extended) return solve_extended(A_1, R, A_2, a_1, a_2, x);
  if (definition == GeneralizedSolution::gauss_newton) {
    Matrix all(n + k, n);
    all << A_1, A_2;
    Vector right(n + k);
    right << a_1, a_2;
    return least_squares(all, right, x);
  }
  const Matrix V = null_space(A_2);
  if (V.cols() != n - k) return false;
  Vector particular = Vector::Zero(n);
  if (k > 0) {
    // A_2^+ a_2 = Q R^-T a_2 of A_2^T = Q R.
    const Eigen::CompleteOrthogonalDecomposition<Matrix> of_rows(A_2);
    particular = of_rows.solve(a_2);
  }
  const Vector rest = a_1 - A_1 * particular;
  Vector along(n - k);
  if (definition == GeneralizedSolution::least_squares) {
    if (!least_squares(A_1 * V, rest, along)) return false;
  } else {
    const Matrix W = null_space(R.transpose());
    if (W.cols() != n - k) return false;
    DenseLu<double> lu(static_cast<int>(n - k));
    if (!lu.factor(W.transpose() * A_1 * V)) return false;
    lu.solve(W.transpose() * rest, along);
  }
  x = particular + V * along;
  return true;
}

}  // namespace driftless::linalg

#include <driftless/linalg/spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace driftless::linalg {

namespace {

constexpr double singular = 1e-13;  // of the largest singular value: roundoff of the entries, with some room
constexpr double defective = 1e-7;  // of |A|: no roundoff moves an eigenvalue of a double chain further
constexpr double eps = std::numeric_limits<double>::epsilon();

// D with D^-1 A D in place of A: rows and columns of equal size, by powers of 2 (Parlett, Reinsch 1969).
Vector balance(Matrix& A) {
  const Eigen::Index n = A.rows();
  Vector D = Vector::Ones(n);
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double row = A.row(i).lpNorm<1>() - std::abs(A(i, i)),
                   column = A.col(i).lpNorm<1>() - std::abs(A(i, i));
      if (row == 0 || column == 0) continue;
      const double factor = std::exp2(std::round(std::log2(row / column) / 2));
      if (column * factor + row / factor >= 0.95 * (row + column)) continue;
      A.col(i) *= factor;
      A.row(i) /= factor;
      D(i) *= factor;
      changed = true;
    }
  }
  return D;
}

class Deflation {
 public:
  explicit Deflation(Matrix A) : A_(std::move(A)), U_(Matrix::Identity(A_.rows(), A_.rows())), rest_(A_) {
    double largest = 0;
    for (Matrix power = U_; rest_.size() > 0; power = A_ * power) {
      const Eigen::JacobiSVD<Matrix> svd(rest_, Eigen::ComputeFullV);
      if (chains_.empty()) largest = svd.singularValues()(0);
      limit_ = singular * largest;
      const Eigen::Index zeros = (svd.singularValues().array() <= limit_).count(),
                         others = rest_.cols() - zeros;
      if (zeros == 0) break;
      chains_.push_back(power * U_ * svd.matrixV().rightCols(zeros));
      U_ = U_ * svd.matrixV().leftCols(others);
      rest_ = U_.transpose() * A_ * U_;
    }
  }

  // Eigenvectors of zero, each with the length of its chain: the last level's chains are the longest.
  std::vector<Eigenpair> zeros() const {
    std::vector<Eigenpair> found;
    Matrix taken(A_.rows(), 0);
    for (std::size_t level = chains_.size(); level-- > 0;) {
      const Matrix E = chains_[level].colwise().normalized();
      const Eigen::Index more = E.cols() - taken.cols();
      if (more == 0) continue;
      const Eigen::ColPivHouseholderQR<Matrix> qr(E - taken * (taken.transpose() * E));
      const Matrix fresh = Matrix(qr.householderQ()).leftCols(more);
      for (Eigen::Index i = 0; i < more; ++i)
        found.push_back({0, fresh.col(i), static_cast<int>(level) + 1, limit_});
      taken.conservativeResize(Eigen::NoChange, E.cols());
      taken.rightCols(more) = fresh;
    }
    return found;
  }

  std::vector<Eigenpair> others() const {
    std::vector<Eigenpair> found;
    if (rest_.size() == 0) return found;
    const Eigen::EigenSolver<Matrix> solver(rest_);
    if (solver.info() != Eigen::Success)
      throw std::runtime_error("the eigenvalues could not be computed: the QR algorithm did not converge");
    const Eigen::MatrixXcd right = solver.eigenvectors(), left = right.inverse();
    const double size = rest_.norm(), n = static_cast<double>(rest_.rows());
    for (Eigen::Index i = 0; i < rest_.rows(); ++i) {
      const std::complex<double> value = solver.eigenvalues()(i);
      if (value.imag() < 0) continue;
      const double condition = left.row(i).norm() * right.col(i).norm();
      const double moved = 10 * n * eps * size * condition;
      found.push_back({value, lifted(right.col(i)), 1, moved < defective * size ? moved : defective * size});
    }
    return found;
  }

 private:
  // A^k U y is free of what was taken off, which k applications of A annihilate.
  Eigen::VectorXcd lifted(const Eigen::VectorXcd& y) const {
    Eigen::VectorXcd vector = U_ * y;
    for (std::size_t level = 0; level < chains_.size(); ++level) vector = (A_ * vector).normalized();
    return vector;
  }

  Matrix A_, U_, rest_;
  std::vector<Matrix> chains_;  // level k: eigenvectors whose chains have more than k members
  double limit_ = 0;
};

}  // namespace

std::vector<Eigenpair> spectrum(MatrixIn A) {
  if (A.rows() == 0) return {};
  if (!A.allFinite()) throw std::runtime_error("the matrix whose eigenvalues are wanted is not finite");
  Matrix balanced = A;
  const Vector D = balance(balanced);
  const Deflation deflation(balanced);
  std::vector<Eigenpair> pairs = deflation.zeros();
  for (Eigenpair& pair : deflation.others()) pairs.push_back(std::move(pair));
  for (Eigenpair& pair : pairs) pair.vector = D.cwiseProduct(pair.vector).normalized();
  std::stable_sort(pairs.begin(), pairs.end(), [](const Eigenpair& one, const Eigenpair& other) {
    return std::abs(one.value) < std::abs(other.value);
  });
  return pairs;
}

double spectral_radius(MatrixIn A) {
  return Eigen::EigenSolver<Matrix>(A, /*computeEigenvectors=*/false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace driftless::linalg

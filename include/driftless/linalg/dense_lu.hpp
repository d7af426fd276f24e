// A square dense system A x = b, real or complex, with everything allocated at construction:
//
//     D_r A D_c = P^T L U,    x = D_c U^-1 L^-1 P D_r b,
//
// with powers of two D_r, D_c that bring the largest entry of every row and column near 1, so that "singular"
// does not depend on units: factor() fails where a pivot of the scaled matrix is below 4 n eps. Our own loops
// instead of Eigen::PartialPivLU, which allocates above about n = 300 and when b and x are the same vector.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/lu.hpp>

namespace driftless::linalg {

template <class Scalar>
class DenseLu {
 public:
  using MatrixType = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorType = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  DenseLu() = default;
  explicit DenseLu(int n) : lu_(n, n), row_scale_(size(n)), column_scale_(size(n)), row_swap_(size(n)) {}

  /// False when A is singular or has an entry that is not finite.
  bool factor(const Eigen::Ref<const MatrixType>& A) {
    const int n = order();
    if (A.rows() != n || A.cols() != n)
      throw std::invalid_argument("matrix is " + std::to_string(A.rows()) + " x " + std::to_string(A.cols()) +
                                  " (DenseLu was made for n = " + std::to_string(n) +
                                  "); construct DenseLu with the size of the matrix");
    regular_ = false;
    lu_ = A;
    if (!lu_.allFinite()) return false;
    equilibrate(n, lu_.data(), row_scale_.data(), column_scale_.data());
    norm_ = n == 0 ? 0.0 : lu_.cwiseAbs().colwise().sum().maxCoeff();
    regular_ = lu_partial(n, lu_.data(), row_swap_.data(), lu_pivot_limit(n));
    return regular_;
  }

  /// After factor() returned true. b and x may be the same vector.
  void solve(const Eigen::Ref<const VectorType>& b, Eigen::Ref<VectorType> x) const {
    if (!regular_ && order() > 0)
      throw std::logic_error("matrix is not factored; solve() only after factor() returned true");
    const int n = order();
    for (int i = 0; i < n; ++i) x[i] = b[i] * row_scale_[i];
    lu_solve(n, lu_.data(), row_swap_.data(), nullptr, x.data());
    for (int i = 0; i < n; ++i) x[i] *= column_scale_[i];
  }

  /// 1-norm condition number of D_r A D_c; infinity after a failed factor. Costs n solves and allocates.
  double condition_estimate() const {
    const int n = order();
    if (n == 0) return 1.0;
    if (!regular_) return std::numeric_limits<double>::infinity();
    MatrixType inverse = MatrixType::Identity(n, n);
    for (int j = 0; j < n; ++j) lu_solve(n, lu_.data(), row_swap_.data(), nullptr, inverse.col(j).data());
    return norm_ * inverse.cwiseAbs().colwise().sum().maxCoeff();
  }

  /// Sign of the determinant of a real matrix, after factor() returned true.
  int sign() const requires std::is_same_v<Scalar, double> {
    int sign = 1;
    for (int k = 0; k < order(); ++k)
      if ((lu_(k, k) < 0) != (row_swap_[size(k)] != k)) sign = -sign;
    return sign;
  }

  int order() const { return static_cast<int>(lu_.rows()); }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  MatrixType lu_;
  std::vector<double> row_scale_, column_scale_;
  std::vector<int> row_swap_;
  double norm_ = 0.0;
  bool regular_ = false;
};

}  // namespace driftless::linalg

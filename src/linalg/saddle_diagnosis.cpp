// What can be asked of a SaddlePoint after factor(): how close S (or the whole matrix) is to singular, and
// which constraints are to blame when it was. Off the fast path; allocates.
#include <algorithm>
#include <limits>

#include <driftless/linalg/lu.hpp>
#include <driftless/linalg/rank.hpp>
#include <driftless/linalg/saddle_point.hpp>

namespace driftless::linalg {
namespace {

double one_norm(const Matrix& A) {
  return A.size() == 0 ? 0.0 : A.cwiseAbs().colwise().sum().maxCoeff();
}

}  // namespace

Matrix SaddlePoint::schur_complement() const {
  if (route_ == Route::sparse) {
    Matrix S(shape_.m, shape_.m);
    sparse_X_.gram(S.data());
    return S.selfadjointView<Eigen::Lower>();
  }
  using Panel = Eigen::Map<const Matrix>;
  const Panel X(X_.data(), shape_.m, shape_.n);
  if (route_ == Route::symmetric) return X * X.transpose();
  const Panel Y(Y_.data(), shape_.m, shape_.n);
  const Eigen::Map<const Vector> row(row_scale_.data(), shape_.m), column(column_scale_.data(), shape_.m);
  return row.asDiagonal() * (X * Y.transpose()) * column.asDiagonal();
}

bool SaddlePoint::row_pivots(VectorOut squares, VectorOut pivots) const {
  if (!by_cholesky()) return false;
  const int m = shape_.m;
  for (int j = 0; j < m; ++j) {
    const double inverse = S_[static_cast<std::size_t>(j + j * m)];  // of L_jj
    double square = pivots(j) = 1 / (inverse * inverse);
    for (int k = 0; k < j; ++k) {
      const double entry = S_[static_cast<std::size_t>(j + k * m)];
      square += entry * entry;
    }
    squares(j) = square;
  }
  return true;
}

bool SaddlePoint::clearly_independent() const {
  Vector squares(shape_.m), pivots(shape_.m);
  if (!row_pivots(squares, pivots)) return shape_.m == 0;
  const double largest = shape_.m > 0 ? std::max(1.0, squares.maxCoeff()) : 0;
  return (pivots.array() > 1e-4 * squares.array()).all() && (squares.array() > 1e-6 * largest).all();
}

double SaddlePoint::condition_estimate() const {
  if (route_ == Route::none || route_ == Route::dependent) return std::numeric_limits<double>::infinity();
  const int m = shape_.m, size = shape_.n + m;
  if (route_ == Route::whole) {
    Matrix inverse = Matrix::Identity(size, size);
    for (int j = 0; j < size; ++j)
      lu_solve(size, whole_.K.data(), whole_.row_swap.data(), whole_.column_swap.data(),
               inverse.col(j).data());
    return whole_.norm * one_norm(inverse);
  }
  if (m == 0) return 1.0;
  Matrix S = schur_complement(), inverse = Matrix::Identity(m, m);
  for (int j = 0; j < m; ++j) {
    double* column = inverse.col(j).data();
    if (by_cholesky()) {
      rows_->forward(m, S_.data(), column);
      rows_->backward(m, S_.data(), column);
    } else {
      lu_solve(m, S_.data(), row_swap_.data(), nullptr, column);
    }
  }
  if (by_cholesky()) {
    const Vector size_of_row = S.diagonal().cwiseSqrt(), scale = size_of_row.cwiseInverse();
    S = scale.asDiagonal() * S * scale.asDiagonal();
    inverse = size_of_row.asDiagonal() * inverse * size_of_row.asDiagonal();
  }
  return one_norm(S) * one_norm(inverse);
}

std::vector<int> SaddlePoint::dependent_rows() const {
  std::vector<int> named;
  if (status_ != FactorStatus::rank_loss) return named;
  // First by the limit of factor(), then more loosely: a pivot at the limit may fall on either side of it.
  for (const double limit : {row_angle_limit, 10.0 * row_angle_limit})
    for (const Matrix* A : {&failed_C_, &failed_B_}) {
      for (const RowDependence& dependence : linalg::dependent_rows(*A, limit))
        named.push_back(dependence.row);
      if (!named.empty()) return named;
    }
  // C and B are regular and C M^-1 B is not (M = L L^T still stands): the rows of that product.
  Matrix X(shape_.m, shape_.n), Y(shape_.m, shape_.n);
  to_panel({failed_C_.data(), 1, shape_.m}, X.data());
  to_panel({failed_B_.data(), 1, shape_.m}, Y.data());
  for (const RowDependence& dependence : linalg::dependent_rows(X * Y.transpose(), 10.0 * row_angle_limit))
    named.push_back(dependence.row);
  return named;
}

}  // namespace driftless::linalg

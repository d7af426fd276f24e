#include <driftless/core/row_angles.hpp>

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

constexpr double lost_pivot = 1e-14;  // by the square of the row

}  // namespace

void RowAngles::start_without_rows(Eigen::Index rows) {
  squares = pivots = sizes_ = ratios_ = largest_ = shares_ = Vector::Zero(rows);
}

void RowAngles::start(Eigen::Index rows) {
  start_without_rows(rows);
  gram_.setZero(rows, rows);
  kernel_ = &linalg::cholesky_kernel(static_cast<int>(rows));
}

void RowAngles::measure(MatrixIn rows) {
  const int count = static_cast<int>(rows.rows());
  panel_ = rows;
  kernel_->gram(count, static_cast<int>(rows.cols()), panel_.data(), gram_.data());
  squares = gram_.diagonal();
  if (kernel_->factor(count, gram_.data(), lost_pivot)) {
    for (int j = 0; j < count; ++j) pivots(j) = 1 / (gram_(j, j) * gram_(j, j));
  } else {
    kernel_->gram(count, static_cast<int>(rows.cols()), panel_.data(), gram_.data());
    factor_with_lost_rows();
  }
  take();
}

// As the kernel does it, 1/L_jj in place of L_jj; a row that depends on those before it leaves a column of zeros, so that it has no part
// in those that follow.
void RowAngles::factor_with_lost_rows() {
  const Eigen::Index count = gram_.rows();
  for (Eigen::Index j = 0; j < count; ++j) {
    for (Eigen::Index k = 0; k < j; ++k)
      for (Eigen::Index i = j; i < count; ++i) gram_(i, j) -= gram_(j, k) * gram_(i, k);
    const bool lost = !(gram_(j, j) > lost_pivot * squares(j));
    pivots(j) = lost ? 0 : gram_(j, j);
    const double inverse = lost ? 0 : 1 / std::sqrt(gram_(j, j));
    gram_(j, j) = inverse;
    for (Eigen::Index i = j + 1; i < count; ++i) gram_(i, j) *= inverse;
  }
}

void RowAngles::take() {
  for (Eigen::Index k = 0; k < squares.size(); ++k) {
    if (squares(k) > sizes_(k)) sizes_(k) = squares(k);
    ratios_(k) = sizes_(k) > 0 ? std::sqrt(pivots(k) / sizes_(k)) : 0;
    if (ratios_(k) > largest_(k)) largest_(k) = ratios_(k);
  }
}

int RowAngles::first_below(double part) const {
  for (Eigen::Index k = 0; k < ratios_.size(); ++k)
    if (ratios_(k) < part * largest_(k)) return static_cast<int>(k);
  return -1;
}

std::vector<int> RowAngles::not_below(double part) const {
  std::vector<int> rows;
  for (int k = 0; k < static_cast<int>(ratios_.size()); ++k)
    if (!below(k, part)) rows.push_back(k);
  return rows;
}

Vector RowAngles::rest(MatrixIn rows, int row) {
  shares_.setZero();
  for (int k = row - 1; k >= 0; --k) {
    double share = gram_(row, k);
    for (int i = k + 1; i < row; ++i) share -= gram_(i, k) * shares_(i);
    shares_(k) = share * gram_(k, k);
  }
  Vector e = rows.row(row).transpose();
  for (int k = 0; k < row; ++k) e -= shares_(k) * rows.row(k).transpose();
  return e;
}

double RowAngles::length(int row) const {
  return std::sqrt(sizes_(row));
}

bool RowAngles::clearly_independent() const {
  return (pivots.array() > 1e-4 * squares.array()).all() &&
         (squares.array() > 1e-6 * std::max(1.0, squares.size() > 0 ? squares.maxCoeff() : 0.0)).all();
}

}  // namespace driftless

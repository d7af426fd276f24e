// See saddle_point.hpp. Here: the shapes, the factorisation and the solution; what is asked about them
// afterwards is in saddle_diagnosis.cpp.
#include <driftless/linalg/saddle_point.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include <driftless/linalg/dependent_saddle.hpp>
#include <driftless/linalg/loops.hpp>
#include <driftless/linalg/lu.hpp>

namespace driftless::linalg {
namespace {

std::size_t count(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

StridedView view(MatrixIn A) {
  return {A.data(), 1, static_cast<int>(A.outerStride())};
}

std::string text(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void check(const SaddleShape& shape) {
  if (shape.n < 0 || shape.m < 0)
    throw std::invalid_argument("saddle-point shape has n = " + std::to_string(shape.n) +
                                ", m = " + std::to_string(shape.m) + " (limit 0); give sizes of at least 0");
  if (shape.mass != MassStructure::block_diagonal) return;
  int sum = 0;
  for (const int size : shape.blocks) {
    if (size < 1)
      throw std::invalid_argument("mass block of size " + std::to_string(size) +
                                  " (limit 1); leave empty blocks out of SaddleShape::blocks");
    sum += size;
  }
  if (sum != shape.n)
    throw std::invalid_argument("mass blocks add up to " + std::to_string(sum) + " (n = " +
                                std::to_string(shape.n) + "); give SaddleShape::blocks that cover all of M");
}

bool inverse_root(double mass, double& result) {
  if (!(mass > 0.0) || !std::isfinite(mass)) return false;
  result = 1.0 / std::sqrt(mass);
  return true;
}

// Where kernels are unrolled, zeros cost less than to look for them.
bool may_be_sparse(const SaddleShape& shape) {
  return shape.m > loops::largest_unrolled && shape.mass != MassStructure::dense;
}

}  // namespace

SaddlePoint::SaddlePoint(const SaddleShape& shape) : shape_(shape), rows_(&cholesky_kernel(shape.m)) {
  check(shape_);
  if (shape_.mass == MassStructure::block_diagonal &&
      std::all_of(shape_.blocks.begin(), shape_.blocks.end(), [](int size) { return size == 1; }))
    shape_.mass = MassStructure::diagonal;
  const int n = shape_.n, m = shape_.m, size = n + m;
  std::vector<int> sizes;
  if (shape_.mass == MassStructure::block_diagonal) sizes = shape_.blocks;
  if (shape_.mass == MassStructure::dense && n > 0) sizes = {n};
  int offset = 0, start = 0;
  for (const int k : sizes) {
    blocks_.push_back({offset, start, k, &cholesky_kernel(k)});
    offset += k;
    start += k * k;
  }
  L_.resize(count(1, shape_.mass == MassStructure::diagonal ? n : start));
  X_.resize(count(m, n));
  Y_.resize(count(m, n));
  S_.resize(count(m, m));
  row_scale_.resize(count(m, 1));
  column_scale_.resize(count(m, 1));
  row_swap_.resize(count(m, 1));
  if (may_be_sparse(shape_)) {
    sparse_X_ = SparsePanel(m, n, sizes.empty() ? std::vector<int>(count(n, 1), 1) : sizes);
    sparse_S_ = SparseCholesky(m);
  }
  whole_.K.resize(count(size, size));
  whole_.rows.resize(count(m, n));
  whole_.row_scale.resize(count(size, 1));
  whole_.column_scale.resize(count(size, 1));
  whole_.row_swap.resize(count(size, 1));
  whole_.column_swap.resize(count(size, 1));
}

void SaddlePoint::check_sizes(MatrixIn M, MatrixIn C) const {
  const int n = shape_.n, m = shape_.m;
  if (shape_.mass != MassStructure::identity && (M.rows() != n || M.cols() != n))
    throw std::invalid_argument("M is " + text(M.rows(), M.cols()) + " (the shape says " + text(n, n) +
                                "); construct SaddlePoint with the sizes of the matrices");
  if (C.rows() != m || (m > 0 && C.cols() != n))
    throw std::invalid_argument("C is " + text(C.rows(), C.cols()) + " (the shape says " + text(m, n) +
                                "); construct SaddlePoint with the sizes of the matrices");
}

FactorStatus SaddlePoint::factor(MatrixIn M, MatrixIn C) {
  check_sizes(M, C);
  route_ = Route::none;
  doubted_ = false;
  const StridedView rows = view(C), columns = rows.transposed();
  if (shape_.m > shape_.n) return fail(FactorStatus::rank_loss, columns, rows);
  if (!factor_mass(M)) return factor_as_whole(M, columns, rows, false);
  if (!factor_symmetric(rows)) return factor_as_whole(M, columns, rows, true);
  return status_ = FactorStatus::ok;
}

FactorStatus SaddlePoint::factor(MatrixIn M, MatrixIn B, MatrixIn C) {
  check_sizes(M, C);
  if (B.cols() != shape_.m || (shape_.m > 0 && B.rows() != shape_.n))
    throw std::invalid_argument("B is " + text(B.rows(), B.cols()) + " (the shape says " +
                                text(shape_.n, shape_.m) + "); give B with one column per row of C");
  route_ = Route::none;
  doubted_ = false;
  const StridedView rows = view(C), columns = view(B);
  if (shape_.m > shape_.n) return fail(FactorStatus::rank_loss, columns, rows);
  if (!factor_mass(M)) return factor_as_whole(M, columns, rows, false);
  to_panel(rows, X_.data());
  to_panel(columns.transposed(), Y_.data());
  doubted_ = !factor_unsymmetric(row_doubt_limit);
  if (doubted_ &&
      !(independent(rows) && independent(columns.transposed()) && factor_unsymmetric(row_pivot_limit)))
    return factor_as_whole(M, columns, rows, true);
  route_ = Route::unsymmetric;
  return status_ = FactorStatus::ok;
}

FactorStatus SaddlePoint::factor(MatrixIn M, MatrixIn B, MatrixIn C, const std::vector<int>& rows,
                                 const std::vector<int>& columns) {
  check_sizes(M, C);
  route_ = Route::none;
  doubted_ = false;
  const Matrix whole =
      Matrix::NullaryExpr(shape_.n, shape_.n, [&](auto i, auto j) { return mass_entry(M, int(i), int(j)); });
  const auto dependent = std::make_shared<DependentSaddle>();
  status_ = dependent->factor(whole, B, C, rows, columns);
  dependent_ = dependent;
  if (status_ == FactorStatus::ok) route_ = Route::dependent;
  return status_;
}

/// M = L L^T; false when M is not safely positive definite.
bool SaddlePoint::factor_mass(MatrixIn M) {
  if (shape_.mass == MassStructure::diagonal) {
    for (int i = 0; i < shape_.n; ++i)
      if (!inverse_root(M(i, i), L_[i])) return false;
    return true;
  }
  for (const Block& block : blocks_) {
    double* L = L_.data() + block.start;
    if (block.size == 1) {
      if (!inverse_root(M(block.offset, block.offset), *L)) return false;
      continue;
    }
    for (int j = 0; j < block.size; ++j)
      for (int i = j; i < block.size; ++i) L[i + j * block.size] = M(block.offset + i, block.offset + j);
    if (!block.kernel->factor(block.size, L, mass_pivot_limit)) return false;
  }
  return true;
}

void SaddlePoint::to_panel(const StridedView& A, double* panel) const {
  const int n = shape_.n, m = shape_.m;
  for (int j = 0; j < n; ++j) {
    const double scale = shape_.mass == MassStructure::diagonal ? L_[j] : 1.0;
    for (int i = 0; i < m; ++i) panel[i + j * m] = scale * A(i, j);
  }
  if (m == 0) return;
  for (const Block& block : blocks_)
    rows_->right_solve(m, block.size, L_.data() + block.start, panel + block.offset * m);
}

bool SaddlePoint::independent(const StridedView& rows) {
  return row_rank(shape_.m, shape_.n, rows, whole_.rows.data()) == shape_.m;
}

bool SaddlePoint::factor_symmetric(const StridedView& C) {
  const bool sparse = may_be_sparse(shape_) && sparse_X_.take(C.data, C.column_step);
  if (!sparse)
    to_panel(C, X_.data());
  else if (shape_.mass != MassStructure::identity)
    sparse_X_.right_solve(L_.data());
  const auto factor = [&](double limit) {
    return sparse ? factor_symmetric_sparse(limit) : factor_symmetric_dense(limit);
  };
  doubted_ = !factor(row_doubt_limit);
  route_ = sparse ? Route::sparse : Route::symmetric;
  return !doubted_ || (independent(C) && factor(row_pivot_limit));
}

bool SaddlePoint::factor_symmetric_sparse(double limit) {
  sparse_X_.gram(S_.data());
  return sparse_S_.factor(S_.data(), limit);
}

bool SaddlePoint::factor_symmetric_dense(double limit) {
  rows_->gram(shape_.m, shape_.n, X_.data(), S_.data());
  return rows_->factor(shape_.m, S_.data(), limit);
}

/// LU of S_ij = x_i . y_j / (|x_i| |y_j|), the cosines between the rows of X and Y.
bool SaddlePoint::factor_unsymmetric(double limit) {
  const int n = shape_.n, m = shape_.m;
  for (int i = 0; i < m; ++i) {
    double x = 0.0, y = 0.0;
    for (int k = 0; k < n; ++k) {
      x += X_[i + k * m] * X_[i + k * m];
      y += Y_[i + k * m] * Y_[i + k * m];
    }
    if (!(x > 0.0) || !(y > 0.0) || !std::isfinite(x + y)) return false;
    row_scale_[i] = 1.0 / std::sqrt(x);
    column_scale_[i] = 1.0 / std::sqrt(y);
  }
  std::fill(S_.begin(), S_.end(), 0.0);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < m; ++j) {
      const double y = Y_[j + k * m] * column_scale_[j];
      for (int i = 0; i < m; ++i) S_[i + j * m] += X_[i + k * m] * row_scale_[i] * y;
    }
  return lu_partial(m, S_.data(), row_swap_.data(), limit);
}

double SaddlePoint::mass_entry(MatrixIn M, int i, int j) const {
  if (shape_.mass == MassStructure::identity) return i == j ? 1.0 : 0.0;
  if (shape_.mass == MassStructure::diagonal) return i == j ? M(i, i) : 0.0;
  for (const Block& block : blocks_) {
    const int last = block.offset + block.size;
    if (i >= block.offset && i < last && j >= block.offset && j < last)
      return M(std::max(i, j), std::min(i, j));
  }
  return 0.0;
}

FactorStatus SaddlePoint::factor_as_whole(MatrixIn M, const StridedView& B, const StridedView& C,
                                          bool mass_regular) {
  route_ = Route::none;
  const auto entry = [&](int i, int j) { return mass_entry(M, i, j); };
  const FactorStatus status = factor_whole(shape_.n, shape_.m, entry, B, C, mass_regular, whole_);
  if (status != FactorStatus::ok) return fail(status, B, C);
  route_ = Route::whole;
  return status_ = status;
}

FactorStatus SaddlePoint::fail(FactorStatus status, const StridedView& B, const StridedView& C) {
  if (status == FactorStatus::rank_loss) {
    failed_C_ = Matrix::NullaryExpr(shape_.m, shape_.n, [&](auto i, auto j) { return C(int(i), int(j)); });
    failed_B_ = Matrix::NullaryExpr(shape_.m, shape_.n, [&](auto i, auto j) { return B(int(j), int(i)); });
  }
  return status_ = status;
}

void SaddlePoint::lower_solve(double* x) const {
  if (shape_.mass == MassStructure::diagonal)
    for (int i = 0; i < shape_.n; ++i) x[i] *= L_[i];
  for (const Block& block : blocks_)
    if (block.size == 1)
      x[block.offset] *= L_[block.start];
    else
      block.kernel->forward(block.size, L_.data() + block.start, x + block.offset);
}

void SaddlePoint::upper_solve(double* x) const {
  if (shape_.mass == MassStructure::diagonal)
    for (int i = 0; i < shape_.n; ++i) x[i] *= L_[i];
  for (const Block& block : blocks_)
    if (block.size == 1)
      x[block.offset] *= L_[block.start];
    else
      block.kernel->backward(block.size, L_.data() + block.start, x + block.offset);
}

void SaddlePoint::solve(VectorIn f, VectorIn r, VectorOut a, VectorOut l) const {
  const int n = shape_.n, m = shape_.m;
  if (route_ == Route::none && n + m > 0)
    throw std::logic_error("saddle-point system is not factored; solve() only after factor() returned ok");
  if (route_ == Route::dependent) return dependent_->solve(f, r, a, l);
  if (f.data() != a.data()) a = f;
  if (r.data() != l.data()) l = r;
  if (route_ == Route::whole) return solve_whole(n, m, whole_, a.data(), l.data());
  lower_solve(a.data());
  if (m > 0) solve_rows(a.data(), l.data());
  upper_solve(a.data());
}

/// S l = X y - r,  y := y - Y^T l  with y in a and r in l.
void SaddlePoint::solve_rows(double* a, double* l) const {
  const int n = shape_.n, m = shape_.m;
  if (route_ == Route::sparse) {
    sparse_X_.times_minus(a, l);
    sparse_S_.forward(S_.data(), l);
    sparse_S_.backward(S_.data(), l);
    return sparse_X_.minus_transposed_times(l, a);
  }
  rows_->times_minus(m, n, X_.data(), a, l);
  if (route_ == Route::symmetric) {
    rows_->forward(m, S_.data(), l);
    rows_->backward(m, S_.data(), l);
    return rows_->minus_transposed_times(m, n, X_.data(), l, a);
  }
  for (int i = 0; i < m; ++i) l[i] *= row_scale_[i];
  lu_solve(m, S_.data(), row_swap_.data(), nullptr, l);
  for (int i = 0; i < m; ++i) l[i] *= column_scale_[i];
  rows_->minus_transposed_times(m, n, Y_.data(), l, a);
}

}  // namespace driftless::linalg

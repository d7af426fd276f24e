// The saddle-point matrix as a whole, for the cases in which M = L L^T or S = C M^-1 B is of no use:
//
//     K = [M B; C 0],    D_r K D_c = P^T L U Q^T,    (a; l) = D_c (D_r K D_c)^-1 D_r (f; r).
//
// K may be regular for a singular M. If it is singular, the dimension of its kernel tells why: independent of
// M, dependent columns of B or rows of C leave m - rank; whatever exceeds this are motions in ker C without
// inertia. Needs about (n + m)^3 operations with complete pivoting; plain arrays of the caller, nothing is
// allocated.
#pragma once

#include <algorithm>
#include <cmath>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/lu.hpp>

namespace driftless::linalg {

/// A matrix somewhere else in memory, perhaps transposed.
struct StridedView {
  const double* data = nullptr;
  int row_step = 1;
  int column_step = 1;
  double operator()(int i, int j) const { return data[i * row_step + j * column_step]; }
  StridedView transposed() const { return {data, column_step, row_step}; }
};

/// Storage of a factored whole matrix; Doubles and Ints are std::vector or std::array, with size = n + m.
template <class Squares, class Panel, class Doubles, class Ints>
struct WholeStorage {
  Squares K;                        // size^2
  Panel rows;                       // m n, workspace
  Doubles row_scale, column_scale;  // size
  Ints row_swap, column_swap;       // size
  double norm = 0.0;                // 1-norm of the equilibrated matrix
};

/// A vector of n + m entries whose first n and last m lie apart.
struct SplitVector {
  double* first;
  double* second;
  int n;
  double& operator[](int i) const { return i < n ? first[i] : second[i - n]; }
};

/// Rank of the m x n matrix A by the angles of its rows: Gram-Schmidt in row order, done twice, dependent
/// rows skipped. Q: workspace of m n.
inline int row_rank(int m, int n, StridedView A, double* Q) {
  const auto normalise = [n](double* q) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += q[k] * q[k];
    const double length = std::sqrt(sum);
    for (int k = 0; k < n; ++k) q[k] /= length;
    return length;
  };
  int rank = 0;
  for (int i = 0; i < m && rank < n; ++i) {
    double* q = Q + rank * n;
    double largest = 0.0;
    for (int k = 0; k < n; ++k) largest = std::max(largest, std::abs(A(i, k)));
    const double scale = lu_detail::inverse_power(largest);
    for (int k = 0; k < n; ++k) q[k] = scale * A(i, k);
    if (!(normalise(q) > 0.0)) continue;
    for (int pass = 0; pass < 2; ++pass)
      for (const double* kept = Q; kept != q; kept += n) {
        double dot = 0.0;
        for (int k = 0; k < n; ++k) dot += kept[k] * q[k];
        for (int k = 0; k < n; ++k) q[k] -= dot * kept[k];
      }
    if (normalise(q) > row_angle_limit) ++rank;
  }
  return rank;
}

/// Fills K from mass(i, j), B (n x m) and C (m x n); false when an entry is not finite.
template <class MassEntry>
bool assemble_whole(int n, int m, MassEntry mass, StridedView B, StridedView C, double* K) {
  const int size = n + m;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      double entry = 0.0;
      if (i < n && j < n)
        entry = mass(i, j);
      else if (i < n)
        entry = B(i, j - n);
      else if (j < n)
        entry = C(i - n, j);
      K[i + j * size] = entry;
    }
  return std::all_of(K, K + size * size, [](double entry) { return std::isfinite(entry); });
}

/// The 1-norm of a square matrix.
inline double largest_column_sum(int size, const double* K) {
  double largest = 0.0;
  for (int j = 0; j < size; ++j) {
    double sum = 0.0;
    for (int i = 0; i < size; ++i) sum += std::abs(K[i + j * size]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// The status of K, and its factors if that is ok. `mass_regular`: M is known to be positive definite.
template <class MassEntry, class Storage>
FactorStatus factor_whole(int n, int m, MassEntry mass, StridedView B, StridedView C, bool mass_regular,
                          Storage& whole) {
  const int size = n + m;
  double* K = whole.K.data();
  double* work = whole.rows.data();
  if (!assemble_whole(n, m, mass, B, C, K)) return FactorStatus::not_finite;
  const int lost = m - std::min(row_rank(m, n, C, work), row_rank(m, n, B.transposed(), work));
  equilibrate(size, K, whole.row_scale.data(), whole.column_scale.data(), n, size);
  whole.norm = largest_column_sum(size, K);
  const int rank =
      lu_complete(size, K, whole.row_swap.data(), whole.column_swap.data(), lu_pivot_limit(size));
  if (!mass_regular && size - rank > lost) return FactorStatus::singular_mass;
  if (rank < size || lost > 0) return FactorStatus::rank_loss;
  return FactorStatus::ok;
}

/// (a; l) := K^-1 (a; l)
template <class Storage>
void solve_whole(int n, int m, const Storage& whole, double* a, double* l) {
  const SplitVector x{a, l, n};
  const int size = n + m;
  const double *row_scale = whole.row_scale.data(), *column_scale = whole.column_scale.data();
  for (int i = 0; i < size; ++i) x[i] *= row_scale[i];
  lu_solve(size, whole.K.data(), whole.row_swap.data(), whole.column_swap.data(), x);
  for (int i = 0; i < size; ++i) x[i] *= column_scale[i];
}

}  // namespace driftless::linalg

// Gaussian elimination with row pivoting as one would first write it, the size known to the compiler. (Eigen's
// partialPivLu takes half as many instructions again at these sizes.)
#pragma once

#include <array>
#include <cmath>
#include <utility>

namespace driftless::benchmarks {

// A x = b, A by rows; x is left in b, and A is destroyed.
template <int n>
void solve_by_lu(std::array<double, n * n>& A, std::array<double, n>& b) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
      std::swap(b[k], b[pivot]);
    }
    const double inverse = 1 / A[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] * inverse;
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= A[i * n + j] * b[j];
    b[i] /= A[i * n + i];
  }
}

}  // namespace driftless::benchmarks

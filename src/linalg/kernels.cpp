// See kernels.hpp. One instance of every loop per size; entry 0 of the table is the one with run-time sizes.
#include <driftless/linalg/kernels.hpp>

#include <array>
#include <utility>

#include <driftless/linalg/loops.hpp>

namespace driftless::linalg {
namespace {

/// The size as the loops take it: Fixed<K>, or the run-time value for K = 0.
template <int K>
auto as_size(int size) {
  if constexpr (K > 0)
    return loops::Fixed<K>{};
  else
    return size;
}

template <int K>
struct Loops {
  static bool factor(int size, double* A, double limit) {
    return loops::cholesky(as_size<K>(size), A, limit);
  }
  static void forward(int size, const double* L, double* x) { loops::forward(as_size<K>(size), L, x); }
  static void backward(int size, const double* L, double* x) { loops::backward(as_size<K>(size), L, x); }
  static void right_solve(int size, int n, const double* L, double* X) {
    loops::right_solve(as_size<K>(size), n, L, X);
  }
  static void gram(int size, int n, const double* X, double* S) { loops::gram(as_size<K>(size), n, X, S); }
  static void times_minus(int size, int n, const double* X, const double* x, double* y) {
    loops::times_minus(as_size<K>(size), n, X, x, y);
  }
  static void minus_transposed_times(int size, int n, const double* X, const double* y, double* x) {
    loops::minus_transposed_times(as_size<K>(size), n, X, y, x);
  }
  static constexpr CholeskyKernel kernel{
      factor, forward, backward, right_solve, gram, times_minus, minus_transposed_times};
};

constexpr auto table = []<int... K>(std::integer_sequence<int, K...>) {
  return std::array<const CholeskyKernel*, sizeof...(K)>{&Loops<K>::kernel...};
}
(std::make_integer_sequence<int, loops::largest_unrolled + 1>{});

}  // namespace

const CholeskyKernel& cholesky_kernel(int size) {
  const bool unrolled = size >= 1 && size <= loops::largest_unrolled;
  return *table[static_cast<std::size_t>(unrolled ? size : 0)];
}

}  // namespace driftless::linalg

// The saddle-point system with all sizes known at compile time; the hottest code of the project.
//
//     [M C^T] [a]   [f]         M = L L^T,  X = C L^-T,  S = X X^T = C M^-1 C^T = R R^T
//     [C  0 ] [l] = [r]         y = L^-1 f,  S l = X y - r,  a = L^-T (y - X^T l)
//
// The same mathematics, limits and verdicts as SaddlePoint, but straight-line code (`./dev bench andrews` compares a
// whole right-hand side with a plain LU). Where M is not safely positive definite, or S is lost although the rows of C
// are independent, the whole matrix is factored instead (whole_matrix.hpp). Loops up to size 12 are unrolled; larger
// sizes work, without unrolling.
#pragma once

#include <algorithm>
#include <array>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/loops.hpp>
#include <driftless/linalg/whole_matrix.hpp>

namespace driftless::linalg {

/// The structures of M. Only the entries named are read; of a symmetric block, its lower triangle.
struct DenseMass {};
struct DiagonalMass {};
struct IdentityMass {};
template <int... Sizes>
struct BlockMass {};

namespace fixed_detail {

/// Block sizes of each structure for N unknowns; empty for the identity.
template <int N, class Structure>
struct BlocksOf;

template <int N>
struct BlocksOf<N, IdentityMass> {
  static constexpr std::array<int, 0> sizes{};
};
template <int N>
struct BlocksOf<N, DenseMass> {
  static constexpr std::array<int, 1> sizes{N};
};
template <int N>
struct BlocksOf<N, DiagonalMass> {
  static constexpr auto sizes = [] {
    std::array<int, std::size_t(N)> ones{};
    ones.fill(1);
    return ones;
  }();
};
template <int N, int... Sizes>
struct BlocksOf<N, BlockMass<Sizes...>> {
  static_assert((Sizes + ... + 0) == N, "the block sizes of BlockMass<...> must add up to N");
  static_assert(((Sizes > 0) && ... && true), "the block sizes of BlockMass<...> must be positive");
  static constexpr std::array<int, sizeof...(Sizes)> sizes{Sizes...};
};

}  // namespace fixed_detail

template <int N, int M, class Blocks = DenseMass>
struct FixedSaddle {
  static_assert(N >= 1 && M >= 0, "FixedSaddle needs N >= 1 unknowns and M >= 0 constraints");

  /// mass: N x N, constraints: M x N, both column-major (constraints may be null when M = 0).
  FactorStatus factor(const double* mass, const double* constraints) {
    whole_ = doubted_ = false;
    if constexpr (M > N) {
      return FactorStatus::rank_loss;
    } else {
      bool mass_regular = true;
      for (int i = 0; i < M * N; ++i) X_[i] = constraints[i];
      // Whether the compiler would do it by itself depends on what else is in the file.
      each_block([&](auto size, int offset, int start) __attribute__((always_inline)) {
        if (mass_regular) mass_regular = factor_block(size, offset, L_.data() + start, mass);
      });
      if (!mass_regular) [[unlikely]]
        return factor_as_whole(mass, constraints, false);
      loops::gram(rows, columns, X_.data(), S_.data());
      if (!loops::cholesky(rows, S_.data(), row_doubt_limit)) [[unlikely]]
        return factor_in_doubt(mass, constraints);
      return FactorStatus::ok;
    }
  }

  /// After factor() returned ok. f (N) and a, r (M) and l may be the same arrays.
  void solve(const double* f, const double* r, double* a, double* l) const {
    std::array<double, extent(N)> y;
    std::array<double, extent(M)> z{};
    std::copy(f, f + N, y.begin());
    if constexpr (M > 0) std::copy(r, r + M, z.begin());
    if (whole_) [[unlikely]] {
      solve_as_whole(y.data(), z.data());
    } else {
      each_block([&](auto size, int offset, int start) {
        loops::forward(size, L_.data() + start, y.data() + offset);
      });
      if constexpr (M > 0) {
        loops::times_minus(rows, columns, X_.data(), y.data(), z.data());
        loops::forward(rows, S_.data(), z.data());
        loops::backward(rows, S_.data(), z.data());
        loops::minus_transposed_times(rows, columns, X_.data(), z.data(), y.data());
      }
      each_block([&](auto size, int offset, int start) {
        loops::backward(size, L_.data() + start, y.data() + offset);
      });
    }
    std::copy(y.begin(), y.begin() + N, a);
    if constexpr (M > 0) std::copy(z.begin(), z.begin() + M, l);
  }

  /// Whether the last factor() had to measure the rows, because its pivots were not to be believed.
  bool doubted() const { return doubted_; }

  /// Whether the last factor() had to take the whole matrix.
  bool used_whole_matrix() const { return whole_; }

 private:
  using Structure = fixed_detail::BlocksOf<N, Blocks>;
  static constexpr int block_count = static_cast<int>(Structure::sizes.size());
  static constexpr int panel_size = M * N, schur_size = M * M;
  static constexpr loops::Fixed<M> rows{};
  static constexpr loops::Fixed<N> columns{};

  static constexpr std::size_t extent(int size) { return static_cast<std::size_t>(std::max(size, 1)); }
  static constexpr int sum_before(int block, bool squared) {
    int sum = 0;
    for (int b = 0; b < block; ++b) {
      const int size = Structure::sizes[static_cast<std::size_t>(b)];
      sum += squared ? size * size : size;
    }
    return sum;
  }

  /// body(Fixed<size>, first unknown of the block, first entry of its factor in L_) for every block of M.
  template <class Body>
  [[gnu::always_inline]] static inline void each_block(Body body) {
    [&]<int... B>(std::integer_sequence<int, B...>) {
      (body(loops::Fixed<Structure::sizes[static_cast<std::size_t>(B)]>{}, sum_before(B, false),
            sum_before(B, true)),
       ...);
    }
    (std::make_integer_sequence<int, block_count>{});
  }

  /// L L^T = block, and its columns of X.
  template <class Size>
  [[gnu::always_inline]] inline bool factor_block(Size size, int offset, double* L, const double* mass) {
    constexpr int k = Size::value;
    for (int j = 0; j < k; ++j)
      for (int i = j; i < k; ++i) L[i + j * k] = mass[offset + i + (offset + j) * N];
    if (!loops::cholesky(size, L, mass_pivot_limit)) return false;
    if constexpr (M > 0) loops::right_solve(rows, size, L, X_.data() + offset * M);
    return true;
  }

  /// M_ij as the structure reads it: identity, or zero outside the blocks and symmetric inside.
  static double mass_entry(const double* mass, int i, int j) {
    if constexpr (block_count == 0) return i == j ? 1.0 : 0.0;
    for (int b = 0; b < block_count; ++b) {
      const int first = sum_before(b, false), last = sum_before(b + 1, false);
      if (i >= first && i < last && j >= first && j < last) return mass[std::max(i, j) + std::min(i, j) * N];
    }
    return 0.0;
  }

  /// Measures the rows before S is used after all.
  [[gnu::noinline, gnu::cold]] FactorStatus factor_in_doubt(const double* mass, const double* constraints) {
    doubted_ = true;
    if (row_rank(M, N, {constraints, 1, M}, whole_storage_.rows.data()) == M) {
      loops::gram(rows, columns, X_.data(), S_.data());
      if (loops::cholesky(rows, S_.data(), row_pivot_limit)) return FactorStatus::ok;
    }
    return factor_as_whole(mass, constraints, true);
  }

  [[gnu::noinline, gnu::cold]] FactorStatus factor_as_whole(const double* mass, const double* constraints,
                                                            bool mass_regular) {
    const StridedView C{constraints, 1, M};
    const auto entry = [mass](int i, int j) { return mass_entry(mass, i, j); };
    const FactorStatus status = factor_whole(N, M, entry, C.transposed(), C, mass_regular, whole_storage_);
    whole_ = status == FactorStatus::ok;
    return status;
  }

  [[gnu::noinline, gnu::cold]] void solve_as_whole(double* y, double* z) const {
    solve_whole(N, M, whole_storage_, y, z);
  }

  bool whole_ = false, doubted_ = false;
  std::array<double, extent(sum_before(block_count, true))> L_;
  std::array<double, extent(panel_size)> X_;
  std::array<double, extent(schur_size)> S_;
  WholeStorage<std::array<double, extent((N + M) * (N + M))>, std::array<double, extent(panel_size)>,
               std::array<double, extent(N + M)>, std::array<int, extent(N + M)>>
      whole_storage_;
};

}  // namespace driftless::linalg

#include <driftless/linalg/congruent_lu.hpp>

#include <array>
#include <cmath>
#include <utility>

#include <driftless/linalg/blocks.hpp>
#include <driftless/linalg/loops.hpp>

namespace driftless::linalg {

struct CongruenceKernel {
  // padded_A: rounded up to a multiple of four columns, those beyond zero
  void (*multiply)(int columns, const double* A, const double* Z, int ld, double* padded_A, double* AZ,
                   double* Q);
  bool (*eliminate)(double* Q, double* inverse);  // false at a pivot that is small or not a number
  void (*solve)(const double* Q, const double* inverse, double* x);
  void (*times_minus)(int columns, const double* padded_A, const double* x, double* y);
  void (*transposed_times)(int columns, const double* padded_A, const double* y, double* x);
};

namespace {

using Four = blocks::Four<double>;
using blocks::at;
using loops::each;

constexpr double small_pivot = 0.01;  // against the largest entry below: beyond it L would grow

template <int Rows>
struct Kernel {
  static constexpr int blocks = (Rows + 3) / 4, padded = 4 * blocks;

  // to := X c, four terms at a time
  [[gnu::always_inline]] static void product(int terms, const double* X, const double* c, int step,
                                             double* to) {
    Four sum[blocks];
    for (int b = 0; b < blocks; ++b) sum[b].setZero();
    for (int k = 0; k < terms; k += 4, X += 4 * padded, c += 4 * step)
      for (int i = 0; i < 4; ++i)
        for (int b = 0; b < blocks; ++b) sum[b] += at(X + i * padded + 4 * b) * c[i * step];
    for (int b = 0; b < blocks; ++b) at(to + 4 * b) = sum[b];
  }

  static void multiply(int columns, const double* A, const double* Z, int ld, double* padded_A, double* AZ,
                       double* Q) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < padded; ++i) padded_A[i + j * padded] = i < Rows ? A[i + j * Rows] : 0.0;
    const int terms = linalg::blocks::up(columns);
    for (int k = 0; k < columns; ++k) product(terms, padded_A, Z + k * ld, 1, AZ + k * padded);
    for (int j = 0; j < Rows; ++j) product(terms, AZ, padded_A + j, padded, Q + j * padded);
  }

  static bool eliminate(double* Q, double* inverse) {
    bool regular = true;
    each(loops::Fixed<Rows>{}, [&](auto index) {
      constexpr int k = decltype(index)::value, first = k / 4 * 4;
      const double* l = Q + k * padded;
      Four head = at(l + first);  // without what is above the diagonal
      for (int i = 0; i < k - first; ++i) head[i] = 0;
      Four below = head.abs();
      for (int i = first + 4; i < padded; i += 4) below = below.max(at(l + i).abs());
      regular = regular && std::abs(l[k]) > small_pivot * below.maxCoeff();
      inverse[k] = 1 / l[k];
      for (int j = k + 1; j < Rows; ++j) {
        double* right = Q + j * padded;
        const double r = right[k] * inverse[k];
        at(right + first) -= head * r;
        for (int i = first + 4; i < padded; i += 4) at(right + i) -= at(l + i) * r;
        right[k] = r;
      }
    });
    return regular;
  }

  static void solve(const double* Q, const double* inverse, double* x) {
    double y[Rows];
    for (int i = 0; i < Rows; ++i) y[i] = x[i];
    each(loops::Fixed<Rows>{}, [&](auto index) {
      constexpr int k = decltype(index)::value;
      const double yk = y[k] *= inverse[k];
      for (int i = k + 1; i < Rows; ++i) y[i] -= Q[i + k * padded] * yk;
    });
    each(loops::Fixed<Rows>{}, [&](auto index) {
      constexpr int k = Rows - 1 - decltype(index)::value;
      const double yk = y[k];
      for (int i = 0; i < k; ++i) y[i] -= Q[i + k * padded] * yk;
    });
    for (int i = 0; i < Rows; ++i) x[i] = y[i];
  }

  static void times_minus(int columns, const double* padded_A, const double* x, double* y) {
    double Ax[padded];
    product(linalg::blocks::up(columns), padded_A, x, 1, Ax);
    for (int i = 0; i < Rows; ++i) y[i] = Ax[i] - y[i];
  }

  static void transposed_times(int columns, const double* padded_A, const double* y, double* x) {
    double padded_y[padded] = {};
    for (int i = 0; i < Rows; ++i) padded_y[i] = y[i];
    for (int j = 0; j < linalg::blocks::up(columns); ++j) {
      Four sum = at(padded_A + j * padded) * at(padded_y);
      for (int i = 4; i < padded; i += 4) sum += at(padded_A + j * padded + i) * at(padded_y + i);
      x[j] = sum.sum();
    }
  }

  static constexpr CongruenceKernel table{multiply, eliminate, solve, times_minus, transposed_times};
};

constexpr auto kernels = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<const CongruenceKernel*, sizeof...(I)>{&Kernel<I + 1>::table...};
}
(std::make_integer_sequence<int, loops::largest_unrolled>{});

const CongruenceKernel* kernel_for(int rows) {
  return rows >= 1 && rows <= loops::largest_unrolled ? kernels[static_cast<std::size_t>(rows - 1)] : nullptr;
}

}  // namespace

CongruentLu::CongruentLu(int rows, int columns)
    : kernel_(kernel_for(rows)),
      rows_(rows),
      columns_(columns),
      A_(Matrix::Zero(blocks::up(rows), blocks::up(columns))),
      AZ_(A_),
      Q_(Matrix::Zero(blocks::up(rows), rows)),
      inverse_(Vector::Zero(rows)),
      pivoted_(rows) {}

bool CongruentLu::factor(const double* A, const double* Z, int ld) {
  const auto multiply = [&] {
    if (kernel_) return kernel_->multiply(columns_, A, Z, ld, A_.data(), AZ_.data(), Q_.data());
    const Eigen::Map<const Matrix> rows(A, rows_, columns_);
    const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> middle(Z, columns_, columns_,
                                                                   Eigen::OuterStride<>(ld));
    A_.topLeftCorner(rows_, columns_) = rows;
    auto AZ = AZ_.topLeftCorner(rows_, columns_);
    AZ.noalias() = rows.lazyProduct(middle);
    Q_.topRows(rows_).noalias() = AZ.lazyProduct(rows.transpose());
  };
  multiply();
  with_pivots_ = !kernel_ || !kernel_->eliminate(Q_.data(), inverse_.data());
  if (!with_pivots_) return inverse_.allFinite();
  if (kernel_) multiply();
  return pivoted_.factor(Q_.topRows(rows_));
}

void CongruentLu::solve(double* x) const {
  if (!with_pivots_) return kernel_->solve(Q_.data(), inverse_.data(), x);
  Eigen::Map<Vector> right(x, rows_);
  pivoted_.solve(right, right);
}

void CongruentLu::times_minus(const double* x, double* y) const {
  if (kernel_) return kernel_->times_minus(columns_, A_.data(), x, y);
  Eigen::Map<Vector> to(y, rows_);
  to = -to;
  to.noalias() += A_.topRows(rows_).lazyProduct(Eigen::Map<const Vector>(x, A_.cols()));
}

void CongruentLu::transposed_times(const double* y, double* x) const {
  if (kernel_) return kernel_->transposed_times(columns_, A_.data(), y, x);
  Eigen::Map<Vector>(x, A_.cols()).noalias() =
      A_.topRows(rows_).transpose().lazyProduct(Eigen::Map<const Vector>(y, rows_));
}

}  // namespace driftless::linalg

// linalg::FixedSaddle against Eigen's FullPivLU and, for its verdicts, against linalg::SaddlePoint.
#include <limits>
#include <utility>
#include <vector>

#include <driftless/linalg/fixed_saddle.hpp>

#include "saddle_cases.hpp"
#include "support/allocation_counter.hpp"

namespace {

using namespace saddle_cases;
using driftless::linalg::BlockMass;
using driftless::linalg::DenseMass;
using driftless::linalg::DiagonalMass;
using driftless::linalg::FixedSaddle;
using driftless::linalg::IdentityMass;

class FixedSaddleTest : public SaddleCases {
 protected:
  /// Same status as SaddlePoint, and the right solution if that is ok.
  template <int N, int M, class Blocks>
  void compare(const SaddleShape& of, const Matrix& mass, const Matrix& C, double tolerance = 1e-9) {
    FixedSaddle<N, M, Blocks> fixed;
    SaddlePoint reference(of);
    const FactorStatus status = fixed.factor(mass.data(), C.data());
    ASSERT_EQ(status, reference.factor(mass, C)) << N << " x " << M;
    if (status != FactorStatus::ok) return;
    EXPECT_EQ(fixed.used_whole_matrix(), reference.used_whole_matrix());
    const Vector b = random(N + M, 1);
    Vector x(N + M), in_place = b;
    fixed.solve(b.data(), b.data() + N, x.data(), x.data() + N);
    fixed.solve(in_place.data(), in_place.data() + N, in_place.data(), in_place.data() + N);
    EXPECT_EQ(x, in_place);
    const Vector exact = driftless::tests::lu_solution(whole(of, mass, C.transpose(), C), b);
    EXPECT_LT((x - exact).norm(), tolerance * exact.norm()) << N << " x " << M;
  }

  template <int N, int M>
  void compare_structures() {
    const Matrix C = with_condition(M, N, 100.0);
    const SaddleShape identity = shape(N, M, MassStructure::identity),
                      dense = shape(N, M, MassStructure::dense);
    const SaddleShape diagonal = shape(N, M, MassStructure::diagonal);
    compare<N, M, IdentityMass>(identity, mass(identity), C);
    compare<N, M, DiagonalMass>(diagonal, mass(diagonal), C);
    compare<N, M, DenseMass>(dense, mass(dense), C);
  }

  template <int N, int... M>
  void compare_counts(std::integer_sequence<int, M...>) {
    (compare_structures<N, M>(), ...);
  }
};

TEST_F(FixedSaddleTest, AgreesWithFullPivoting) {
  compare_counts<1>(std::make_integer_sequence<int, 2>{});
  compare_counts<2>(std::make_integer_sequence<int, 3>{});
  compare_counts<3>(std::make_integer_sequence<int, 4>{});
  compare_counts<7>(std::make_integer_sequence<int, 8>{});
  compare_structures<12, 9>();
  compare_structures<13, 0>();
  compare_structures<13, 13>();
  compare_structures<20, 14>();
}

TEST_F(FixedSaddleTest, MassInBlocks) {
  const SaddleShape andrews{7, 6, MassStructure::block_diagonal, {2, 1, 2, 2}};
  compare<7, 6, BlockMass<2, 1, 2, 2>>(andrews, mass(andrews), random(6, 7));
  const SaddleShape bodies{18, 14, MassStructure::block_diagonal, {3, 13, 2}};
  compare<18, 14, BlockMass<3, 13, 2>>(bodies, mass(bodies), with_condition(14, 18, 10.0));
  const SaddleShape one{1, 1, MassStructure::block_diagonal, {1}};
  compare<1, 1, BlockMass<1>>(one, mass(one), random(1, 1));
}

TEST_F(FixedSaddleTest, SameVerdictsAsSaddlePoint) {
  using Blocks = BlockMass<2, 1, 2, 2>;
  const SaddleShape of{7, 4, MassStructure::block_diagonal, {2, 1, 2, 2}};
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix M = mass(of), C = random(4, 7);
    Matrix dependent = C, massless = M, broken = C;
    dependent.row(trial % 4) = 1e8 * dependent.row((trial + 1) % 4) - 1e8 * dependent.row((trial + 2) % 4);
    massless.row(2).setZero();
    massless.col(2).setZero();
    compare<7, 4, Blocks>(of, M, C);
    compare<7, 4, Blocks>(of, M, with_condition(4, 7, 1e5), 1e-4);
    compare<7, 4, Blocks>(of, M, dependent);
    compare<7, 4, Blocks>(of, massless, C);
    compare<7, 4, Blocks>(of, massless, dependent);
    broken.col(2).setZero();
    compare<7, 4, Blocks>(of, massless, broken);
    broken(trial % 4, trial % 7) = trial % 2 == 0 ? not_a_number : infinity;
    compare<7, 4, Blocks>(of, M, broken);
  }
}

TEST_F(FixedSaddleTest, VerdictsByName) {
  const Matrix M = Matrix::Identity(3, 3);
  Matrix C{{1.0, 2.0, 0.0}, {1e9, 2e9, 0.0}}, massless = M;
  FixedSaddle<3, 2> saddle;
  EXPECT_EQ(saddle.factor(M.data(), C.data()), FactorStatus::rank_loss);
  C.row(1) << 0.0, 1.0, 0.0;
  massless(2, 2) = 0.0;
  EXPECT_EQ(saddle.factor(massless.data(), C.data()), FactorStatus::singular_mass);
  C.row(1) << 0.0, 0.0, 1.0;
  EXPECT_EQ(saddle.factor(massless.data(), C.data()), FactorStatus::ok);
  EXPECT_TRUE(saddle.used_whole_matrix());
  C(0, 0) = not_a_number;
  EXPECT_EQ(saddle.factor(M.data(), C.data()), FactorStatus::not_finite);
  const Matrix more = random(2, 1);
  FixedSaddle<1, 2> too_many;
  EXPECT_EQ(too_many.factor(M.data(), more.data()), FactorStatus::rank_loss);
  FixedSaddle<3, 0> free;
  EXPECT_EQ(free.factor(M.data(), nullptr), FactorStatus::ok);
  double a[3] = {3.0, 2.0, 1.0};
  free.solve(a, nullptr, a, nullptr);
  EXPECT_EQ(a[0], 3.0);
  EXPECT_EQ(free.factor(massless.data(), nullptr), FactorStatus::singular_mass);
}

TEST_F(FixedSaddleTest, NeverAllocates) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "malloc is not counted in this build";
  Matrix M = positive(7), C = random(6, 7);
  Vector x = random(13, 1);
  FixedSaddle<7, 6> saddle;
  const long allocations = allocation_counter::during([&] {
    for (const double scale : {1.0, 0.0}) {
      M.row(0) *= scale;
      M.col(0) *= scale;
      if (saddle.factor(M.data(), C.data()) == FactorStatus::ok)
        saddle.solve(x.data(), x.data() + 7, x.data(), x.data() + 7);
    }
  });
  EXPECT_EQ(allocations, 0);
  EXPECT_TRUE(saddle.used_whole_matrix());
}

}  // namespace

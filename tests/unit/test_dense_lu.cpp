// linalg::DenseLu, real and complex, against Eigen's FullPivLU.
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>
#include <driftless/linalg/dense_lu.hpp>

#include "support/allocation_counter.hpp"
#include "support/dense_oracle.hpp"

namespace {

using driftless::linalg::DenseLu;

template <class Scalar>
class DenseLuTest : public ::testing::Test {
 protected:
  using Mat = typename DenseLu<Scalar>::MatrixType;
  using Vec = typename DenseLu<Scalar>::VectorType;
  std::mt19937 engine{4104};

  Mat random(int rows, int columns) {
    std::normal_distribution<double> normal;
    return Mat::NullaryExpr(rows, columns, [&]() -> Scalar {
      if constexpr (std::is_same_v<Scalar, double>)
        return normal(engine);
      else
        return {normal(engine), normal(engine)};
    });
  }
};

using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DenseLuTest, Scalars);

TEST(Equilibrate, InversePowerBringsNumbersToHalfAndOne) {
  using driftless::linalg::lu_detail::inverse_power;
  for (double x = 1e-300; x < 1e300; x *= 7.3) {
    int exponent = 0;
    EXPECT_EQ(std::frexp(inverse_power(x), &exponent), 0.5) << x;  // a power of two
    EXPECT_GE(x * inverse_power(x), 0.5) << x;
    EXPECT_LT(x * inverse_power(x), 1.0) << x;
  }
  EXPECT_EQ(inverse_power(1.0), 0.5);
  EXPECT_EQ(inverse_power(0.0), 1.0);
  EXPECT_EQ(inverse_power(std::numeric_limits<double>::infinity()), 1.0);
  EXPECT_TRUE(std::isfinite(inverse_power(std::numeric_limits<double>::denorm_min())));
  EXPECT_GT(inverse_power(std::numeric_limits<double>::max()), 0.0);
}

TYPED_TEST(DenseLuTest, AgreesWithFullPivoting) {
  for (int n = 0; n <= 40; ++n) {
    const auto A = this->random(n, n);
    const auto b = this->random(n, 1);
    DenseLu<TypeParam> lu(n);
    ASSERT_TRUE(lu.factor(A));
    typename TestFixture::Vec x(n), in_place = b;
    lu.solve(b, x);
    lu.solve(in_place, in_place);
    EXPECT_EQ(x, in_place);
    if (n == 0) continue;
    const typename TestFixture::Vec exact = driftless::tests::lu_solution(A, b);
    EXPECT_LT((x - exact).norm(), 1e-9 * exact.norm()) << n;
  }
}

TYPED_TEST(DenseLuTest, SingularIsFoundWhateverTheUnits) {
  for (int n = 2; n <= 30; ++n) {
    const auto regular = this->random(n, n);
    auto singular = regular;
    const typename TestFixture::Vec weights = this->random(n - 1, 1);
    singular.col(n - 1) = singular.leftCols(n - 1) * weights;
    Eigen::VectorXd rows(n), columns(n);
    for (int i = 0; i < n; ++i) {
      rows[i] = std::pow(10.0, double(i * 5 % 17 - 8));
      columns[i] = std::pow(10.0, double(i * 3 % 19 - 9));
    }
    DenseLu<TypeParam> lu(n);
    EXPECT_FALSE(lu.factor(singular)) << n;
    EXPECT_EQ(lu.condition_estimate(), std::numeric_limits<double>::infinity());
    EXPECT_FALSE(lu.factor(rows.asDiagonal() * singular * columns.asDiagonal())) << n;
    EXPECT_TRUE(lu.factor(1e-250 * regular)) << n;
    EXPECT_TRUE(lu.factor(rows.asDiagonal() * regular * columns.asDiagonal())) << n;
    singular = regular;
    singular.row(n / 2).setZero();
    EXPECT_FALSE(lu.factor(singular)) << n;
    typename TestFixture::Vec x(n);
    EXPECT_THROW(lu.solve(x, x), std::logic_error);
  }
}

TYPED_TEST(DenseLuTest, NotFiniteIsRefused) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto A = this->random(6, 6);
    A(4, 2) = bad;
    DenseLu<TypeParam> lu(6);
    EXPECT_FALSE(lu.factor(A));
    EXPECT_THROW(lu.factor(this->random(5, 6)), std::invalid_argument);
  }
}

TYPED_TEST(DenseLuTest, ConditionEstimate) {
  for (const double epsilon : {1e-1, 1e-5, 1e-10}) {
    typename TestFixture::Mat A = TestFixture::Mat::Identity(4, 4);
    A(1, 0) = 1.0;
    A(0, 1) = 1.0 - epsilon;  // inverse about 1 / epsilon
    A.row(3) *= 1e12;
    DenseLu<TypeParam> lu(4);
    ASSERT_TRUE(lu.factor(A));
    EXPECT_GT(lu.condition_estimate(), 1.0 / epsilon);
    EXPECT_LT(lu.condition_estimate(), 20.0 / epsilon);
  }
}

TYPED_TEST(DenseLuTest, DoesNotAllocateAfterConstruction) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "malloc is not counted in this build";
  for (const int n : {1, 13, 60, 400}) {
    const auto A = this->random(n, n);
    typename TestFixture::Vec b = this->random(n, 1), x(n);
    DenseLu<TypeParam> lu(n);
    const long allocations = allocation_counter::during([&] {
      if (lu.factor(A)) lu.solve(b, x);
      if (lu.factor(A)) lu.solve(b, b);
    });
    EXPECT_EQ(allocations, 0) << n;
    EXPECT_EQ(x, b);
  }
}

}  // namespace

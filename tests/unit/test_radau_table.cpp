// The numbers of Radau IIA against what defines them (Hairer, Wanner II, IV.5 and IV.8): order conditions, collocation, eigenvalues,
// stability function.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "integrators/common/radau_table.hpp"
#include "unit/implicit_stepper.hpp"

namespace driftless::tests {
namespace {

using integrators::radau_table;

// B(5): sum b_i c_i^(k-1) = 1/k; C(3): sum a_ij c_j^(k-1) = c_i^k/k; D(2): sum b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k; b is the last row
// of A. Together they give order 5.
TEST(RadauTable, SimplifyingAssumptions) {
  const auto& r = radau_table();
  const Eigen::RowVector3d b = r.A.row(2);
  for (int k = 1; k <= 5; ++k) EXPECT_NEAR(b * r.c.array().pow(k - 1).matrix(), 1.0 / k, 1e-15) << k;
  for (int k = 1; k <= 3; ++k)
    EXPECT_LT((r.A * r.c.array().pow(k - 1).matrix() - (r.c.array().pow(k) / k).matrix()).norm(), 1e-15) << k;
  for (int k = 1; k <= 2; ++k) {
    const Eigen::RowVector3d left = b.cwiseProduct(r.c.array().pow(k - 1).matrix().transpose()) * r.A;
    const Eigen::RowVector3d right = b.array() * (1 - r.c.transpose().array().pow(k)) / k;
    EXPECT_LT((left - right).norm(), 1e-15) << k;
  }
  EXPECT_LT((r.A * r.A_inverse - Eigen::Matrix3d::Identity()).norm(), 1e-14);
}

TEST(RadauTable, Diagonalizes) {
  const auto& r = radau_table();
  Eigen::Matrix3d Lambda;
  Lambda << r.gamma, 0, 0, 0, r.alpha, -r.beta, 0, r.beta, r.alpha;
  EXPECT_LT((r.A_inverse * r.T - r.T * Lambda).norm(), 1e-14);
  EXPECT_LT((r.T * r.T_inverse - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  EXPECT_EQ(r.T.row(2), Eigen::RowVector3d(1, 1, 0));
  // Published: 3.6378342527444957, 2.6810828736277521, 3.0504301992474105
  EXPECT_NEAR(r.gamma, 3.6378342527444957, 1e-14);
  EXPECT_NEAR(r.alpha, 2.6810828736277521, 1e-14);
  EXPECT_NEAR(r.beta, 3.0504301992474105, 1e-14);
}

// Slopes of cubics at 0, and the published weights -(e_1, e_2, e_3) = (13 + 7 sqrt 6, 13 - 7 sqrt 6, 1)/3.
TEST(RadauTable, InterpolatesCubics) {
  const auto& r = radau_table();
  const double root6 = std::sqrt(6.0);
  EXPECT_LT((r.slope - Eigen::Vector3d(13 + 7 * root6, 13 - 7 * root6, 1) / 3).norm(), 1e-14);
  for (const double s : {0.0, 0.3, 1.0, 1.7}) {
    const Eigen::Vector3d l = r.weights(s);
    for (int k = 1; k <= 3; ++k)
      EXPECT_NEAR(l.dot(r.c.array().pow(k).matrix()), std::pow(s, k), 1e-14) << s << " " << k;
  }
  EXPECT_EQ(r.weights(1), Eigen::Vector3d(0, 0, 1));
}

// One step of y' = J y with J = [a -b; b a] is multiplication by R(z), z = h (a + i b),
//   R(z) = (1 + 2z/5 + z^2/20)/(1 - 3z/5 + 3z^2/20 - z^3/60).
struct Spiral {
  static constexpr int order = 1, nq = 2;
  double a = 0, b = 0;
  void force(auto, auto x, auto f) const {
    f[0] = a * x[0] - b * x[1];
    f[1] = b * x[0] + a * x[1];
  }
};

TEST(Radau5, HasItsStabilityFunction) {
  for (const std::complex<double> z :
       {std::complex<double>(-0.5, 0), {-3, 2}, {0, 5}, {-1e3, 10}, {-1e8, 0}}) {
    const double h = 0.25;
    const auto problem = make_problem(Spiral{z.real() / h, z.imag() / h});
    Stepper stepper(*problem, {1, 0}, "radau5:tolerance=1e-14");
    const Vector y = stepper.attempt(h);
    const std::complex<double> R =
        (1.0 + 0.4 * z + 0.05 * z * z) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
    EXPECT_LT(std::abs(std::complex<double>(y(0), y(1)) - R), 1e-14 + 1e-12 * std::abs(R)) << z;
  }
}

// Its powers: R(z) = 1 + sum moments_k z^k.
TEST(Radau5, TellsItsMoments) {
  const auto problem = make_problem(Spiral{});
  const auto moments = Stepper(*problem, {1, 0}, "radau5").integrator->discretization().moments;
  const std::complex<double> z(0.1, 0.2);
  const std::complex<double> R =
      (1.0 + 0.4 * z + 0.05 * z * z) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
  std::complex<double> sum = 1, power = 1;
  for (const double moment : moments) sum += moment * (power *= z);
  EXPECT_LT(std::abs(sum - R), 1e-9);
}

}  // namespace
}  // namespace driftless::tests

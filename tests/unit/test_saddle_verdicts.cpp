// What linalg::SaddlePoint says about singular masses, lost ranks, and input that is not finite or of wrong
// size.
#include <stdexcept>
#include <string>
#include <vector>

#include "saddle_cases.hpp"

namespace {

using namespace saddle_cases;

class SaddleVerdictTest : public SaddleCases {};

TEST_F(SaddleVerdictTest, SingularMassWithRegularMatrix) {
  for (const MassStructure structure :
       {MassStructure::diagonal, MassStructure::block_diagonal, MassStructure::dense})
    for (int n = 3; n <= 16; ++n) {
      const SaddleShape of = shape(n, 2, structure);
      Matrix M = mass(of), C = random(2, n);
      if (structure == MassStructure::dense) {  // singular, but positive in roundoff
        const Matrix J = random(n - 1, n);
        M = J.transpose() * J;
      } else {
        M.row(0).setZero();
        M.col(0).setZero();
      }
      SaddlePoint saddle(of);
      ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok) << n;
      EXPECT_TRUE(saddle.used_whole_matrix());
      EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), n, 2), 1e-9) << n;
      EXPECT_GT(saddle.condition_estimate(), 1.0);
      EXPECT_LT(saddle.condition_estimate(), 1e9);
    }
}

TEST_F(SaddleVerdictTest, TellsSingularMassFromRankLoss) {
  Matrix M = Matrix::Identity(4, 4), C = Matrix::Zero(2, 4);
  M(3, 3) = 0.0;
  C(0, 0) = C(1, 1) = 1.0;  // the massless coordinate is free
  for (const MassStructure structure : {MassStructure::diagonal, MassStructure::dense}) {
    SaddlePoint saddle(SaddleShape{4, 2, structure, {}});
    EXPECT_EQ(saddle.factor(M, C), FactorStatus::singular_mass);
    EXPECT_EQ(saddle.condition_estimate(), infinity);
    EXPECT_TRUE(saddle.dependent_rows().empty());
    Vector a(4), l(2);
    EXPECT_THROW(saddle.solve(a, l, a, l), std::logic_error);

    Matrix held = C;
    held.row(0) << 0.0, 0.0, 0.0, 5.0;
    EXPECT_EQ(saddle.factor(M, held), FactorStatus::ok);
    held.row(1) = 1e6 * held.row(0);  // held twice: nothing wrong with M on ker C
    EXPECT_EQ(saddle.factor(M, held), FactorStatus::rank_loss);
    EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{1});
  }
  SaddlePoint alone(SaddleShape{4, 0, MassStructure::dense, {}});
  EXPECT_EQ(alone.factor(M, Matrix(0, 4)), FactorStatus::singular_mass);
  EXPECT_EQ(alone.factor(-Matrix::Identity(4, 4), Matrix(0, 4)), FactorStatus::ok);  // indefinite but regular
}

TEST_F(SaddleVerdictTest, GivenBMayFailByItself) {
  Matrix B{{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}}, C{{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
  SaddlePoint saddle(SaddleShape{3, 2, MassStructure::identity, {}});
  EXPECT_EQ(saddle.factor(Matrix(0, 0), B, C), FactorStatus::rank_loss);  // C B = diag(1, 0)
  EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{1});
  B.col(1) = -3.0 * B.col(0);
  EXPECT_EQ(saddle.factor(Matrix(0, 0), B, C), FactorStatus::rank_loss);
  EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{1});
  B.col(1) << 0.0, 0.0, -1e-12;  // only the unit differs, and the sign
  EXPECT_EQ(saddle.factor(Matrix(0, 0), B, C), FactorStatus::ok);
}

TEST_F(SaddleVerdictTest, InputThatIsNotFinite) {
  for (const MassStructure structure : structures)
    for (const double bad : {not_a_number, infinity, -infinity}) {
      const SaddleShape of = shape(5, 3, structure);
      const Matrix M = mass(of), C = random(3, 5);
      SaddlePoint saddle(of);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 5; ++j) {
          Matrix broken = C;
          broken(i, j) = bad;
          EXPECT_EQ(saddle.factor(M, broken), FactorStatus::not_finite);
          EXPECT_EQ(saddle.factor(M, broken.transpose(), C), FactorStatus::not_finite);
          EXPECT_EQ(saddle.factor(M, C.transpose(), broken), FactorStatus::not_finite);
        }
      for (int i = 0; i < 5 && structure != MassStructure::identity; ++i) {
        Matrix broken = M;
        broken(i, i) = bad;
        EXPECT_EQ(saddle.factor(broken, C), FactorStatus::not_finite);
      }
      EXPECT_EQ(saddle.factor(M, C), FactorStatus::ok);  // a failure leaves nothing behind
    }
}

TEST_F(SaddleVerdictTest, WrongSizesAreNamed) {
  EXPECT_THROW(SaddlePoint(SaddleShape{-1, 0, MassStructure::dense, {}}), std::invalid_argument);
  EXPECT_THROW(SaddlePoint(SaddleShape{5, 0, MassStructure::block_diagonal, {5, 0}}), std::invalid_argument);
  try {
    SaddlePoint(SaddleShape{5, 0, MassStructure::block_diagonal, {2, 2}});
    FAIL() << "blocks that do not cover M were accepted";
  } catch (const std::invalid_argument& problem) {
    EXPECT_NE(std::string(problem.what()).find("add up to 4 (n = 5)"), std::string::npos) << problem.what();
  }
  SaddlePoint saddle(SaddleShape{3, 1, MassStructure::dense, {}});
  EXPECT_THROW(saddle.factor(Matrix::Identity(2, 2), random(1, 3)), std::invalid_argument);
  EXPECT_THROW(saddle.factor(Matrix::Identity(3, 3), random(1, 2)), std::invalid_argument);
  EXPECT_THROW(saddle.factor(Matrix::Identity(3, 3), random(2, 1), random(1, 3)), std::invalid_argument);
}

TEST_F(SaddleVerdictTest, MassRatiosAreNotRankLoss) {
  // A nearly massless point that both constraints act on: S is singular to roundoff, the rows of C are not.
  const SaddleShape of{3, 2, MassStructure::diagonal, {}};
  Matrix M = Matrix::Identity(3, 3), C{{1.0, 1.0, 0.0}, {1.0, 0.0, 1.0}};
  M(0, 0) = 1e-16;
  SaddlePoint saddle(of);
  ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok);
  EXPECT_TRUE(saddle.used_whole_matrix());
  EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), 3, 2), 1e-12);
}

}  // namespace

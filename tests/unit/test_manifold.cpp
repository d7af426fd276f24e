// Manifold: h and H of every shape against differences, and displacements.
#include <gtest/gtest.h>

#include <driftless/core/manifold.hpp>

#include "support/problems.hpp"

namespace driftless::tests {
namespace {

class ManifoldTest : public testing::TestWithParam<ShapeCase> {};

TEST_P(ManifoldTest, JacobianEqualsDifferences) {
  const Problem& problem = *GetParam().problem;
  Manifold manifold(problem);
  EXPECT_EQ(manifold.empty(), GetParam().name == "unconstrained");
  const int tangent = problem.shape().layout().tangent_size();
  const Vector z = GetParam().start.z + 0.01 * Vector::LinSpaced(GetParam().start.z.size(), -1, 2);
  const double t = 0.2, h = 1e-6;
  Matrix H(manifold.rows(), tangent), expected(manifold.rows(), tangent);
  for (int j = 0; j < tangent; ++j) {
    Vector delta = Vector::Zero(tangent), plus = z, minus = z;
    delta(j) = h;
    // By N itself: displace() also puts quaternions back on the unit sphere, on which z does not lie here.
    Evaluation e;
    problem.evaluate(Part::kinematics, Point(t, z), e);
    const Layout l = problem.shape().layout();
    const auto move = [&](Vector& at, double sign) {
      at.head(l.nq) += sign * e.N * delta.head(l.nv);
      at.tail((l.order - 1) * l.nv) += sign * delta.tail((l.order - 1) * l.nv);
    };
    move(plus, 1);
    move(minus, -1);
    ASSERT_EQ(manifold.evaluate(t, plus), Status::ok);
    const Vector h_plus = manifold.h();
    ASSERT_EQ(manifold.evaluate(t, minus), Status::ok);
    expected.col(j) = (h_plus - manifold.h()) / (2 * h);
  }
  ASSERT_EQ(manifold.linearize(t, z), Status::ok);
  manifold.jacobian(H);
  if (H.size() == 0) return;
  EXPECT_LT((H - expected).cwiseAbs().maxCoeff(), 1e-8 * (1 + expected.cwiseAbs().maxCoeff())) << H << "\n\n"
                                                                                               << expected;
}

TEST_P(ManifoldTest, ErrorsAndDisplacementsAreTheSameThing) {
  const Problem& problem = *GetParam().problem;
  Manifold manifold(problem);
  const State& s = GetParam().start;
  const Vector delta = Vector::LinSpaced(problem.shape().layout().tangent_size(), 1, 2);
  Vector error(s.z.size()), back(delta.size());
  manifold.to_displacement(s.t, s.z, Vector::Zero(s.z.size()), back);  // N is evaluated here
  EXPECT_EQ(back.cwiseAbs().maxCoeff(), 0);
  manifold.from_displacement(delta, error);
  manifold.to_displacement(s.t, s.z, error, back);
  EXPECT_LT((back - delta).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(ManifoldTest, NotFiniteIsAStatus) {
  const Problem& problem = *GetParam().problem;
  Manifold manifold(problem);
  if (manifold.empty()) return;
  const Vector z = Vector::Constant(GetParam().start.z.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(manifold.evaluate(0, z), Status::not_finite);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ManifoldTest, testing::ValuesIn(shape_cases()), [](const auto& c) {
  std::string name = c.param.name;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

TEST(ManifoldDisplacement, KeepsQuaternionsOfUnitLength) {
  const ShapeCase& top = shape_case("quaternions");
  Manifold manifold(*top.problem);
  Vector z = top.start.z;
  manifold.displace(0, Vector::Constant(12, 0.3), z);
  EXPECT_NEAR(z.segment(3, 4).norm(), 1, 1e-15);
  EXPECT_NEAR(z(0), top.start.z(0) + 0.3, 1e-15);
}

TEST(Binomial, Values) {
  EXPECT_EQ(binomial(4, 0), 1);
  EXPECT_EQ(binomial(4, 2), 6);
  EXPECT_EQ(binomial(5, 4), 5);
}

}  // namespace
}  // namespace driftless::tests

// Systems: the Jacobian of the right-hand side against differences, an ODE seen as a DAE, real and complex
// iteration matrices, and the mechanical view used by a small integrator of its own.
#include <gtest/gtest.h>

#include "support/dense_oracle.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

class SystemOfEveryShape : public testing::TestWithParam<std::tuple<ShapeCase, std::string>> {};

TEST_P(SystemOfEveryShape, JacobianEqualsDifferences) {
  const auto& [shape_case, formulation] = GetParam();
  const Problem& problem = *shape_case.problem;
  const auto system = build_system(problem, formulation);
  const int n = system->size();
  Vector y(n), plus(n), minus(n);
  system->pack(shape_case.start, y);
  y += 0.01 * Vector::LinSpaced(n, 1, -1);  // off the manifold, where feedback acts
  Matrix J(n, n), expected(n, n);
  const double t = 0.3, h = 1e-6;
  ASSERT_EQ(system->ode()->jacobian(t, y, J), Status::ok);
  for (int j = 0; j < n; ++j) {
    Vector step = Vector::Zero(n);
    step(j) = h;
    ASSERT_EQ(system->ode()->rhs(t, y + step, plus), Status::ok);
    ASSERT_EQ(system->ode()->rhs(t, y - step, minus), Status::ok);
    expected.col(j) = (plus - minus) / (2 * h);
  }
  if (problem.shape().own_kinematics) {
    // Changes of the quaternion's length are outside of the motion: compare along N delta only.
    const int nq = problem.shape().nq;
    Evaluation e;
    problem.evaluate(Part::kinematics, Point(t, y), e);
    const Matrix along = product(J.leftCols(nq), e.N), expected_along = product(expected.leftCols(nq), e.N);
    EXPECT_LT((along - expected_along).cwiseAbs().maxCoeff(), 1e-6 * (1 + expected.cwiseAbs().maxCoeff()));
    J.leftCols(nq).setZero();
    expected.leftCols(nq).setZero();
  }
  EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), 1e-7 * (1 + expected.cwiseAbs().maxCoeff()))
      << "computed\n"
      << J << "\nexpected\n"
      << expected;
}

TEST_P(SystemOfEveryShape, SeenAsDae) {
  const auto& [shape_case, formulation] = GetParam();
  const auto system = build_system(*shape_case.problem, formulation);
  const auto dae = ode_as_dae(*system);
  const int n = system->size();
  ASSERT_EQ(dae->equations(), n);
  EXPECT_EQ(dae->index_of_unknowns(), std::vector<int>(static_cast<std::size_t>(n), 0));
  Vector y(n), dy(n), r(n);
  system->pack(shape_case.start, y);
  ASSERT_EQ(system->ode()->rhs(0.1, y, dy), Status::ok);
  ASSERT_EQ(dae->residual(0.1, y, dy, r), Status::ok);
  EXPECT_EQ(r.cwiseAbs().maxCoeff(), 0);

  // (c I - rhs_y) x = b, for real and complex c.
  Matrix J(n, n);
  ASSERT_EQ(system->ode()->jacobian(0.1, y, J), Status::ok);
  ASSERT_EQ(dae->linearize(0.1, y, dy), Status::ok);
  Matrix F_y(n, n), F_yp(n, n);
  dae->assemble(F_y, F_yp);
  EXPECT_EQ(F_y, -J);
  EXPECT_EQ(F_yp, Matrix::Identity(n, n));
  const auto real = dae->real_matrix();
  ASSERT_EQ(real->factor(30.0), Status::ok);
  const Vector b = Vector::LinSpaced(n, 1, 2);
  Vector x(n);
  real->solve(b, x);
  EXPECT_LT((30.0 * x - J * x - b).cwiseAbs().maxCoeff(), 1e-9);

  using Complex = std::complex<double>;
  const Complex c(20, 35);
  const auto complex = dae->complex_matrix();
  ASSERT_EQ(complex->factor(c), Status::ok);
  const Eigen::VectorXcd bc = b.cast<Complex>() * Complex(1, -2);
  Eigen::VectorXcd xc(n);
  complex->solve(bc, xc);
  EXPECT_LT((c * xc - J.cast<Complex>() * xc - bc).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(system->work().factorizations, 2);
  EXPECT_EQ(system->work().jacobians, 2) << "one here, one for both matrices";
}

INSTANTIATE_TEST_SUITE_P(All, SystemOfEveryShape,
                         testing::Combine(testing::ValuesIn(shape_cases()),
                                          testing::Values("index1", "baumgarte:gamma=3")),
                         [](const auto& c) {
                           std::string name =
                               std::get<0>(c.param).name + "_" + std::get<1>(c.param).substr(0, 6);
                           for (char& letter : name)
                             if (!std::isalnum(letter)) letter = '_';
                           return name;
                         });

TEST(SystemTest, OdeViewOfSomethingElseIsRefused) {
  class Nothing final : public System {
    int size() const override { return 1; }
    void pack(const State&, VectorOut) const override {}
    void unpack(double, VectorIn, State&) const override {}
    Status multipliers(State&) override { return Status::ok; }
    std::string explain(Status, double, VectorIn) const override { return ""; }
  } nothing;
  EXPECT_THROW(ode_as_dae(nothing), InputError);
}

TEST(SystemTest, SingularIterationMatrixIsAStatus) {
  const auto& c = shape_case("unconstrained");
  const auto system = build_system(*c.problem, "index1");
  const auto dae = ode_as_dae(*system);
  const auto matrix = dae->real_matrix();
  Vector y(4), yp = Vector::Zero(4);
  system->pack(c.start, y);
  ASSERT_EQ(dae->linearize(0, y, yp), Status::ok);
  EXPECT_NE(matrix->factor(std::numeric_limits<double>::quiet_NaN()), Status::ok);
}

// Symplectic Euler with a projection of the velocity, written on the mechanical view: it must see M, f, G and
// count its work.
TEST(SystemTest, MechanicalViewServesAnIntegratorOfItsOwn) {
  const auto& c = shape_case("mechanical");
  Work work;
  const auto view = mechanical_view(*c.problem, work, Imposed::positions);
  Evaluation e;
  Vector z = c.start.z;
  const double h = 1e-4;
  for (int i = 0; i < 10000; ++i) {
    ASSERT_EQ(view->evaluate(Part::mass | Part::force | Part::jacobian | Part::position, Point(0, z), e),
              Status::ok);
    Vector v = z.tail(2) + h * lu_solution(e.M, e.f);
    v -= e.G.transpose() * (e.G * v + e.g / h) / e.G.squaredNorm();
    z.tail(2) = v;
    z.head(2) += h * v;
  }
  EXPECT_EQ(work.rhs, 10000);
  const auto exact = catalog::make_problem("pendulum").reference.at(1.0);
  EXPECT_LT((z.head(2) - exact->q()).cwiseAbs().maxCoeff(), 1e-3);  // a method of order 1
}

}  // namespace
}  // namespace driftless::tests

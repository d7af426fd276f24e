// Formulations that impose constraints, as differential-algebraic systems: their Jacobians against differences of the residual, their
// structured factorizations against the assembled matrix, and what their unknowns are.
#include <gtest/gtest.h>

#include "support/dense_oracle.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

using Complex = std::complex<double>;

class ConstrainedSystemOfEveryShape : public testing::TestWithParam<std::tuple<ShapeCase, std::string>> {
 protected:
  void SetUp() override {
    const auto& [shape_case, formulation] = GetParam();
    if (formulation == "index3" && shape_case.problem->shape().order == 1) GTEST_SKIP() << "refused";
    problem_ = shape_case.problem.get();
    start_ = shape_case.start;
    system_ = build_system(*problem_, formulation);
    dae_ = system_->dae();
    ASSERT_NE(dae_, nullptr);
    n_ = system_->size();
    ASSERT_EQ(dae_->equations(), n_);
    system_->prepare(start_);
    ASSERT_EQ(system_->multipliers(start_), Status::ok);
    y_.resize(n_);
    system_->pack(start_, y_);
    // y' of the motion itself: levels, then the acceleration.
    const Layout layout = problem_->shape().layout();
    Workspace work;
    Vector a(layout.nv), multipliers(problem_->shape().multipliers());
    problem_->acceleration(start_.t, start_.z, Vector::Zero(multipliers.size()), a, multipliers, work);
    yp_ = Vector::Zero(n_);
    const int nz = layout.size();
    if (layout.order > 1) {
      problem_->coordinate_rates(start_.t, start_.q(), start_.v(), yp_.head(layout.nq), work);
      yp_.segment(layout.nq, nz - layout.nq - layout.nv) = start_.z.tail(nz - layout.nq - layout.nv);
    }
    yp_.segment(nz - layout.nv, layout.nv) = a;
  }

  const Problem* problem_ = nullptr;
  State start_;
  std::unique_ptr<System> system_;
  DaeSystem* dae_ = nullptr;
  int n_ = 0;
  Vector y_, yp_;
};

TEST_P(ConstrainedSystemOfEveryShape, ExactMotionHasNoResidual) {
  Vector r(n_);
  ASSERT_EQ(dae_->residual(start_.t, y_, yp_, r), Status::ok);
  EXPECT_LT(r.cwiseAbs().maxCoeff(), 1e-11 * (1 + yp_.cwiseAbs().maxCoeff()));
}

// At the motion itself, where stabilizing multipliers vanish, so that nothing is left out of the Jacobian.
TEST_P(ConstrainedSystemOfEveryShape, JacobianEqualsDifferences) {
  const double c = 7, h = 1e-6;
  Matrix F_y(n_, n_), F_yp(n_, n_), expected(n_, n_);
  ASSERT_EQ(dae_->linearize(start_.t, y_, yp_), Status::ok);
  dae_->assemble(F_y, F_yp);
  Vector plus(n_), minus(n_);
  for (int j = 0; j < n_; ++j) {
    const Vector step = h * Vector::Unit(n_, j);
    ASSERT_EQ(dae_->residual(start_.t, y_ + step, yp_ + c * step, plus), Status::ok);
    ASSERT_EQ(dae_->residual(start_.t, y_ - step, yp_ - c * step, minus), Status::ok);
    expected.col(j) = (plus - minus) / (2 * h);
  }
  Matrix J = c * F_yp + F_y;
  const Shape& shape = problem_->shape();
  const double scale = 1 + expected.cwiseAbs().maxCoeff();
  if (shape.own_kinematics) {
    // Derivatives across the unit sphere are those of the norm rows alone: compare along N delta.
    Evaluation e;
    problem_->evaluate(Part::kinematics, Point(start_.t, start_.z), e);
    const Matrix along = product(J.leftCols(shape.nq), e.N),
                 expected_along = product(expected.leftCols(shape.nq), e.N);
    EXPECT_LT((along - expected_along).cwiseAbs().maxCoeff(), 1e-7 * scale) << along << "\nexpected\n"
                                                                            << expected_along;
    J.leftCols(shape.nq).setZero();
    expected.leftCols(shape.nq).setZero();
  }
  EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), 1e-7 * scale) << "computed\n"
                                                                << J << "\nexpected\n"
                                                                << expected;
}

TEST_P(ConstrainedSystemOfEveryShape, EliminationSolvesTheAssembledSystem) {
  Matrix F_y(n_, n_), F_yp(n_, n_);
  ASSERT_EQ(dae_->linearize(start_.t, y_, yp_), Status::ok);
  dae_->assemble(F_y, F_yp);
  const Vector b = Vector::LinSpaced(n_, 1, 2);
  const auto real = dae_->real_matrix();
  ASSERT_EQ(real->factor(30.0), Status::ok);
  Vector x(n_);
  real->solve(b, x);
  const Matrix A = 30.0 * F_yp + F_y;
  const double scale = A.cwiseAbs().maxCoeff() * x.cwiseAbs().maxCoeff();
  EXPECT_LT((A * x - b).cwiseAbs().maxCoeff(), 1e-12 * scale);

  const Complex c(20, 35);
  const auto complex = dae_->complex_matrix();
  ASSERT_EQ(complex->factor(c), Status::ok);
  const Eigen::VectorXcd bc = b.cast<Complex>() * Complex(1, -2);
  Eigen::VectorXcd xc(n_);
  complex->solve(bc, xc);
  const Eigen::MatrixXcd Ac = c * F_yp.cast<Complex>() + F_y.cast<Complex>();
  EXPECT_LT((Ac * xc - bc).cwiseAbs().maxCoeff(),
            1e-12 * Ac.cwiseAbs().maxCoeff() * xc.cwiseAbs().maxCoeff());
}

TEST_P(ConstrainedSystemOfEveryShape, PacksWhatItUnpacks) {
  Vector y = Vector::LinSpaced(n_, 1, 2), again(n_);
  State state = start_;
  system_->unpack(0.5, y, state);
  EXPECT_EQ(state.t, 0.5);
  system_->pack(state, again);
  EXPECT_EQ(y, again);
  for (const int index : dae_->index_of_unknowns()) EXPECT_LE(index, 3);
  EXPECT_EQ(static_cast<int>(dae_->index_of_unknowns().size()), n_);
}

INSTANTIATE_TEST_SUITE_P(
    All, ConstrainedSystemOfEveryShape,
    testing::Combine(testing::ValuesIn(shape_cases()),
                     testing::Values("index3", "index2", "index2-baumgarte", "ggl", "ggl:D=input",
                                     "stabilized-index1", "projected-invariants",
                                     "projected-invariants:variant=a",
                                     "projected-invariants:variant=b,D=input")),
    [](const auto& c) { return test_name(std::get<0>(c.param).name + "_" + std::get<1>(c.param)); });

}  // namespace
}  // namespace driftless::tests

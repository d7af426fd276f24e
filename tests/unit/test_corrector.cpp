// The corrector of multistep methods, on equations whose Newton iterations are known.
#include <gtest/gtest.h>

#include <cmath>

#include "integrators/common/corrector.hpp"

namespace driftless::integrators {
namespace {

// F = y' + y^2 - 4, counted as it is asked.
class Square final : public DaeSystem {
 public:
  int equations() const override { return 1; }
  Status residual(double, VectorIn y, VectorIn yp, VectorOut r) override {
    ++residuals;
    r[0] = yp[0] + y[0] * y[0] - 4;
    return Status::ok;
  }
  Status linearize(double, VectorIn y, VectorIn) override {
    ++jacobians;
    slope_ = 2 * y[0];
    return Status::ok;
  }
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override {
    F_y(0, 0) = slope_;
    F_yp(0, 0) = 1;
  }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return 1; }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return dense_real_matrix(*this, work); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return dense_complex_matrix(*this, work);
  }
  Work work;
  int residuals = 0, jacobians = 0;

 private:
  std::vector<int> index_ = {0};
  double slope_ = 0;
};

// y' = y'^P + c (y - y^P) with y^P = 1.5, y'^P = 0: y^2 + c y = 4 + 1.5 c.
double exact(double c) {
  return (-c + std::sqrt(c * c + 4 * (4 + 1.5 * c))) / 2;
}

Vector one(double value) {
  return Vector::Constant(1, value);
}

// By the rate of the increments, which is an estimate.
TEST(Corrector, LeavesAboutItsConstant) {
  for (const double constant : {0.1, 1e-3, 1e-6}) {
    Square system;
    Corrector corrector(system, system.work, {.constant = constant, .iterations = 20});
    Vector y = one(1.5);
    corrector.begin(0);
    ASSERT_EQ(corrector.solve(0, 3, one(0), one(1), y), Status::ok);
    EXPECT_LT(std::abs(y[0] - exact(3)), 2 * constant);
  }
}

TEST(Corrector, KeepsItsMatrixWhileItServes) {
  Square system;
  Corrector corrector(system, system.work, {.constant = 1e-6, .iterations = 20});
  const auto solve = [&](double c, int repetition) {
    Vector y = one(1.5);
    corrector.begin(repetition);
    EXPECT_EQ(corrector.solve(0, c, one(0), one(1), y), Status::ok);
    EXPECT_NEAR(y[0], exact(c), 2e-6);
  };
  solve(10, 0);
  corrector.accepted();
  EXPECT_EQ(system.jacobians, 1);
  EXPECT_EQ(system.work.factorizations, 1);
  solve(10.2, 0);  // within the ratio: not even factored
  corrector.accepted();
  EXPECT_EQ(system.work.factorizations, 1);
  solve(20, 0);  // factored again, not linearized
  EXPECT_EQ(system.work.factorizations, 2);
  EXPECT_EQ(system.jacobians, 1);
  solve(20, 1);  // that was not accepted: what it computed does not serve
  EXPECT_EQ(system.jacobians, 2);
}

TEST(Corrector, RenewsAsAsked) {
  for (const auto& [renewal, most] :
       {std::pair{CorrectorSettings::Renewal::step, 3}, {CorrectorSettings::Renewal::iteration, 20}}) {
    Square system;
    Corrector corrector(system, system.work, {.constant = 1e-8, .iterations = 20, .jacobian = renewal});
    for (int step = 0; step < 3; ++step) {
      Vector y = one(1.5);
      corrector.begin(0);
      ASSERT_EQ(corrector.solve(0, 3, one(0), one(1), y), Status::ok);
      corrector.accepted();
    }
    EXPECT_GE(system.jacobians, 3);
    EXPECT_LE(system.jacobians, most);
    if (renewal == CorrectorSettings::Renewal::iteration) {
      EXPECT_EQ(system.jacobians, system.residuals);
    }
  }
}

// No root: y^2 + 1 = 0 for c = 0+.
TEST(Corrector, GivesUpWhereThereIsNothing) {
  class NoRoot final : public DaeSystem {
   public:
    int equations() const override { return 1; }
    Status residual(double, VectorIn y, VectorIn, VectorOut r) override {
      r[0] = y[0] * y[0] + 1;
      return Status::ok;
    }
    Status linearize(double, VectorIn y, VectorIn) override {
      slope_ = 2 * y[0];
      return Status::ok;
    }
    void assemble(MatrixOut F_y, MatrixOut F_yp) const override {
      F_y(0, 0) = slope_;
      F_yp(0, 0) = 0;
    }
    const std::vector<int>& index_of_unknowns() const override { return index_; }
    int differential_unknowns() const override { return 1; }
    std::unique_ptr<IterationMatrix<double>> real_matrix() override { return dense_real_matrix(*this, work); }
    std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override { return nullptr; }
    Work work;

   private:
    std::vector<int> index_ = {0};
    double slope_ = 0;
  } system;
  Corrector corrector(system, system.work, {.constant = 1e-3, .iterations = 50});
  Vector y = one(1);
  corrector.begin(0);
  EXPECT_EQ(corrector.solve(0, 1, one(0), one(1), y), Status::no_convergence);
}

TEST(Corrector, RemembersItsMatrix) {
  Square system, other_system;
  const CorrectorSettings settings{.constant = 1e-6, .iterations = 20};
  Corrector corrector(system, system.work, settings), other(other_system, other_system.work, settings);
  Vector y = one(1.5), z = y;
  corrector.begin(0);
  corrector.solve(0, 3, one(0), one(1), y);
  corrector.accepted();
  const std::vector<double> memory = corrector.memory();
  ASSERT_EQ(memory.size(), corrector.memory_size());
  ASSERT_TRUE(other.remember(memory.data()));
  y = z = one(1.6);
  corrector.begin(0);
  other.begin(0);
  corrector.solve(1, 3.05, one(0.1), one(1), y);
  other.solve(1, 3.05, one(0.1), one(1), z);
  EXPECT_EQ(y, z);
}

}  // namespace
}  // namespace driftless::integrators

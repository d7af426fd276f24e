// The overdetermined formulations: their equations and derivatives on every shape, what defines their solution, the theorems that relate
// them to ggl and stabilized-index1, and whole runs.
#include <gtest/gtest.h>

#include <driftless/core/auto_problem.hpp>

#include "support/dense_oracle.hpp"
#include "support/problems.hpp"
#include "support/reference_error.hpp"
#include "support/run.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

class OverdeterminedOfEveryShape : public testing::TestWithParam<std::tuple<ShapeCase, std::string>> {
 protected:
  void SetUp() override {
    const auto& [shape_case, formulation] = GetParam();
    problem_ = shape_case.problem.get();
    start_ = shape_case.start;
    system_ = build_system(*problem_, formulation);
    dae_ = system_->dae();
    n_ = system_->size();
    rows_ = dae_->equations();
    ASSERT_EQ(system_->multipliers(start_), Status::ok);
    y_ = yp_ = Vector::Zero(n_);
    system_->pack(start_, y_);
    ASSERT_EQ(system_->rates(start_, yp_), Status::ok);
  }
  Matrix derivative(double c) {
    Matrix F_y(rows_, n_), F_yp(rows_, n_);
    EXPECT_EQ(dae_->linearize(start_.t, y_, yp_), Status::ok);
    dae_->assemble(F_y, F_yp);
    return c * F_yp + F_y;
  }

  const Problem* problem_ = nullptr;
  State start_;
  std::unique_ptr<System> system_;
  DaeSystem* dae_ = nullptr;
  int n_ = 0, rows_ = 0;
  Vector y_, yp_;
};

TEST_P(OverdeterminedOfEveryShape, ExactMotionHasNoResidual) {
  Vector r(rows_);
  ASSERT_EQ(dae_->residual(start_.t, y_, yp_, r), Status::ok);
  EXPECT_LT(r.cwiseAbs().maxCoeff(), 1e-11 * (1 + yp_.cwiseAbs().maxCoeff()));
}

TEST_P(OverdeterminedOfEveryShape, JacobianEqualsDifferences) {
  const double c = 7, h = 1e-6;
  Matrix J = derivative(c), expected(rows_, n_);
  Vector plus(rows_), minus(rows_);
  for (int j = 0; j < n_; ++j) {
    const Vector step = h * Vector::Unit(n_, j);
    ASSERT_EQ(dae_->residual(start_.t, y_ + step, yp_ + c * step, plus), Status::ok);
    ASSERT_EQ(dae_->residual(start_.t, y_ - step, yp_ - c * step, minus), Status::ok);
    expected.col(j) = (plus - minus) / (2 * h);
  }
  const Shape& shape = problem_->shape();
  if (shape.own_kinematics) {  // across the unit sphere there are the norm rows alone
    Evaluation e;
    problem_->evaluate(Part::kinematics, Point(start_.t, start_.z), e);
    J.leftCols(shape.nv) = product(J.leftCols(shape.nq), e.N);
    expected.leftCols(shape.nv) = product(expected.leftCols(shape.nq), e.N);
    J.middleCols(shape.nv, shape.nq - shape.nv).setZero();
    expected.middleCols(shape.nv, shape.nq - shape.nv).setZero();
  }
  EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), 1e-7 * (1 + expected.cwiseAbs().maxCoeff()))
      << "computed\n"
      << J << "\nexpected\n"
      << expected;
}

// (30), (27) and (38) are the same increment; it satisfies the rows beside, and what it leaves of the others is in the range of their
// transpose (along displacements, so that unit quaternions are seen through N).
TEST_P(OverdeterminedOfEveryShape, IncrementsSatisfyTheirDefinition) {
  const double c = 30;
  const Matrix A = derivative(c);
  const int beside = rows_ - n_;
  const Vector r = Vector::LinSpaced(rows_, 1, 2);
  const auto increment = [&](const std::string& options) {
    const auto system = build_system(*problem_, std::get<1>(GetParam()) + options);
    Vector ignored(rows_), x(n_);
    EXPECT_EQ(system->dae()->linearize(start_.t, y_, yp_), Status::ok);
    EXPECT_EQ(system->dae()->residual(start_.t, y_, yp_, ignored), Status::ok);
    const auto matrix = system->dae()->real_matrix();
    EXPECT_EQ(matrix->factor(c), Status::ok);
    matrix->solve(r, x);
    return x;
  };
  const Vector x = increment("");
  const double scale = A.cwiseAbs().maxCoeff() * x.cwiseAbs().maxCoeff();
  EXPECT_LT((A.bottomRows(beside) * x - r.tail(beside)).norm(), 1e-11 * scale);
  if (!problem_->shape().own_kinematics && beside > 0) {
    const Vector rest = r.head(n_) - A.topRows(n_) * x;
    const Matrix range = A.bottomRows(beside).transpose();
    EXPECT_LT(outside_range(range, rest).cwiseAbs().maxCoeff(), 1e-11 * scale);
  }
  for (const char* options : {":solution=null-space", ":solution=extended"})
    EXPECT_LT((increment(options) - x).cwiseAbs().maxCoeff(), 1e-9 * x.cwiseAbs().maxCoeff()) << options;
}

// Theorems 3.1 and 4.1: steps of backward Euler, solved to roundoff, lead to the same q and v as those of the extended system. In ggl of
// order 3 the multipliers of g' push one level, in the range of A_2^T two: close, but not the same.
TEST_P(OverdeterminedOfEveryShape, LeadsWhereTheExtendedSystemLeads) {
  const std::string name = std::get<1>(GetParam());
  const std::string extended = name == "overdetermined-index1" ? "stabilized-index1" : "ggl";
  const auto final = [&](const std::string& formulation, const char* integrator) {
    const Solution s = solve(*problem_, start_, {.formulation = formulation, .integrator = integrator},
                             {.t_end = start_.t + 0.1, .step = 0.02});
    EXPECT_EQ(s.end, EndReason::reached_end) << s.end_message;
    return s.final.z;
  };
  const Vector expected = final(extended, "backward-euler:tolerance=1e-14,jacobian=fresh");
  const bool same = problem_->shape().order < 3 || extended != "ggl";
  const double size = (same ? 1 : 1e6) * (1 + expected.cwiseAbs().maxCoeff());
  EXPECT_LT((final(name, "backward-euler:tolerance=1e-14,jacobian=fresh") - expected).cwiseAbs().maxCoeff(),
            1e-11 * size);
  EXPECT_LT((final(name, "backward-euler:tolerance=1e-14") - expected).cwiseAbs().maxCoeff(), 1e-11 * size);
}

INSTANTIATE_TEST_SUITE_P(All, OverdeterminedOfEveryShape,
                         testing::Combine(testing::ValuesIn(shape_cases()),
                                          testing::Values("overdetermined-index1", "overdetermined-index2")),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param).name + "_" + std::get<1>(c.param));
                         });

Solution run(const std::string& problem, const Method& method, double tolerance) {
  const ProblemInstance instance = catalog::make_problem(problem);
  return solve(*instance.problem, instance.start, method,
               {.t_end = instance.t_end, .rtol = tolerance, .atol = tolerance});
}

TEST(Overdetermined, ConstraintsHoldToRoundoff) {
  for (const char* formulation : {"overdetermined-index1", "overdetermined-index2"})
    for (const char* problem : {"andrews", "pendulum", "heavy-top", "sundials-slider-crank"}) {
      const Solution s = run(problem, {.formulation = formulation, .integrator = "bdf"}, 1e-6);
      ASSERT_EQ(s.end, EndReason::reached_end) << problem << ": " << s.end_message;
      EXPECT_LT(s.drift->position, 1e-13) << problem << " " << formulation;
      const bool velocities_too = std::string(formulation) == "overdetermined-index1";
      EXPECT_LT(s.drift->velocity, velocities_too ? 1e-11 : 1e-5) << problem;
    }
}

// A_2 is that of the last iterate but one: what is left is of second order.
TEST(Overdetermined, ConstraintsHoldToTheSquareOfTheTolerance) {
  for (const char* formulation : {"overdetermined-index1", "overdetermined-index2"})
    for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
      const Solution s = run("andrews", {.formulation = formulation, .integrator = "bdf"}, tolerance);
      ASSERT_EQ(s.end, EndReason::reached_end) << s.end_message;
      EXPECT_LT(s.drift->position, tolerance * tolerance) << formulation << tolerance;
    }
}

// A kept A_2 leaves the constraints alone but leads elsewhere; by how much is in docs/reproduce.md.
TEST(Overdetermined, AFrozenMatrixLeadsElsewhere) {
  const ProblemInstance pendulum = catalog::make_problem("pendulum");
  const auto final = [&](const std::string& formulation, const char* integrator) {
    const Solution s =
        solve(*pendulum.problem, pendulum.start, {.formulation = formulation, .integrator = integrator},
              {.t_end = 0.2, .step = 0.1});
    EXPECT_EQ(s.end, EndReason::reached_end) << s.end_message;
    return s.final.z;
  };
  const char* exactly = "backward-euler:tolerance=1e-14,iterations=100";
  const Vector expected = final("ggl", "backward-euler:tolerance=1e-14,jacobian=fresh");
  EXPECT_LT((final("overdetermined-index2", exactly) - expected).norm(), 1e-12);
  EXPECT_GT((final("overdetermined-index2:A2=frozen", exactly) - expected).norm(), 1e-6);
}

// lambda has index 1 here and may be in the error test. The motion of a pendulum does not depend on its mass, and lambda is proportional to
// it: where lambda counts, an absolute tolerance makes steps depend on the unit of forces, and where it does not, it cannot.
TEST(Overdetermined, TestsTheErrorOfLambda) {
  const auto steps = [](const char* mass, const char* integrator) {
    const ProblemInstance pendulum = catalog::make_problem("pendulum", {{"m", mass}});
    return solve(*pendulum.problem, pendulum.start,
                 {.formulation = "overdetermined-index1", .integrator = integrator},
                 {.t_end = 8, .rtol = 1e-12, .atol = 1e-5})
        .work.steps;
  };
  EXPECT_LT(steps("1048576", "bdf"), 1.2 * static_cast<double>(steps("1", "bdf")));  // only roundoff differs
  EXPECT_GT(steps("1048576", "bdf:error_test=q;v;lambda"), 2 * steps("1", "bdf:error_test=q;v;lambda"));
}

// Without the rows beside, the matrix of this step is singular: h nu = 1. (30) needs it, (27) and (38) do not.
TEST(Overdetermined, SaysWhereSchurNeedsMore) {
  const ProblemInstance instance = catalog::make_problem("000-example4", {{"nu", "100"}});
  const auto run_by = [&](const std::string& formulation) {
    return solve(*instance.problem, instance.start,
                 {.formulation = formulation, .integrator = "backward-euler"}, {.t_end = 0.2, .step = 0.01});
  };
  const Solution schur = run_by("overdetermined-index1");
  EXPECT_EQ(schur.end, EndReason::singular_step);
  EXPECT_TRUE(contains(schur.end_message, "solution=extended")) << schur.end_message;
  const Solution whole = run_by("overdetermined-index1:solution=extended"),
                 expected = run_by("stabilized-index1");
  ASSERT_TRUE(whole.complete()) << whole.end_message;
  EXPECT_LT((whole.final.z - expected.final.z).norm(), 1e-8 * expected.final.z.norm());
}

TEST(Overdetermined, WithoutConstraintsIsTheEquationOfMotion) {
  const ShapeCase& free = shape_case("unconstrained");
  for (const char* formulation : {"overdetermined-index1", "overdetermined-index2"}) {
    const Options options{.t_end = 1, .rtol = 1e-8, .atol = 1e-8};
    const Vector expected =
        solve(*free.problem, free.start, {.formulation = "index1", .integrator = "dop853"}, options).final.z;
    const Solution s = solve(*free.problem, free.start, {.formulation = formulation}, options);
    ASSERT_EQ(s.end, EndReason::reached_end) << s.end_message;
    EXPECT_LT((s.final.z - expected).norm(), 1e-6);
  }
}

// A parallelogram of two cranks and a coupler, hanging. What the corrector leaves of lambda is felt by no other unknown: q and v may be right
// and a Jacobian be kept for many steps while lambda runs away, so that it must be evaluated at the state.
struct Parallelogram {
  static constexpr int nq = 4, ng = 3;
  void force(auto, auto, auto, auto f) const { f[1] = f[3] = -9.81; }
  void constraint(auto, auto q, auto g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    g[1] = ((q[2] - 2) * (q[2] - 2) + q[3] * q[3] - 1) / 2;
    g[2] = ((q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - 4) / 2;
  }
};

TEST(Overdetermined, LambdaBelongsToTheState) {
  const auto problem = make_problem(Parallelogram{});
  const State start = make_state(*problem, {{0, -1, 2, -1}, {3.5, 0, 3.5, 0}});
  const auto lambda = [&](const char* formulation, const char* integrator, double tolerance) {
    const Solution s = solve(*problem, start, {.formulation = formulation, .integrator = integrator},
                             {.t_end = 1, .rtol = tolerance, .atol = tolerance});
    EXPECT_EQ(s.end, EndReason::reached_end) << s.end_message;
    return s.final.lambda;
  };
  const Vector exact = lambda("index1", "dop853", 1e-12);
  for (const double tolerance : {1e-6, 1e-8}) {
    EXPECT_LT((lambda("overdetermined-index1", "bdf", tolerance) - exact).norm(), 1e3 * tolerance);
    EXPECT_GT((lambda("overdetermined-index1:lambda=own", "bdf", tolerance) - exact).norm(),
              10 * exact.norm());
  }
}

// The definitions agree with a matrix that is kept, too, where q' = N(q) v.
TEST(Overdetermined, DefinitionsAgreeOnQuaternions) {
  const ProblemInstance top = catalog::make_problem("heavy-top");
  for (const std::string formulation : {"overdetermined-index1", "overdetermined-index2"}) {
    const auto by = [&](const char* solution) {
      return solve(*top.problem, top.start, {.formulation = formulation + solution, .integrator = "bdf"},
                   {.t_end = 0.3, .rtol = 1e-6, .atol = 1e-6});
    };
    const Solution schur = by("");
    for (const char* solution : {":solution=null-space", ":solution=extended"}) {
      const Solution other = by(solution);
      ASSERT_EQ(other.end, EndReason::reached_end) << other.end_message;
      EXPECT_LT(other.drift->position, 1e-13) << formulation << solution;
      EXPECT_LT((other.final.z - schur.final.z).norm(), 1e-8) << formulation << solution;
    }
  }
}

TEST(Overdetermined, MethodsWithStagesAreRefused) {
  const ProblemInstance pendulum = catalog::make_problem("pendulum");
  const std::string says = complaint([&] {
    solve(*pendulum.problem, pendulum.start, {.formulation = "overdetermined-index2", .integrator = "dopri5"},
          {.t_end = 1});
  });
  EXPECT_TRUE(contains(says, "more equations than unknowns")) << says;
  EXPECT_TRUE(contains(says, "bdf")) << says;
}

}  // namespace
}  // namespace driftless::tests

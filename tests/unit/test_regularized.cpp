// The equations of trust-region and direct-regularization against dense formulas, and their derivatives against differences.
#include <gtest/gtest.h>

#include "support/dense_oracle.hpp"
#include "support/problems.hpp"
#include "support/random_point.hpp"
#include "support/run.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {

namespace {

// Multipliers and acceleration, by inverses, of the equations in the paper.
struct Dense {
  Dense(const Problem& problem, const RandomPoint& at, bool squares, const std::string& mass, double eps,
        double gamma, bool curvature) {
    const Shape& s = problem.shape();
    Evaluation e;
    Parts parts = Part::mass | Part::force | Part::jacobian | Part::curvature | Part::input | Part::position;
    if (s.order > 1) parts = parts | Part::rates;
    if (s.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity;
    problem.evaluate(parts, Point(at.t, at.z), e);
    const int n = s.multipliers();
    Matrix C(n, s.nv), B(s.nv, n);
    Vector feedback(n), c = Vector::Zero(n);
    C.topRows(s.ng) = e.G;
    B.leftCols(s.ng) = e.B;
    if (curvature) c.head(s.ng) = e.c;
    // m!/(j! h^(m-j))
    const double factorial[] = {1, 1, 2, 6};
    feedback.head(s.ng) = factorial[s.order] * std::pow(gamma, s.order) * e.g;
    for (int j = 1; j < s.order; ++j) {
      const Vector rate = j > 1 && !curvature ? Vector(e.G * at.z.segment(s.layout().offset(j), s.nv))
                                              : Vector(e.rates.col(j - 1));
      feedback.head(s.ng) += factorial[s.order] / factorial[j] * std::pow(gamma, s.order - j) * rate;
    }
    if (s.nk > 0) {
      C.bottomRows(s.nk) = e.K;
      B.rightCols(s.nk) = e.K.transpose();
      if (curvature) c.tail(s.nk) = e.ck;
      feedback.tail(s.nk) = gamma * e.w;
    }
    Matrix W = e.M, P = B;
    Vector F = e.f;
    if (mass == "augmented") {
      W += gram(C.transpose());
      F -= C.transpose() * (c + feedback);
    } else if (mass == "paper") {
      W = gram(e.M.transpose()) + Matrix::Identity(s.nv, s.nv);
      F = e.M.transpose() * e.f;
      P = product(e.M.transpose(), B);
    }
    const Matrix W_inverse = inverse(W), A = product(C, W_inverse, P), I = Matrix::Identity(n, n);
    const Vector R = C * (W_inverse * F) + c + feedback;
    y = squares ? lu_solution(gram(A.transpose()) + eps * I, A.transpose() * R) : lu_solution(A + eps * I, R);
    a = W_inverse * (F - P * y);
  }
  Vector y, a;
};

std::string method(bool squares, const std::string& mass, double eps, double gamma, bool curvature) {
  return std::string(squares ? "trust-region" : "direct-regularization") + ":epsilon=" + std::to_string(eps) +
         ",gamma=" + std::to_string(gamma) + ",mass=" + mass + (curvature ? "" : ",curvature=off");
}

std::unique_ptr<System> build_as(SystemShape shape, const Problem& problem, const std::string& text) {
  const NamedChoice choice = parse_choice(text);
  const FormulationEntry& entry = catalog::formulation(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options))->build_as(shape, problem);
}

class EveryRegularizedShape : public testing::TestWithParam<ShapeCase> {};

TEST_P(EveryRegularizedShape, HasTheMultipliersOfTheDenseFormulas) {
  const Problem& problem = *GetParam().problem;
  const Shape& s = problem.shape();
  if (s.multipliers() == 0) GTEST_SKIP();
  const RandomPoint at(s);
  for (const bool squares : {true, false})
    for (const std::string mass : {"given", "augmented", "paper"})
      for (const bool curvature : {true, false}) {
        if (!squares && (s.given_input || mass == "paper")) continue;  // not symmetric
        const auto system = build_system(problem, method(squares, mass, 0.3, 1.7, curvature));
        Vector dy(system->size());
        State state = state_of(problem, {at.z.begin(), at.z.end()});
        ASSERT_EQ(system->ode()->rhs(at.t, at.z, dy, &state), Status::ok) << mass;
        const Dense dense(problem, at, squares, mass, 0.3, 1.7, curvature);
        EXPECT_LT((dy.tail(s.nv) - dense.a).norm(), 1e-11 * (1 + dense.a.norm())) << mass << squares;
        EXPECT_LT((state.lambda - dense.y.head(s.ng)).norm(), 1e-11 * (1 + dense.y.norm()));
        EXPECT_LT((state.kappa - dense.y.tail(s.nk)).norm(), 1e-11 * (1 + dense.y.norm()));
      }
}

// Along displacements: coordinates with norms have no other derivatives.
Vector direction(const Problem& problem, const RandomPoint& at, int seed) {
  const Layout layout = problem.shape().layout();
  const RandomPoint random(problem.shape(), static_cast<unsigned>(seed));
  Vector d = random.z;
  if (!problem.shape().own_kinematics) return d;
  Workspace work;
  problem.coordinate_rates(at.t, at.z.head(layout.nq), random.a, d.head(layout.nq), work);
  return d;
}

TEST_P(EveryRegularizedShape, HasTheJacobianOfTheEliminatedForm) {
  const Problem& problem = *GetParam().problem;
  const Shape& s = problem.shape();
  const RandomPoint at(s);
  for (const bool squares : {true, false})
    for (const std::string mass : {"given", "augmented", "paper"})
      for (const bool curvature : {true, false}) {
        if (!squares && (s.given_input || mass == "paper")) continue;
        // Where terms are left out, they are of the size of epsilon.
        const bool exact = (!s.given_input || s.order == 1) && mass != "paper";
        const auto system =
            build_system(problem, method(squares, mass, exact ? 0.3 : 0.000001, 1.7, curvature));
        const int n = system->size();
        Matrix J(n, n);
        ASSERT_EQ(system->ode()->jacobian(at.t, at.z, J), Status::ok);
        for (int seed = 2; seed < 5; ++seed) {
          const Vector d = direction(problem, at, seed);
          const double step = 1e-5;
          Vector plus(n), minus(n);
          system->ode()->rhs(at.t, at.z + step * d, plus);
          system->ode()->rhs(at.t, at.z - step * d, minus);
          const Vector difference = (plus - minus) / (2 * step);
          EXPECT_LT((J * d - difference).norm(), (exact ? 1e-7 : 1e-4) * (1 + difference.norm()))
              << mass << squares << curvature;
        }
      }
}

TEST_P(EveryRegularizedShape, HasTheJacobianOfTheFormWithMultipliers) {
  const Problem& problem = *GetParam().problem;
  const Shape& s = problem.shape();
  if (s.multipliers() == 0) GTEST_SKIP();
  const RandomPoint at(s);
  std::vector<std::string> methods = {"baumgarte:form=coupled", "baumgarte:form=coupled,curvature=off"};
  const double eps = s.given_input && s.order > 1 ? 0.000001 : 0.3;
  for (const std::string mass : {"given", "augmented"}) {
    if (!s.given_input || s.order == 1) methods.push_back(method(true, mass, eps, 1.7, true));
    if (!s.given_input) methods.push_back(method(false, mass, eps, 1.7, false));
  }
  for (const std::string& name : methods) {
    const auto system = build_as(SystemShape::dae, problem, name);
    const int n = system->size(), nz = s.layout().size();
    const RandomPoint other(s, 9);
    Vector y(n), yp(n);
    y << at.z, at.lambda, at.kappa;
    yp << other.z, other.lambda, other.kappa;
    Matrix F_y(n, n), F_yp(n, n);
    ASSERT_EQ(system->dae()->linearize(at.t, y, yp), Status::ok);
    system->dae()->assemble(F_y, F_yp);
    for (int seed = 2; seed < 5; ++seed) {
      const RandomPoint random(s, static_cast<unsigned>(seed));
      Vector d(n), dp(n), plus(n), minus(n);
      d << direction(problem, at, seed), random.lambda, random.kappa;
      dp << random.z, other.lambda, other.kappa;
      const double step = 1e-5;
      system->dae()->residual(at.t, y + step * d, yp + step * dp, plus);
      system->dae()->residual(at.t, y - step * d, yp - step * dp, minus);
      const Vector difference = (plus - minus) / (2 * step);
      EXPECT_LT((F_y * d + F_yp * dp - difference).norm(), 1e-7 * (1 + difference.norm())) << name;
    }
    // Solved for y' and the multipliers, it is the eliminated form.
    if (name.starts_with("baumgarte")) continue;
    const auto eliminated = build_system(problem, name);
    State state = state_of(problem, {at.z.begin(), at.z.end()});
    Vector dz(nz), r(n);
    ASSERT_EQ(eliminated->ode()->rhs(at.t, at.z, dz, &state), Status::ok);
    y << at.z, state.lambda, state.kappa;
    yp.head(nz) = dz;
    ASSERT_EQ(system->dae()->residual(at.t, y, yp, r), Status::ok);
    EXPECT_LT(r.norm(), 1e-10 * (1 + y.norm())) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Regularized, EveryRegularizedShape, testing::ValuesIn(shape_cases()),
                         [](const auto& row) { return test_name(row.param.name); });

// Observed where G is regular, asked near the place where it vanishes and the plain formula would give 1e3 times as much.
TEST(Regularized, AutomaticEpsilonBoundsMultipliers) {
  const auto problem = catalog::make_problem("003-slider-crank").problem;
  for (const std::string name : {"trust-region:gamma=10", "direct-regularization:gamma=10"}) {
    const auto system = build_system(*problem, name);
    const State start = make_state(*problem, {{1, std::numbers::pi - 1}});
    system->anchor(start);
    State state = start;
    Vector dy(4);
    ASSERT_EQ(system->ode()->rhs(0, start.z, dy, &state), Status::ok);
    const double usual = state.lambda.norm();
    Vector z(4);
    z << 0.01, std::numbers::pi - 0.02, 1.0, -1.3;
    Matrix J(4, 4);
    ASSERT_EQ(system->ode()->rhs(0, z, dy, &state), Status::ok);
    EXPECT_GT(state.lambda.norm(), usual);
    EXPECT_LT(state.lambda.norm(), 100 * usual);
    ASSERT_EQ(system->ode()->jacobian(0, z, J), Status::ok);
    for (int seed = 2; seed < 5; ++seed) {
      const RandomPoint random(problem->shape(), static_cast<unsigned>(seed));
      Vector plus(4), minus(4);
      system->ode()->rhs(0, z + 1e-6 * random.z, plus);
      system->ode()->rhs(0, z - 1e-6 * random.z, minus);
      const Vector difference = (plus - minus) / 2e-6;
      EXPECT_LT((J * random.z - difference).norm(), 1e-5 * (1 + difference.norm())) << name;
    }
  }
}

// Away from singular places it is baumgarte with the same gains.
TEST(Regularized, AutomaticEpsilonIsBaumgarteWhereConstraintsAreIndependent) {
  for (const auto& [name, problem, start, t_end] : shape_cases()) {
    const Shape& s = problem->shape();
    if (s.order != 2 || s.multipliers() == 0) continue;
    const RandomPoint at(s);
    Vector dy(s.layout().size()), expected = dy;
    ASSERT_EQ(build_system(*problem, "trust-region:gamma0=12,gamma1=6")->ode()->rhs(at.t, at.z, dy),
              Status::ok);
    ASSERT_EQ(build_system(*problem, "baumgarte:alpha=6,beta=12")->ode()->rhs(at.t, at.z, expected),
              Status::ok);
    EXPECT_LT((dy - expected).norm(), 1e-11 * (1 + expected.norm())) << name;
  }
}

TEST(Regularized, SaysWhatDoesNotFit) {
  const auto problem = catalog::make_problem("003-slider-crank").problem;
  const State start = make_state(*problem, {{1, std::numbers::pi - 1}});
  const auto say = [&](const std::string& formulation) {
    return complaint([&] { solve(*problem, start, {.formulation = formulation}, {.t_end = 0.1}); });
  };
  EXPECT_TRUE(contains(say("trust-region:gamma0=1"), "gamma0 and gamma1 together"));
  EXPECT_TRUE(contains(say("trust-region:gamma0=1,gamma1=1,gamma=2"), "leave the others out"));
  EXPECT_TRUE(contains(say("trust-region:epsilon=0"), "above 0, or auto"));
  EXPECT_TRUE(contains(say("trust-region:epsilon=tiny"), "epsilon"));
  EXPECT_TRUE(contains(say("trust-region:mass=given,rho=2"), "would be ignored"));
  EXPECT_TRUE(contains(say("baumgarte:form=coupled,gain=auto"), "damp any gain"));
  EXPECT_TRUE(contains(say("baumgarte:curvature=off"), "belongs to form=coupled"));
}

}  // namespace

}  // namespace driftless::tests

// The schemes (3.4), (3.7), (3.9), (3.10) of Ascher, Chin, Reich (1992) entry by entry against their equations,
// with every F formed as a matrix; invariants with parts of z; states for output.
#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_oracle.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

// Of H H^T.
double largest_eigenvalue(const Matrix& H) {
  return symmetric_eigen(gram(H)).values.maxCoeff();
}

// The slider-crank a little off its constraints.
struct OffManifold {
  ProblemInstance instance = catalog::make_problem("001-slider-crank");
  const Problem& problem = *instance.problem;
  Manifold manifold{problem};
  State old = moved(1e-3), state = moved(-2e-3);

  State moved(double size) const {
    State s = *instance.reference.at(1);
    s.z += size * Vector::LinSpaced(s.z.size(), 1, -0.5);
    s.lambda.setZero(3);
    return s;
  }
  Correction apply(const std::string& text) {
    const auto stabilizer = make_stabilizer(text);
    stabilizer->start(manifold);
    return stabilizer->apply(manifold, state, {old, 0.1});
  }
  Vector h(const Vector& z) {
    manifold.evaluate(0, z);
    return manifold.h();
  }
  Matrix H(const Vector& z) {
    manifold.linearize(0, z);
    Matrix result(6, 8);
    manifold.jacobian(result);
    return result;
  }
  // As matrices: (1.13) with D = H^T and diag(G^T, G^T), (4.8), (1.14) over its largest eigenvalue, and parts.
  Matrix F(const std::string& kind, const Vector& z) {
    const Matrix J = H(z), G = J.topLeftCorner(3, 4), plus = product(G.transpose(), inverse(gram(G)));
    Matrix D = Matrix::Zero(8, 6), result = D;
    D.topLeftCorner(4, 3) = D.bottomRightCorner(4, 3) = G.transpose();
    if (kind == "full") return product(J.transpose(), inverse(gram(J)));
    if (kind == "transpose") return J.transpose() / largest_eigenvalue(J);
    if (kind == "block") return product(D, inverse(product(J, D)));
    if (kind != "velocity") result.topLeftCorner(4, 3) = plus;
    if (kind != "position") result.bottomRightCorner(4, 3) = plus;
    return result;
  }
};

// The paper's: H^T in the unit of time of the model.
std::string as_written(const std::string& F) {
  return F == "full" || F == "transpose" ? F + ",time=model" : F;
}

class SchemeWithF : public testing::TestWithParam<std::string> {
 protected:
  // What power iteration leaves of lambda_max.
  const double digits = GetParam() == "transpose" ? 2e-3 : 1e-12;
  std::string with(const std::string& scheme, double alpha) const {
    return scheme + ":F=" + as_written(GetParam()) + ",alpha=" + std::to_string(alpha);
  }
};

TEST_P(SchemeWithF, ForwardIsEvaluatedAtTheOldPoint) {
  for (const double alpha : {0.4, 1.0, 1.7}) {
    OffManifold c;
    const Vector before = c.state.z;
    const Vector expected = -alpha * c.F(GetParam(), c.old.z) * c.h(c.old.z);
    ASSERT_EQ(c.apply(with("forward", alpha)).status, Status::ok);
    EXPECT_LT((c.state.z - before - expected).norm(), digits * expected.norm());
  }
}

TEST_P(SchemeWithF, PostIsEvaluatedAtTheNewPoint) {
  for (const double alpha : {0.4, 1.0, 1.7}) {
    OffManifold c;
    const Vector before = c.state.z;
    const Vector expected = -alpha * c.F(GetParam(), before) * c.h(before);
    ASSERT_EQ(c.apply(with("post", alpha)).status, Status::ok);
    EXPECT_LT((c.state.z - before - expected).norm(), digits * expected.norm());
  }
}

TEST_P(SchemeWithF, BackwardSolvesItsEquation) {
  for (const double alpha : {0.4, 1.0, 30.0, 1e4}) {
    OffManifold c;
    const Vector before = c.state.z;
    ASSERT_EQ(c.apply(with("backward", alpha)).status, Status::ok);
    const Vector z = c.state.z;
    // lambda_max of `transpose` belongs to z~.
    Matrix F = c.F(GetParam(), z);
    if (GetParam() == "transpose") {
      const Matrix at_z = c.H(z), at_start = c.H(before);
      F *= largest_eigenvalue(at_z) / largest_eigenvalue(at_start);
    }
    const Vector move = z - before, residual = move + alpha * F * c.h(z);
    EXPECT_LT(residual.norm(), (digits + 1e-15 * alpha / move.norm()) * move.norm()) << alpha;
    EXPECT_GT(move.norm(), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SchemeWithF,
                         testing::Values("full", "block", "split", "transpose", "position", "velocity"),
                         [](const auto& F) { return F.param; });

// (3.10): on the manifold, and the way there lies in the range of D at the start.
TEST(Schemes, ProjectionMovesAlongTheNormalsOfTheStart) {
  for (const std::string F : {"full", "block", "split", "transpose"}) {
    const auto outside = [&](const std::string& options, double* left) {
      OffManifold c;
      const Vector before = c.state.z;
      EXPECT_EQ(c.apply("projection:F=" + as_written(F) + options).status, Status::ok);
      *left = c.h(c.state.z).norm();
      const Matrix J = c.H(before);
      Matrix D = J.transpose();
      if (F == "block" || F == "split") D.bottomLeftCorner(4, 3).setZero(), D.topRightCorner(4, 3).setZero();
      const Vector way = c.state.z - before;
      return outside_range(D, way).norm() / way.norm();
    };
    double left = 0;
    EXPECT_LT(outside("", &left), 1e-11) << F;
    EXPECT_LT(left, F == "split" ? 1e-12 : 2e-15) << F;
    EXPECT_GT(outside(",normals=current", &left), 1e-9) << F;
    EXPECT_LT(left, F == "split" ? 1e-12 : 2e-15) << F;
  }
}

// So far off that iterates with a fixed Jacobian converge slowly: Newton's method along the same directions.
TEST(Schemes, ProjectionFromFarOff) {
  OffManifold c;
  c.state = c.moved(0.15);
  const Vector before = c.state.z;
  const Correction fix = c.apply("projection:F=" + as_written("full"));
  ASSERT_EQ(fix.status, Status::ok);
  EXPECT_LE(fix.iterations, 8);
  EXPECT_LT(c.h(c.state.z).norm(), 1e-14);
  const Matrix D = c.H(before).transpose();
  const Vector way = c.state.z - before;
  EXPECT_LT(outside_range(D, way).norm(), 1e-12);
}

// D = B in (1.13): x - B (G B)^-1 g.
TEST(Schemes, InputMovesAlongTheConstraintForces) {
  const auto problem = shape_case("order-1").problem;
  State state = make_state(*problem, {{1.1, 0.9}});
  Manifold manifold(*problem);
  const auto post = make_stabilizer("post:F=input");
  post->start(manifold);
  // t = 0: g = 2 x1 - 4 x2 + 2, G = (2, -4), B = (20, 9): G B = 4.
  const double g = 2 * 1.1 - 4 * 0.9 + 2;
  ASSERT_EQ(post->apply(manifold, state, {state, 0.1}).status, Status::ok);
  EXPECT_NEAR(state.z(0), 1.1 - 20 * g / 4, 1e-14);
  EXPECT_NEAR(state.z(1), 0.9 - 9 * g / 4, 1e-14);
}

// A mechanical system's forces act through M^-1: with B = G^T the displacement is the one of least delta^T M delta.
TEST(Schemes, InputIsTheMassMetricOfAMechanism) {
  OffManifold c;
  c.state = c.moved(1e-3);
  const Vector before = c.state.z;
  const Matrix H = c.H(before);
  const Vector h = c.h(before);
  const int nv = c.state.layout.nv, ng = static_cast<int>(H.rows()) / 2;
  Evaluation parts;
  parts.prepare(c.problem.shape(), Part::mass);
  c.manifold.problem().evaluate(Part::mass, Point(c.state.t, before), parts);
  Matrix D = Matrix::Zero(2 * nv, 2 * ng);
  D.topLeftCorner(nv, ng) = product(inverse(parts.M), H.topLeftCorner(ng, nv).transpose());
  D.bottomRightCorner(nv, ng) = D.topLeftCorner(nv, ng);
  const Vector expected = before - D * lu_solution(product(H, D), h);
  ASSERT_EQ(c.apply("post:F=input").status, Status::ok);
  EXPECT_LT((c.state.z - expected).norm(), 1e-14);
  EXPECT_GT((before - c.F("block", before) * h - expected).norm(), 1e-6) << "M differs from I here";
}

// ---- invariants with parts of z ----

TEST(PartsWithInvariants, MoveOnlyTheirLevel) {
  const auto instance = catalog::make_problem("pendulum");
  const Problem& problem = *instance.problem;
  Manifold manifold(problem, {.energy = true});
  manifold.anchor(0, instance.start.z);
  for (const std::string F : {"position", "velocity", "transpose", "full"}) {
    const auto stabilizer = make_stabilizer("projection:F=" + F + ",invariants=energy,normals=current");
    stabilizer->start(manifold);
    State state = instance.start;
    state.z += 1e-3 * Vector::LinSpaced(4, 1, 2);
    const Vector before = state.z;
    ASSERT_EQ(stabilizer->apply(manifold, state, {instance.start, 0.1}).status, Status::ok) << F;
    manifold.evaluate(0, state.z);
    EXPECT_EQ(state.q() == before.head(2), F == "velocity");
    EXPECT_EQ(state.v() == before.tail(2), F == "position");
    EXPECT_LT(std::abs(manifold.h()(2)), 1e-13) << F << ": energy";
    EXPECT_EQ(std::abs(manifold.h()(0)) < 1e-13, F != "velocity") << F << ": g";
    EXPECT_EQ(std::abs(manifold.h()(1)) < 1e-13, F != "position") << F << ": g'";
  }
}

// ---- gains of zero ----

TEST(ZeroGains, LeaveTheMotionAsItIs) {
  const auto instance = catalog::make_problem("001-slider-crank");
  const auto run = [&](const Method& method) {
    return solve(*instance.problem, instance.start, method, {.t_end = 1, .step = 0.05}).final.z;
  };
  const Vector plain = run({.integrator = "rk4", .stabilizer = "none"});
  for (const char* stabilizer :
       {"forward:alpha=0", "post:alpha=0", "backward:alpha=0", "post:alpha=0,renew=auto"})
    EXPECT_EQ(run({.integrator = "rk4", .stabilizer = stabilizer}), plain) << stabilizer;
  for (const char* formulation : {"baumgarte:gamma=0", "invariant-stabilized:gamma=0"})
    EXPECT_EQ(run({.formulation = formulation, .integrator = "rk4", .stabilizer = "none"}), plain)
        << formulation;
  EXPECT_EQ(run({.integrator = "rk4", .stabilizer = "none", .controls = {"energy-descent:mu_v=0"}}), plain);
}

// ---- states for output ----

// `forward` leaves the interpolant, which leads to the corrected state, as it is; no scheme lets outputs touch the run.
TEST(OutputStates, DoNotTouchTheRun) {
  const auto instance = catalog::make_problem("001-slider-crank");
  for (const char* stabilizer :
       {"forward", "backward", "post", "projection", "post:renew=3", "post:renew=auto", "backward:renew=auto",
        "projection:renew=4", "post:solve=sor", "forward:solve=sor"}) {
    Options options{.t_end = 2, .step = 0.05};
    const Method method{.integrator = "rk4", .stabilizer = stabilizer};
    const Vector plain = solve(*instance.problem, instance.start, method, options).final.z;
    options.output = {.kind = Output::Kind::every, .interval = 0.013};
    const Solution with_outputs = solve(*instance.problem, instance.start, method, options);
    EXPECT_EQ(plain, with_outputs.final.z) << stabilizer;
    EXPECT_GT(with_outputs.states.size(), 150u);
  }
}

TEST(OutputStates, OfForwardAreTheInterpolant) {
  OffManifold c;
  const auto forward = make_stabilizer("forward");
  forward->start(c.manifold);
  const Vector before = c.state.z;
  const Correction fix = forward->apply(c.manifold, c.state, {c.old, 0.05, Occasion::Purpose::output});
  EXPECT_EQ(fix.status, Status::ok);
  EXPECT_EQ(c.state.z, before);
}

}  // namespace
}  // namespace driftless::tests

// The motion linearised on the manifold, for every kind of constraint, against equations in other coordinates that
// are written down by hand.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/analysis/modes.hpp>
#include <driftless/catalog/catalog.hpp>
#include <driftless/core/auto_problem.hpp>
#include <driftless/core/consistent_state.hpp>
#include <driftless/core/manifold.hpp>

#include "support/problems.hpp"

namespace driftless::tests {
namespace {

using analysis::Linearization;
using analysis::linearize;
using analysis::Modes;
using Complex = std::complex<double>;

// The values of a polynomial with leading coefficient 1 at all eigenvalues, and how many there are.
void expect_roots(const Modes& found, const std::vector<double>& coefficients, double tolerance) {
  int count = 0;
  for (const auto& mode : found.modes) {
    Complex value = 1;
    for (const double c : coefficients) value = value * mode.value + c;
    EXPECT_LT(std::abs(value), tolerance) << mode.value;
    count += mode.count;
  }
  EXPECT_EQ(count, static_cast<int>(coefficients.size()));
}

// ---- velocity constraints ----

// A skate on springs, held sideways by its blade: with x, y, phi and the blade's force kappa = ky y0 at rest,
//   m x'' = -k x + kappa phi,   I phi'' = -kp phi - b x,   y' = 0
struct SkateOnSprings {
  static constexpr int nq = 3, nk = 1;
  static constexpr double m = 2, I = 0.5, k = 7, kp = 3, b = 0.4, ky = 5, y0 = 1.5;
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = m, M(2, 2) = I; }
  void force(auto, auto q, auto, auto f) const {
    f[0] = -k * q[0];
    f[1] = -ky * (q[1] - y0);
    f[2] = -kp * q[2] - b * q[0];
  }
  void velocity_constraint(auto, auto q, auto v, auto w) const {
    using std::cos, std::sin;
    w[0] = -sin(q[2]) * v[0] + cos(q[2]) * v[1];
  }
};

TEST(Linearization, ForcesOfVelocityConstraintsTurnWithTheBlade) {
  using S = SkateOnSprings;
  const auto problem = make_problem(S{});
  const Modes found = analysis::modes(*problem, make_state(*problem, {{0, 0, 0}, {0, 0, 0}}));
  EXPECT_TRUE(found.linearization.equilibrium);
  EXPECT_NEAR(found.linearization.state.kappa(0), S::ky * S::y0, 1e-14);
  const double kappa = S::ky * S::y0, p = S::k / S::m, r = S::kp / S::I, c = kappa / S::m * S::b / S::I;
  expect_roots(found, {0, p + r, 0, p * r + c, 0}, 1e-10);  // s (s^4 + (p + r) s^2 + p r + c)
}

// y' + a x = 0 couples a velocity to a coordinate: x'' = -k x - b y, y' = -a x, so that s^3 + k s - a b = 0.
struct Leading {
  static constexpr int nq = 2, nk = 1;
  static constexpr double a = 0.8, k = 3, b = 2;
  void force(auto, auto q, auto, auto f) const { f[0] = -k * q[0] - b * q[1]; }
  void velocity_constraint(auto, auto q, auto v, auto w) const { w[0] = v[1] + a * q[0]; }
};

TEST(Linearization, VelocityConstraintsWithATermInTheCoordinates) {
  const auto problem = make_problem(Leading{});
  const Modes found = analysis::modes(*problem, make_state(*problem, {{0, 0}, {0, 0}}));
  EXPECT_EQ(found.verdict, analysis::Verdict::unstable);
  expect_roots(found, {0, Leading::k, -Leading::a * Leading::b}, 1e-13);
}

// ---- order 1, with B of its own ----

// x' = F x - B lambda, G x = 0 with G = (1, 2), B = (3, 1): (I - B G/(G B)) F on t = (2, -1).
struct Index2 {
  static constexpr int order = 1, nq = 2, ng = 1;
  void force(auto, auto x, auto f) const {
    f[0] = -x[0] + 4.0 * x[1];
    f[1] = 2.0 * x[0] + x[1];
  }
  void constraint(auto, auto x, auto g) const { g[0] = x[0] + 2.0 * x[1]; }
  void input(auto, auto, auto B) const { B(0, 0) = 3, B(1, 0) = 1; }
};

TEST(Linearization, FirstOrderWithGivenB) {
  // F t = (-6, 3), G F t = 0, hence lambda = 0 and x' = -3 t: the eigenvalue is -3.
  const auto problem = make_problem(Index2{});
  const Modes found = analysis::modes(*problem, make_state(*problem, {{0, 0}}));
  expect_roots(found, {3}, 1e-14);
  EXPECT_EQ(found.verdict, analysis::Verdict::stable);
}

// Kepler's orbit at (r, 0) as an ODE of order 1: p' = v, v' = -p/|p|^3 has s^2 = 2/r^3 along and -1/r^3 across.
TEST(Linearization, KeplerAwayFromRest) {
  const auto instance = catalog::make_problem("001-kepler");
  State state = instance.start;
  state.z << 2, 0, 0.1, 0.5;
  const Modes found = analysis::modes(*instance.problem, state);
  EXPECT_FALSE(found.linearization.equilibrium);
  EXPECT_EQ(found.verdict, analysis::Verdict::not_an_equilibrium);
  expect_roots(found, {0, -1.0 / 8, 0, -2.0 / 64}, 1e-14);  // (s^2 - 2/8) (s^2 + 1/8)
}

// ---- time ----

// A pendulum on a pivot at (p sin t, h cos(2 t)).
struct DrivenPivot {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  double p = 0.3, h = 0.2, length = 1.5, gravity = 9.81;
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  void constraint(auto t, auto q, auto g) const {
    using std::cos, std::sin;
    const auto x = q[0] - p * sin(t), y = q[1] - h * cos(2.0 * t);
    g[0] = (x * x + y * y - length * length) / 2.0;
  }
};

TEST(Linearization, AMovingPivotIsFrozenAtRest) {
  const DrivenPivot model;
  const auto problem = make_problem(model);
  const double t = 0.7;
  State state =
      make_state(*problem, {{model.p * std::sin(t), model.h * std::cos(2 * t) - model.length}, {0, 0}});
  state.t = t;
  const Modes found = analysis::modes(*problem, state);
  EXPECT_TRUE(found.linearization.equilibrium);
  EXPECT_TRUE(found.linearization.time_frozen);
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_NEAR(found.modes[0].value.imag(), std::sqrt(model.gravity / model.length), 1e-13);
}

// On its way, l phi'' = -(gravity + Y'') sin phi - X'' cos phi with the pivot (X, Y). The local coordinate
// x = l sin(phi - phi0) has x'' = l (cos(phi - phi0) phi'' - sin(phi - phi0) phi'^2), hence
// s^2 = -(gravity + Y'') cos phi/l + X'' sin phi/l - phi'^2.
TEST(Linearization, AMovingPivotOnItsWay) {
  const DrivenPivot model;
  const auto problem = make_problem(model);
  const double t = 0.7, phi = 0.9, rate = 1.3, l = model.length;
  const double X = model.p * std::sin(t), Y = model.h * std::cos(2 * t), vX = model.p * std::cos(t),
               vY = -2 * model.h * std::sin(2 * t), aX = -X, aY = -4 * Y;
  State state = make_state(*problem, {{X + l * std::sin(phi), Y - l * std::cos(phi)},
                                      {vX + l * std::cos(phi) * rate, vY + l * std::sin(phi) * rate}});
  state.t = t;
  const Modes found = analysis::modes(*problem, state);
  EXPECT_FALSE(found.linearization.equilibrium);
  const double square = (-(model.gravity + aY) * std::cos(phi) + aX * std::sin(phi)) / l - rate * rate;
  expect_roots(found, {0, -square}, 1e-11);
}

// ---- every shape ----

// Displacements stay on the manifold, there are as many as degrees of freedom, and the multipliers are those of
// consistent_state.
TEST(Linearization, EveryShape) {
  for (const ShapeCase& shape : shape_cases()) {
    SCOPED_TRACE(shape.name);
    const Linearization found = linearize(*shape.problem, shape.start);
    const Shape& s = shape.problem->shape();
    EXPECT_EQ(found.reduced.rows(), s.order * (s.nv - s.ng) - s.nk);
    Manifold manifold(*shape.problem);
    ASSERT_EQ(manifold.linearize(shape.start.t, shape.start.z), Status::ok);
    Matrix H(manifold.rows(), s.order * s.nv);
    manifold.jacobian(H);
    EXPECT_LE((H * found.displacements).norm(), 1e-13 * H.norm());
    EXPECT_LT((found.state.lambda - shape.start.lambda).norm(), 1e-10);
    EXPECT_LT((found.state.kappa - shape.start.kappa).norm(), 1e-10);
  }
}

struct Held {  // as many constraints as coordinates
  static constexpr int nq = 2, ng = 2;
  void force(auto, auto, auto, auto f) const { f[0] = 3; }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] - 1.0, g[1] = q[1] + q[0]; }
};

TEST(Linearization, NothingLeftToMove) {
  const auto problem = make_problem(Held{});
  const Modes found = analysis::modes(*problem, make_state(*problem, {{1, -1}, {0, 0}}));
  EXPECT_TRUE(found.modes.empty());
  EXPECT_EQ(found.verdict, analysis::Verdict::rigid);
  EXPECT_NEAR(found.linearization.state.lambda(0), 3, 1e-14);
}

TEST(Linearization, StatesOffTheManifoldAreRefused) {
  const auto instance = catalog::make_problem("pendulum");
  State state = instance.start;
  state.z(0) = 1.01;
  try {
    linearize(*instance.problem, state);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("residual 0.0101 of rod length"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace driftless::tests

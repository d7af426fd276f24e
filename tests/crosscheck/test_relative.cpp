// Mechanisms in relative coordinates against the same in the coordinates of their bodies: what the tree makes of matrices and forces must be
// V^T of what bodies have, v = V u; accelerations and multipliers must be those of the bodies; and runs must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/allocation_counter.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;

struct Numbers {
  std::mt19937 random{20261117};
  double operator()() { return std::uniform_real_distribution(-1.0, 1.0)(random); }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  Vec3 unit() {
    const Vec3 v = vector();
    return (1 / norm(v)) * v;
  }
  Vector entries(Eigen::Index n) {
    return Vector::NullaryExpr(n, [&] { return (*this)(); });
  }
};

BodyId block(Mechanism& m, const std::string& name, Numbers& number) {
  return m.body(SpatialBody{.name = name,
                            .mass = 1.5 + number(),
                            .inertia = {0.5, 0.6, 0.7},
                            .products = {0.02, -0.05, 0.04},
                            .at = number.vector(),
                            .axes = turned(number.unit(), 3 * number())});
}
BodyId plate(Mechanism& m, const std::string& name, const Vec3& at, double angle = 0) {
  return m.body(PlanarBody{.name = name, .mass = 1, .inertia = 0.2, .at = at, .angle = angle});
}
// At a place somewhere, with an axis anywhere.
JointId connect(Mechanism& m, const std::string& type, const std::string& name, BodyId a, BodyId b,
                Numbers& number, const Settings& settings = {}) {
  return m.joint(type, name, a, b, {.at = number.vector(), .axis = number.unit(), .x = number.vector()},
                 settings);
}

// --- mechanisms ----------------------------------------------------------------------------------------------------------------

Mechanism four_bar() {
  Mechanism m;
  const BodyId crank = plate(m, "crank", {0, 0.5, 0}), rod = plate(m, "rod", {1, 1.25, 0}, 0.2),
               rocker = plate(m, "rocker", {2, 0.75, 0}, -3);
  m.joint("revolute", "A", m.ground(), crank, {.at = {0, 0, 0}});
  m.joint("revolute", "B", crank, rod, {.at = {0, 1, 0}});
  m.joint("revolute", "C", rocker, rod, {.at = {2, 1.5, 0}});
  m.joint("revolute", "D", rocker, m.ground(), {.at = {2, 0, 0}});  // the ground comes second
  m.gravity({0, -9.81, 0});
  m.force("spring-damper", "strut", m.marker(m.ground(), Vec3{1, 0, 0}), m.marker(rod, Vec3{}),
          {{"stiffness", 20}, {"damping", 2}, {"rest", 1}});
  return m;
}

Mechanism slider_crank() {
  Mechanism m;
  const BodyId crank = plate(m, "crank", {0.3, 0.4, 0}, 0.9), rod = plate(m, "rod", {1.2, 0.4, 0}),
               slider = plate(m, "slider", {1.8, 0, 0}, 7);  // has gone round once
  const JointId hinge = m.joint("revolute", "hinge", crank, m.ground(), {});
  m.joint("revolute", "pin", crank, rod, {.at = {0.6, 0.8, 0}});
  m.joint("revolute", "wrist", rod, slider, {.at = {1.8, 0, 0}});
  m.joint("prismatic", "guide", m.ground(), slider, {.at = {0.5, 0, 0}, .axis = {1, 0, 0}});
  m.gravity({0, -9.81, 0});
  m.force("actuator", "motor", hinge, "angle", {{"force", "3*sin(t) - 0.2*hinge.angle'"}});
  return m;
}

// Branches with every type of joint; both directions of each. Some rows that all of them take part in.
Mechanism branches(bool backwards, bool springs) {
  Numbers number;
  Mechanism m;
  const BodyId trunk = block(m, "trunk", number);
  connect(m, "revolute", "root", backwards ? trunk : m.ground(), backwards ? m.ground() : trunk, number);
  BodyId last = trunk;
  std::vector<BodyId> ends;  // of branches
  for (const std::string type :
       {"spherical", "universal", "cylindrical", "fixed", "prismatic", "planar", "screw", "revolute"}) {
    const BodyId next = block(m, type + " body", number);
    const Settings settings = type == "screw" ? Settings{{"pitch", 0.8}} : Settings{};
    const JointId joint =
        connect(m, type, type + " joint", backwards ? next : last, backwards ? last : next, number, settings);
    if (springs)
      for (const std::string& coordinate : m.coordinates(joint))
        m.force("spring-damper", type + " spring on " + coordinate, joint, coordinate,
                {{"stiffness", 2}, {"damping", 0.3}, {"rest", 0.1}});
    const bool ends_here = type == "universal" || type == "prismatic";
    if (ends_here) ends.push_back(next);
    last = ends_here ? trunk : next;
  }
  if (springs) {
    const auto marker = [&](BodyId body) { return m.marker(body, number.vector(), number.unit()); };
    m.joint("distance", "rope", marker(m.ground()), marker(last));
    m.joint("knife-edge", "blade", marker(m.ground()), marker(last));
    connect(m, "in-plane", "floor", ends[0], ends[1], number);
    connect(m, "parallel-axes", "pair", ends[1], last, number);
  }
  m.gravity({1, 2, -9});
  return m;
}

// As a row of planar bars, with hinges whose axes are parallel: three of five rows of the closing hinge are too many.
Mechanism spatial_four_bar() {
  Mechanism m;
  std::vector<BodyId> bars;
  const Vec3 at[] = {{0, 0.5, 0}, {1, 1.25, 0}, {2, 0.75, 0}};
  for (int i = 0; i < 3; ++i)
    bars.push_back(m.body(
        SpatialBody{.name = "bar " + std::to_string(i), .mass = 1, .inertia = {0.1, 0.2, 0.3}, .at = at[i]}));
  m.joint("revolute", "A", m.ground(), bars[0], {.at = {0, 0, 0}});
  m.joint("revolute", "B", bars[0], bars[1], {.at = {0, 1, 0}});
  m.joint("revolute", "C", bars[1], bars[2], {.at = {2, 1.5, 0}});
  m.joint("revolute", "D", bars[2], m.ground(), {.at = {2, 0, 0}});
  m.gravity({0, -9.81, 0});
  return m;
}

// Two hinges, a ball joint and a rod that closes the loop by a cross: no row is too many.
Mechanism spatial_loop() {
  Mechanism m;
  const Vec3 A{0, 0, 1}, B{0, 0.4, 1.2}, C{1.1, 0, 0};
  const auto bar = [&](const std::string& name, const Vec3& at) {
    return m.body(SpatialBody{.name = name, .mass = 1, .inertia = {0.1, 0.2, 0.15}, .at = at});
  };
  const BodyId crank = bar("crank", 0.5 * (A + B)), rod = bar("rod", 0.5 * (B + C)),
               slider = bar("slider", C);
  const JointId hinge = m.joint("revolute", "hinge", m.ground(), crank, {.at = A, .axis = {1, 0, 0}});
  m.joint("spherical", "ball", crank, rod, {.at = B});
  m.joint("universal", "cross", slider, rod, {.at = C, .axis = {1, 0, 0}, .x = {0, 1, 0}});
  const JointId guide = m.joint("prismatic", "guide", m.ground(), slider, {.at = C, .axis = {1, 0, 0}});
  m.force("spring-damper", "spring", guide, "position", {{"stiffness", 5}, {"damping", 1}});
  m.force("actuator", "motor", hinge, "angle", {{"force", "1 - 0.1*hinge.angle*guide.position'"}});
  m.gravity({0, 0, -9.81});
  return m;
}

Mechanism free_bodies() {
  Numbers number;
  Mechanism m;
  const BodyId a = block(m, "a", number), b = block(m, "b", number), c = block(m, "c", number);
  connect(m, "revolute", "hinge", a, b, number);
  const auto marker = [&](BodyId body) { return m.marker(body, number.vector(), number.unit()); };
  m.force("spring-damper", "tether", marker(m.ground()), marker(a),
          {{"stiffness", 3}, {"damping", 0.1}, {"rest", 1}});
  m.force("spring-damper", "spring", marker(b), marker(c), {{"stiffness", 4}, {"rest", 0.5}});
  m.force("bushing", "bushing", marker(m.ground()), marker(c),
          {{"kx", 3}, {"ky", 4}, {"kz", 5}, {"ctz", 0.2}, {"cx", 0.1}});
  plate(m, "leaf", {1, 2, 0});
  return m;
}

Mechanism driven() {
  Numbers number;
  Mechanism m;
  const BodyId cart = block(m, "cart", number), arm = block(m, "arm", number);
  const JointId rail = connect(m, "prismatic", "rail", m.ground(), cart, number);
  connect(m, "revolute", "hinge", cart, arm, number);
  m.drive("push", rail, "position", "0.3*sin(3*t)");
  m.gravity({0, 0, -9.81});
  return m;
}

Mechanism gears() {
  Numbers number;
  Mechanism m;
  const BodyId first = block(m, "first", number), second = block(m, "second", number),
               nut = block(m, "nut", number);
  const JointId a = connect(m, "revolute", "shaft a", m.ground(), first, number),
                b = connect(m, "revolute", "shaft b", second, m.ground(), number),
                c = connect(m, "screw", "thread", first, nut, number, {{"pitch", 0.7}});
  m.joint("gear", "mesh", a, b, {{"ratio", -1.5}});
  m.force("actuator", "motor", a, "angle", {{"force", 2}});
  m.force("spring-damper", "spring", c, "position", {{"stiffness", 9}});
  m.gravity({0, 1, -9});
  return m;
}

// A loop that a joint with a turn of its own closes, a bar, and a wheel that rolls.
Mechanism loose_ends() {
  Mechanism m;
  const auto bar = [&](const std::string& name, const Vec3& at) {
    return m.body(SpatialBody{.name = name, .mass = 1, .inertia = {0.1, 0.2, 0.15}, .at = at});
  };
  const BodyId left = bar("left", {0, 0, -1}), right = bar("right", {2, 0, -1}),
               table = bar("table", {1, 0, -2});
  m.joint("spherical", "left ball", m.ground(), left, {.at = {0, 0, 0}});
  m.joint("spherical", "right ball", m.ground(), right, {.at = {2, 0, 0}});
  m.joint("universal", "left foot", left, table, {.at = {0, 0, -2}, .axis = {0, 1, 0}, .x = {1, 0, 0}});
  const JointId foot =
      m.joint("cylindrical", "right foot", right, table, {.at = {2, 0, -2}, .axis = {0, 1, 0}});
  m.force("spring-damper", "stop", foot, "angle", {{"stiffness", 3}, {"damping", 0.5}});
  m.force("spring-damper", "buffer", foot, "position", {{"stiffness", 8}});
  const BodyId ball = bar("pendulum", {1, 1, -2});
  m.joint("distance", "rope", m.marker(m.ground(), Vec3{1, 1, 0}), m.marker(ball, Vec3{0, 0, 0.5}));
  const BodyId wheel = m.body(SpatialBody{.name = "wheel",
                                          .mass = 2,
                                          .inertia = {0.3, 0.3, 0.5},
                                          .at = {5, 0, std::sqrt(0.5)},
                                          .axes = turned({1, 0, 0}, 0.75 * std::numbers::pi)});
  m.joint("rolling", "track", m.marker(m.ground(), Vec3{}), m.marker(wheel, Vec3{}), {{"radius", 1}});
  m.gravity({0, 0, -9.81});
  return m;
}

// Spatial bodies that hang on planar ones.
Mechanism mixed() {
  Numbers number;
  Mechanism m;
  const BodyId beam = plate(m, "beam", {0.5, 0, 0}), end = plate(m, "end", {1.5, 0.2, 0}, 0.3),
               bob = block(m, "bob", number), cap = block(m, "cap", number);
  m.joint("revolute", "pivot", m.ground(), beam, {});
  m.joint("prismatic", "slide", end, beam, {.at = {1, 0, 0}, .axis = {0.6, 0.8, 0}});
  m.joint("universal", "cross", bob, end, {.at = {1.6, 0, 0}, .axis = number.unit(), .x = number.vector()});
  m.joint("fixed", "weld", end, cap, {.at = {1, 1, 0.3}, .axis = number.unit()});
  m.gravity({0, -9.81, 0});
  return m;
}

struct Case {
  std::string name;
  std::function<Mechanism()> make;
  bool regular = true;  // no row depends on others
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"four_bar", four_bar},
      {"slider_crank", slider_crank},
      {"branches", [] { return branches(false, false); }},
      {"branches_backwards", [] { return branches(true, false); }},
      {"branches_with_springs", [] { return branches(false, true); }},
      {"branches_backwards_with_springs", [] { return branches(true, true); }},
      {"spatial_four_bar", spatial_four_bar, false},
      {"spatial_loop", spatial_loop},
      {"free_bodies", free_bodies},
      {"driven", driven},
      {"gears", gears},
      {"loose_ends", loose_ends},
      {"mixed", mixed}};
  return all;
}

// --- the same state twice --------------------------------------------------------------------------------------------------------

struct Both {
  explicit Both(const Case& c)
      : mechanism(c.make()),
        bodies(mechanism.problem()),
        relative(mechanism.finished(), mechanism.joints(), mechanism.assembled()),
        joints(relative.problem()) {}

  // On the constraints, by joints, and moving.
  State somewhere(Numbers& number, double spread = 0.2) const {
    State state = relative.start();
    state.t = 0.4;
    Workspace work;
    joints->displace(state.t, state.q(), spread * number.entries(joints->shape().nv), work);
    state.v() += number.entries(joints->shape().nv);
    return consistent_state(*joints, state).state;
  }
  // v = V u
  Matrix V(const State& state) const {
    Matrix columns(bodies->shape().nv, joints->shape().nv);
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      State unit = state;
      unit.v().setZero(), unit.v()(k) = 1;
      columns.col(k) = relative.absolute(unit).v();
    }
    return columns;
  }
  // d/ds v at (q + s q', u + s a), by differences of sixth order.
  Vector acceleration(const State& state, const Vector& a) const {
    Workspace work;
    Vector rates(joints->shape().nq), sum = Vector::Zero(bodies->shape().nv);
    joints->coordinate_rates(state.t, state.q(), state.v(), rates, work);
    const double h = 4e-3, weights[] = {45, -9, 1};
    for (int i = 1; i <= 3; ++i)
      for (const double side : {1.0, -1.0}) {
        State moved = state;
        moved.q() += side * i * h * rates;
        moved.v() += side * i * h * a;
        sum += side * weights[i - 1] / (60 * h) * relative.absolute(moved).v();
      }
    return sum;
  }

  Mechanism mechanism;
  std::shared_ptr<const Problem> bodies;
  RelativeCoordinates relative;
  std::shared_ptr<const Problem> joints;
};

double largest(const Matrix& A) {
  return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
}
void same(const char* what, const Matrix& ours, const Matrix& expected, double tolerance) {
  ASSERT_EQ(ours.rows(), expected.rows()) << what;
  ASSERT_EQ(ours.cols(), expected.cols()) << what;
  EXPECT_LE(largest(ours - expected), tolerance * (1 + largest(expected))) << what;
}

struct Motion {
  Motion(const Problem& problem, const State& at, bool by_default = false)
      : a(Vector::Zero(problem.shape().nv)), multipliers(Vector::Zero(problem.shape().multipliers())) {
    Workspace work;
    const Vector r = Vector::Zero(multipliers.size());
    const Status status = by_default ? problem.Problem::acceleration(at.t, at.z, r, a, multipliers, work)
                                     : problem.acceleration(at.t, at.z, r, a, multipliers, work);
    EXPECT_EQ(status, Status::ok);
  }
  Vector a, multipliers;
};

class Relative : public testing::TestWithParam<Case> {};

TEST_P(Relative, PlacesGoThereAndBack) {
  const Both both(GetParam());
  Numbers number;
  const State given = both.mechanism.assembled();
  same("start", both.relative.absolute(both.relative.start()).z, given.z, 1e-11);
  for (int i = 0; i < 3; ++i) {
    const State state = both.somewhere(number), absolute = both.relative.absolute(state);
    const State back = both.relative.relative(absolute);
    // Quaternions have two signs; the places of bodies have not.
    same("there again", both.relative.absolute(back).z, absolute.z, 1e-11);
    same("velocities", back.v(), state.v(), 1e-11);
    same("multipliers", back.lambda, state.lambda, 1e-12);
    Evaluation e;
    Parts parts = Part::position | Part::rates;
    if (both.bodies->shape().nk > 0) parts = parts | Part::velocity;
    both.bodies->evaluate(parts, Point(absolute.t, absolute.z), e);
    EXPECT_LE(largest(e.g), 1e-11) << "on the constraints of all joints";
    EXPECT_LE(largest(e.rates), 1e-10);
    EXPECT_LE(largest(e.w), 1e-10);
  }
}

TEST_P(Relative, MatricesAndForcesAreThoseOfTheBodies) {
  const Both both(GetParam());
  Numbers number;
  for (int i = 0; i < 2; ++i) {
    const State state = both.somewhere(number), absolute = both.relative.absolute(state);
    const Shape &s = both.joints->shape(), &all = both.bodies->shape();
    Parts parts = Part::mass | Part::force | Part::energy | Part::power | Part::jacobian | Part::position |
                  Part::rates | Part::curvature;
    if (s.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity;
    Evaluation ours, theirs;
    both.joints->evaluate(parts, Point(state.t, state.z), ours);
    both.bodies->evaluate(parts, Point(state.t, absolute.z), theirs);
    const Matrix V = both.V(state);
    const Vector bias = both.acceleration(state, Vector::Zero(s.nv));  // V' u
    same("M", ours.M, V.transpose() * theirs.M * V, 1e-12);
    same("f", ours.f, V.transpose() * (theirs.f - theirs.M * bias), 1e-8);
    EXPECT_NEAR(ours.energy, theirs.energy, 1e-11 * (1 + std::abs(theirs.energy)));
    if (all.has_power) {
      EXPECT_NEAR(ours.power, theirs.power, 1e-11 * (1 + std::abs(theirs.power)));
    }
    // Rows are found again by their names, one after the other.
    int row = 0;
    for (int k = 0; k < all.ng; ++k) {
      if (row == s.ng || both.joints->constraint_name(row) != both.bodies->constraint_name(k)) {
        EXPECT_LE(largest(theirs.G.row(k) * V), 1e-11) << both.bodies->constraint_name(k);
        continue;
      }
      same("G", ours.G.row(row), theirs.G.row(k) * V, 1e-12);
      EXPECT_NEAR(ours.g(row), theirs.g(k), 1e-11);
      EXPECT_NEAR(ours.rates(row, 0), theirs.rates(k, 0), 1e-11);
      EXPECT_NEAR(ours.c(row), theirs.c(k) + theirs.G.row(k).dot(bias), 1e-8 * (1 + largest(bias)));
      ++row;
    }
    EXPECT_EQ(row, s.ng);
    if (s.nk > 0) {
      same("K", ours.K, theirs.K * V, 1e-12);
      same("w", ours.w, theirs.w, 1e-12);
      same("ck", ours.ck, theirs.ck + theirs.K * bias, 1e-8);
    }
  }
}

TEST_P(Relative, AccelerationsAndMultipliersAreThoseOfTheBodies) {
  const Both both(GetParam());
  Numbers number;
  for (int i = 0; i < 3; ++i) {
    State state = both.somewhere(number);
    const Motion ours(*both.joints, state), whole(*both.joints, state, true);
    same("a by recursion", ours.a, whole.a, 1e-10);
    state.lambda = ours.multipliers.head(both.joints->shape().ng);
    state.kappa = ours.multipliers.tail(both.joints->shape().nk);
    const State absolute = both.relative.absolute(state);
    const Motion theirs(*both.bodies, absolute);
    same("a", both.acceleration(state, ours.a), theirs.a, 1e-8);
    same("multipliers by recursion", ours.multipliers, whole.multipliers, 1e-10);
    same("lambda", absolute.lambda, theirs.multipliers.head(absolute.lambda.size()), 1e-9);
    same("kappa", absolute.kappa, theirs.multipliers.tail(absolute.kappa.size()), 1e-9);
  }
}

// M a + G^T lambda + K^T kappa = f on the bodies.
TEST_P(Relative, MultipliersBalanceTheBodies) {
  const Both both(GetParam());
  Numbers number;
  State state = both.somewhere(number);
  const Motion ours(*both.joints, state);
  state.lambda = ours.multipliers.head(both.joints->shape().ng);
  state.kappa = ours.multipliers.tail(both.joints->shape().nk);
  const State absolute = both.relative.absolute(state);
  Parts parts = Part::mass | Part::force | Part::jacobian;
  if (absolute.kappa.size() > 0) parts = parts | Part::velocity_jacobian;
  Evaluation e;
  both.bodies->evaluate(parts, Point(state.t, absolute.z), e);
  Vector rest = e.M * Motion(*both.bodies, absolute).a - e.f;
  if (absolute.lambda.size() > 0) rest += e.G.transpose() * absolute.lambda;
  if (absolute.kappa.size() > 0) rest += e.K.transpose() * absolute.kappa;
  EXPECT_LE(largest(rest), 1e-9 * (1 + largest(e.f)));
}

// What is asked of the rows comes out, and multipliers without it.
TEST_P(Relative, RowsAreDriven) {
  if (!GetParam().regular) return;  // rows that depend on each other cannot all be driven
  const Both both(GetParam());
  Numbers number;
  const State state = both.somewhere(number);
  const Shape& s = both.joints->shape();
  const Vector r = number.entries(s.multipliers());
  Vector a(s.nv), multipliers(s.multipliers()), unforced(s.multipliers());
  Workspace work;
  work.unforced = &unforced;
  ASSERT_EQ(both.joints->acceleration(state.t, state.z, r, a, multipliers, work), Status::ok);
  Evaluation e;
  both.joints->evaluate(acceleration_parts(s), Point(state.t, state.z), e);
  if (s.ng > 0) same("r", e.G * a + e.c, r.head(s.ng), 1e-10);
  if (s.nk > 0) same("r of w", e.K * a + e.ck, r.tail(s.nk), 1e-10);
  same("unforced", unforced, Motion(*both.joints, state).multipliers, 1e-10);
}

// Derivatives against differences, along displacements.
TEST_P(Relative, Derivatives) {
  const Both both(GetParam());
  Numbers number;
  const State state = both.somewhere(number);
  const Shape& s = both.joints->shape();
  const Vector a = number.entries(s.nv), lambda = number.entries(s.ng), kappa = number.entries(s.nk);
  const Point at(state.t, state.z, a, lambda, kappa);
  Evaluation e;
  const Parts drift = s.nk > 0 ? Parts(Part::velocity_drift) : Parts();
  both.joints->evaluate(drift | Part::force_jacobian | Part::mass_product_jacobian |
                            Parts(Part::multiplier_jacobian) | Part::rate_jacobian |
                            Part::curvature_jacobian | Part::energy_gradient,
                        at, e);
  Workspace work;
  const double h = 1e-5;
  for (int k = 0; k < 2 * s.nv; ++k) {
    Evaluation side[2];
    for (const int i : {0, 1}) {
      State moved = state;
      const double step = i == 0 ? -h : h;
      if (k < s.nv)
        both.joints->displace(state.t, moved.q(), step * Vector::Unit(s.nv, k), work);
      else
        moved.v()(k - s.nv) += step;
      Parts parts = Part::mass | Part::force | Part::jacobian | Part::rates | Part::curvature | Part::energy;
      if (s.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity;
      both.joints->evaluate(parts, Point(state.t, moved.z), side[i]);
    }
    const auto slope = [&](auto of) { return Matrix((of(side[1]) - of(side[0])) / (2 * h)); };
    same("f_z", e.f_z.col(k), slope([](const Evaluation& x) { return x.f; }), 1e-7);
    EXPECT_NEAR(e.energy_z(k), (side[1].energy - side[0].energy) / (2 * h), 1e-6);
    if (s.ng > 0)
      same("(G a + c)_z", e.c_z.col(k), slope([&](const Evaluation& x) { return Vector(x.G * a + x.c); }),
           1e-6);
    if (k >= s.nv) continue;
    same("(M a)_x", e.Ma_x.col(k), slope([&](const Evaluation& x) { return Vector(x.M * a); }), 1e-7);
    if (s.ng > 0) same("L", e.L[0].col(k), slope([](const Evaluation& x) { return x.rates; }), 1e-6);
    if (s.nk > 0) same("w_x", e.w_x.col(k), slope([](const Evaluation& x) { return x.w; }), 1e-6);
    if (s.multipliers() > 0)
      same("(G^T lambda)_x", e.Bl_x.col(k), slope([&](const Evaluation& x) {
             Vector pull = Vector::Zero(s.nv);
             if (s.ng > 0) pull += x.G.transpose() * lambda;
             if (s.nk > 0) pull += x.K.transpose() * kappa;
             return pull;
           }),
           1e-7);
  }
}

TEST_P(Relative, RunsAgree) {
  const Both both(GetParam());
  const Options options{.t_end = 1, .rtol = 1e-10, .atol = 1e-10};
  State start = both.relative.start();
  Numbers number;
  start.v() = 0.5 * number.entries(start.v().size());
  start = consistent_state(*both.joints, start).state;
  const Solution ours = solve(*both.joints, start, {}, options),
                 theirs = solve(*both.bodies, both.relative.absolute(start), {}, options);
  ASSERT_TRUE(ours.complete()) << ours.end_message;
  ASSERT_TRUE(theirs.complete()) << theirs.end_message;
  const State end = both.relative.absolute(ours.final);
  same("q", end.q(), theirs.final.q(), 1e-8);
  same("v", end.v(), theirs.final.v(), 1e-8);
  same("lambda", end.lambda, theirs.final.lambda, 1e-7);
  same("kappa", end.kappa, theirs.final.kappa, 1e-7);
}

// Nothing is allocated after the first call.
TEST_P(Relative, AccelerationsNeedNoNewMemory) {
  if (!GetParam().regular) return;  // dependent rows are told apart elsewhere
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  const Both both(GetParam());
  Numbers number;
  const State state = both.somewhere(number);
  const Shape& s = both.joints->shape();
  Vector a(s.nv), multipliers(s.multipliers()), rates(s.nq), q = state.q();
  const Vector r = Vector::Zero(s.multipliers());
  Workspace work;
  const auto all = [&] {
    both.joints->acceleration(state.t, state.z, r, a, multipliers, work);
    both.joints->coordinate_rates(state.t, state.q(), state.v(), rates, work);
    both.joints->normalize(q);
  };
  all();
  EXPECT_EQ(allocation_counter::during(all), 0);
}

// Derivatives are right where implicit methods ask for them.
TEST(RelativeRuns, ImplicitMethods) {
  for (const std::string name :
       {"four_bar", "spatial_loop", "branches_backwards_with_springs", "loose_ends"}) {
    const Case& c =
        *std::find_if(cases().begin(), cases().end(), [&](const Case& one) { return one.name == name; });
    const Both both(c);
    const Options options{.t_end = 0.3, .rtol = 1e-9, .atol = 1e-9};
    const State start = consistent_state(*both.joints, both.relative.start()).state;
    const Solution plain = solve(*both.joints, start, {}, options);
    for (const Method& method : {Method{.formulation = "ggl", .integrator = "radau5"},
                                 Method{.formulation = "index3", .integrator = "bdf"},
                                 Method{.formulation = "index1", .integrator = "radau5"}}) {
      const Solution run = solve(*both.joints, start, method, options);
      ASSERT_TRUE(run.complete()) << name << " " << method.formulation << ": " << run.end_message;
      EXPECT_LE(largest(run.final.q() - plain.final.q()), 1e-6) << name << " " << method.formulation;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Relative, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

// --- the tree --------------------------------------------------------------------------------------------------------------------

RelativeCoordinates coordinates_of(const Mechanism& m) {
  return {m.finished(), m.joints(), m.start()};
}
std::vector<std::string> names_of(const RelativeCoordinates& relative) {
  std::vector<std::string> names;
  for (int i = 0; i < relative.problem()->shape().nq; ++i)
    names.push_back(relative.problem()->coordinate_name(i));
  return names;
}
using Names = std::vector<std::string>;

TEST(RelativeTree, GoesBreadthFirst) {
  // The rod could hang on either; the loop is cut where both ways are short, not where the joints were given last.
  const RelativeCoordinates relative = coordinates_of(four_bar());
  ASSERT_EQ(relative.tree().links.size(), 3u);
  EXPECT_EQ(names_of(relative), (Names{"A.angle", "B.angle", "D.angle"}));
  EXPECT_EQ(relative.problem()->constraint_name(0), "C, x");
  EXPECT_EQ(relative.problem()->constraint_name(1), "C, y");
  EXPECT_EQ(relative.problem()->velocity_name(2), "D.angle'");
}

TEST(RelativeTree, PrefersFewFreedomsAndHeavyParents) {
  for (const bool heavy_first : {true, false}) {
    Mechanism m;
    const auto body = [&](const std::string& name, double mass) {
      return m.body(SpatialBody{.name = name, .mass = mass, .inertia = {1, 1, 1}});
    };
    const BodyId a = body("a", heavy_first ? 2 : 1), b = body("b", heavy_first ? 1 : 2), c = body("c", 1),
                 d = body("d", 1);
    m.joint("spherical", "a ball", m.ground(), a, {});
    m.joint("spherical", "b ball", m.ground(), b, {});
    m.joint("revolute", "c on a", a, c, {});
    m.joint("revolute", "c on b", b, c, {});
    m.joint("spherical", "d on a", a, d, {});
    m.joint("revolute", "d on b", b, d, {});
    const Names names = names_of(coordinates_of(m));
    const auto has = [&](const std::string& name) { return std::count(names.begin(), names.end(), name); };
    EXPECT_EQ(has("c on a.angle"), heavy_first ? 1 : 0);
    EXPECT_EQ(has("c on b.angle"), heavy_first ? 0 : 1);
    EXPECT_EQ(has("d on b.angle"), 1);
  }
}

TEST(RelativeTree, BodiesWithoutJointsAreFree) {
  Mechanism m;
  m.body(SpatialBody{.name = "light", .mass = 1, .inertia = {1, 1, 1}});
  const BodyId heavy = m.body(SpatialBody{.name = "heavy", .mass = 2, .inertia = {1, 1, 1}, .at = {1, 2, 3}});
  plate(m, "leaf", {0, 0, 0});
  m.joint("cylindrical", "tube", BodyId{1}, heavy, {});
  const RelativeCoordinates relative = coordinates_of(m);
  EXPECT_EQ(names_of(relative),
            (Names{"leaf x", "leaf y", "leaf angle", "heavy x", "heavy y", "heavy z", "heavy p0", "heavy p1",
                   "heavy p2", "heavy p3", "tube.position", "tube.angle"}));
  EXPECT_EQ(relative.problem()->velocity_name(6), "heavy wx");
  EXPECT_EQ(relative.problem()->shape().ng, 0);
}

// A tree without freedoms would leave no system.
TEST(RelativeTree, NothingMoves) {
  Mechanism m;
  const BodyId a = m.body(SpatialBody{.name = "a", .mass = 1, .inertia = {1, 1, 1}, .at = {1, 0, 0}});
  m.joint("fixed", "weld", m.ground(), a, {});
  m.gravity({0, 0, -9.81});
  const RelativeCoordinates relative = coordinates_of(m);
  EXPECT_EQ(relative.problem()->shape().ng, 6);
  const Solution run = solve(*relative.problem(), relative.start(), {}, {.t_end = 1});
  ASSERT_TRUE(run.complete()) << run.end_message;
  const State end = relative.absolute(run.final);
  EXPECT_NEAR(end.q()(0), 1, 1e-12);
  EXPECT_NEAR(MechanismResults(m.finished(), m.joints()).reaction(end, {0}).force.z, 9.81, 1e-10);
}

// Rows do not say which way axes point: joints whose markers stand against each other stay so.
TEST(RelativeTree, MarkersTurnedAgainstEachOther) {
  for (const std::string type : {"revolute", "prismatic", "cylindrical", "planar", "fixed", "screw"})
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      Mechanism m;
      const BodyId body =
          m.body(SpatialBody{.name = "body", .mass = 1, .inertia = {1, 1, 1}, .at = {1, 0, 0.5}});
      Marker on_body = m.marker(body, WorldPlace{.at = {0, 0, 0.5}});
      on_body.axes = turned(axis, std::numbers::pi) * on_body.axes;
      m.joint(type, "joint", m.marker(m.ground(), WorldPlace{.at = {0, 0, 0.5}}), on_body,
              type == "screw" ? Settings{{"pitch", 2}} : Settings{});
      plate(m, "leaf", {0, 0, 0});
      const RelativeCoordinates relative = coordinates_of(m);
      EXPECT_LE(largest(relative.absolute(relative.start()).z - m.start().z), 1e-12) << type;
    }
}

// Angles count whole turns, as those of the model do.
TEST(RelativeTree, TurnsAreCounted) {
  Mechanism m;
  const BodyId wheel =
      m.body(SpatialBody{.name = "wheel", .mass = 1, .inertia = {1, 1, 1}, .rates = {0, 0, 20}});
  const JointId axle = m.joint("revolute", "axle", m.ground(), wheel, {});
  m.count_turns(axle);
  const RelativeCoordinates relative = coordinates_of(m);
  EXPECT_EQ(relative.problem()->shape().nq, 1);
  const State end = relative.absolute(solve(*relative.problem(), relative.start(), {}, {.t_end = 1}).final);
  EXPECT_NEAR(m.results().coordinate(end, axle, "angle").value, 20, 1e-12);
  EXPECT_NEAR(relative.relative(end).q()(0), 20, 1e-12);
}

// Rough starts are placed on the tree; states of other mechanisms are refused.
TEST(RelativeTree, StatesOfOtherMechanisms) {
  const RelativeCoordinates relative = coordinates_of(four_bar());
  EXPECT_TRUE(contains(complaint([&] { relative.relative(branches(false, false).start()); }),
                       "entries (the mechanism has 18 by bodies)"));
  EXPECT_TRUE(
      contains(complaint([&] { relative.absolute(four_bar().start()); }), "the mechanism has 6 by joints"));
}

}  // namespace
}  // namespace driftless::tests

// Every file in models/ in relative coordinates against the same in the coordinates of its bodies: accelerations, multipliers and runs agree to
// 1e-9. Then mechanisms that ask more of a tree: rows that it meets by itself, rough starts, whole turns, loops between planar and spatial
// bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <numbers>

#include <Eigen/LU>

#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/compare.hpp"
#include "support/model_files.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;

const std::filesystem::path folder = models_folder();
const Method method{.integrator = "dop853", .stabilizer = "post"};

Vector multipliers_of(const State& state) {
  Vector all(state.lambda.size() + state.kappa.size());
  all << state.lambda, state.kappa;
  return all;
}

struct Both {
  Both(const Mechanism& m, const State& at)
      : mechanism(m),
        bodies(m.problem()),
        start(at),
        relative(m.finished(), m.joints(), at),
        joints(relative.problem()) {}
  explicit Both(const Mechanism& m) : Both(m, m.assembled()) {}

  // With the multipliers that belong to it.
  State by_joints(const State& absolute) const {
    State state = relative.relative(absolute);
    const Motion own(*joints, state);
    state.lambda = own.multipliers.head(joints->shape().ng);
    state.kappa = own.multipliers.tail(joints->shape().nk);
    return state;
  }

  // d/ds v at (q + s q', u + s u'), by differences of eighth order with a step that suits the fastest turn.
  Vector acceleration(const State& state, const Vector& a) const {
    Workspace work;
    Vector rates(joints->shape().nq), sum = Vector::Zero(bodies->shape().nv);
    joints->coordinate_rates(state.t, state.q(), state.v(), rates, work);
    const double h = 0.02 / (1 + std::max(largest(state.v()), std::sqrt(largest(a)))),
                 weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    for (int i = 1; i <= 4; ++i)
      for (const double side : {1.0, -1.0}) {
        State moved = state;
        moved.q() += side * i * h * rates;
        moved.v() += side * i * h * a;
        sum += side * weights[i - 1] / h * relative.absolute(moved).v();
      }
    return sum;
  }

  // Rows that no others could take the place of: all y with C^T y = 0 have nothing there.
  std::vector<bool> independent_rows(const State& absolute) const {
    const Shape& s = bodies->shape();
    if (s.multipliers() == 0) return {};
    Evaluation e;
    Parts parts = Part::jacobian;
    if (s.nk > 0) parts = parts | Part::velocity_jacobian;
    bodies->evaluate(parts, Point(absolute.t, absolute.z), e);
    Matrix columns(s.nv, s.multipliers());
    columns.leftCols(s.ng) = e.G.transpose();
    if (s.nk > 0) columns.rightCols(s.nk) = e.K.transpose();
    Eigen::FullPivLU<Matrix> lu(columns);
    lu.setThreshold(1e-9);
    const Matrix idle = lu.kernel();
    std::vector<bool> rows;
    for (Eigen::Index i = 0; i < idle.rows(); ++i) rows.push_back(largest(idle.row(i)) < 1e-7);
    return rows;
  }

  // Of least norm where rows depend on each other, which is known less accurately.
  void compare_multipliers(const State& ours, const Vector& theirs) const {
    const Vector difference = multipliers_of(ours) - theirs;
    const std::vector<bool> independent = independent_rows(ours);
    for (std::size_t i = 0; i < independent.size(); ++i)
      EXPECT_LE(std::abs(difference(static_cast<Eigen::Index>(i))),
                (independent[i] ? 1e-9 : 1e-6) * (1 + largest(theirs)))
          << bodies->constraint_name(static_cast<int>(i)) << " at t = " << ours.t;
  }

  // Quaternions have two signs; the axes of bodies have not.
  void same_places(const State& ours, const State& expected) const {
    const MechanismResults results = mechanism.results();
    for (int i = 1; i <= static_cast<int>(relative.tree().links.size()); ++i) {
      const Pose p = results.pose(ours, {i}), s = results.pose(expected, {i});
      EXPECT_LE(norm(p.r - s.r), 1e-9 * (1 + norm(s.r))) << "body " << i;
      EXPECT_LE(norm(p.R.x - s.R.x) + norm(p.R.y - s.R.y), 1e-9) << "body " << i;
    }
  }

  void compare_motion(const State& absolute) const {
    const State state = by_joints(absolute), again = relative.absolute(state);
    const Motion theirs(*bodies, again);
    same_places(again, absolute);
    same("v", again.v(), absolute.v(), 1e-9);
    same("a", acceleration(state, Motion(*joints, state).a), theirs.a, 1e-9);
    compare_multipliers(again, theirs.multipliers);
  }

  // The first step is given: some starts by joints are zero but for roundoff, from which no step can be guessed.
  Options tight(double t_end, double tolerance = 1e-12) const {
    Options options{.t_end = t_end, .rtol = tolerance, .atol = tolerance, .h0 = 1e-5 * t_end};
    options.output = {.kind = Output::Kind::at, .times = {t_end / 3, t_end / 2, t_end}};
    return options;
  }

  // The end by joints, as a state by bodies.
  State compare_runs(double t_end, double tolerance = 1e-12) const {
    const Options options = tight(t_end, tolerance);
    const Solution ours = solve(*joints, relative.start(), method, options),
                   theirs = solve(*bodies, start, method, options);
    EXPECT_TRUE(ours.complete()) << ours.end_message;
    EXPECT_TRUE(theirs.complete()) << theirs.end_message;
    const State end = relative.absolute(ours.final);
    same("q", end.q(), theirs.final.q(), 1e-9);
    same("v", end.v(), theirs.final.v(), 1e-9);
    compare_multipliers(end, multipliers_of(theirs.final));
    return end;
  }

  Mechanism mechanism;
  std::shared_ptr<const Problem> bodies;
  State start;
  RelativeCoordinates relative;
  std::shared_ptr<const Problem> joints;
};

// --- models/ -------------------------------------------------------------------------------------------------------------------

class RelativeModels : public testing::TestWithParam<std::string> {
 protected:
  // Short enough for motions that forget where they began, and for a test.
  double end() const {
    return std::min(model.run.t_end.value_or(10), GetParam() == "flyball-governor" ? 0.05 : 0.2);
  }
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const Both both{model.mechanism, model.mechanism.assembled(model.closing)};
};

TEST_P(RelativeModels, AccelerationsAndMultipliersAgree) {
  both.compare_motion(both.start);
  const Solution run = solve(*both.bodies, both.start, method, both.tight(end(), 1e-9));
  ASSERT_TRUE(run.complete()) << run.end_message;
  ASSERT_GE(run.states.size(), 3U);
  for (const State& state : run.states) both.compare_motion(state);
}

TEST_P(RelativeModels, RunsAgree) {
  both.compare_runs(end());
}

INSTANTIATE_TEST_SUITE_P(Models, RelativeModels, testing::ValuesIn(model_names()),
                         [](const auto& c) { return test_name(c.param); });

// --- rows that the tree meets by itself ------------------------------------------------------------------------------------------

BodyId bar(Mechanism& m, const std::string& name, const Vec3& at, double mass = 1.3) {
  return m.body(SpatialBody{.name = name, .mass = mass, .inertia = {0.1, 0.2, 0.25}, .at = at});
}
BodyId plate(Mechanism& m, const std::string& name, const Vec3& at, double mass = 1.3) {
  return m.body(PlanarBody{.name = name, .mass = mass, .inertia = 0.2, .at = at});
}

const Vec3 leaning = (1 / std::sqrt(1.09)) * Vec3{0.3, 0, 1};
// The other hinge lies aside of the axis of the first, and its sides do not meet.
Mechanism door(const std::string& second, double aside = 0, double apart = 0) {
  Mechanism m;
  const BodyId leaf = bar(m, "leaf", {0.4, 0.1, 1});
  m.joint("revolute", "low", m.ground(), leaf, {.axis = leaning});
  const auto place = [&](double off) {
    return WorldPlace{.at = 1.7 * leaning + off * Vec3{0.5, 1, 0.3}, .axis = leaning};
  };
  m.joint(second, "high", m.marker(m.ground(), place(aside)), m.marker(leaf, place(aside + apart)));
  m.gravity({0.3, 0.1, -9.81});
  return m;
}

TEST(RelativeRows, MetByTheTree) {
  Mechanism bolted, planar, rails;
  const BodyId base = bar(bolted, "base", {0.4, 0.1, 1}), arm = bar(bolted, "arm", {1, 0.3, 1});
  bolted.joint("fixed", "one", bolted.ground(), base, {.at = {0, 0.1, 0}});
  bolted.joint("fixed", "two", bolted.ground(), base, {.at = {0.3, 0.7, 0.2}});
  bolted.joint("revolute", "pin", base, arm, {.at = {0.5, 0.2, 1}, .axis = {0, 1, 0}});
  const BodyId leaf = plate(planar, "leaf", {0.5, 0.1, 0});
  for (const std::string name : {"pin", "pin again"})
    planar.joint("revolute", name, planar.ground(), leaf, {.at = {0.1, 0.2, 0}});
  const BodyId cart = bar(rails, "cart", {0.4, 0.1, 1}), bob = bar(rails, "bob", {1, 0.3, 1});
  for (const double y : {0.1, 0.7})
    rails.joint("prismatic", y < 0.5 ? "left" : "right", rails.ground(), cart,
                {.at = {0, y, 0.2}, .axis = {0.6, 0, 0.8}});
  rails.joint("spherical", "ball", cart, bob, {.at = {0.5, 0.2, 1}});
  for (Mechanism* m : {&bolted, &planar, &rails}) m->gravity({0.3, -9.81, 0});
  for (const Mechanism& m :
       {door("revolute"), door("spherical"), door("cylindrical"), bolted, planar, rails}) {
    const Both both(m);
    EXPECT_EQ(both.joints->shape().ng, 0) << m.joints().back().name;
    both.compare_motion(both.start);
    both.compare_runs(0.3);
  }
}

// Hinges that are out of line by less than bodies notice turn; those that are out of line lock; sides that do not meet are refused.
TEST(RelativeRows, OutOfLine) {
  const Both nearly(door("revolute", 1e-7)), locked(door("revolute", 1e-2));
  const State end = nearly.relative.absolute(
      solve(*nearly.joints, nearly.relative.start(), method, nearly.tight(0.3, 1e-9)).final);
  EXPECT_GT(largest(end.q() - nearly.start.q()), 1e-2);
  same("q", end.q(), Both(door("revolute")).compare_runs(0.3).q(), 1e-6);
  locked.compare_runs(0.3);
  const Mechanism refused = door("revolute", 0, 1e-6);
  const Both apart(refused, refused.start());
  EXPECT_TRUE(
      contains(complaint([&] { consistent_state(*apart.joints, apart.relative.start()); }), "contradict"));
}

// --- starts, turns, and bodies of two kinds ----------------------------------------------------------------------------------------

// Markers that do not meet: the joints of the tree do, and loops are closed as always.
TEST(RelativeStarts, MayBeRough) {
  for (const std::string type :
       {"revolute", "prismatic", "cylindrical", "planar", "fixed", "screw", "universal", "spherical"})
    for (const bool backwards : {false, true}) {
      Mechanism m;
      const BodyId a = bar(m, "a", {0.4, 0.1, 1}), b = bar(m, "b", {1, 0.3, 1}), c = bar(m, "c", {2, 0.3, 1});
      const auto join = [&](BodyId first, BodyId second, const Vec3& at, const std::string& name) {
        Marker one = m.marker(first, WorldPlace{.at = at, .axis = leaning}),
               other = m.marker(second, WorldPlace{.at = at, .axis = leaning});
        one.point = one.point + Vec3{0.03, -0.02, 0.04};
        one.axes = turned(Vec3{0.6, 0.8, 0}, 0.1) * one.axes;
        m.joint(type, name, one, other, type == "screw" ? Settings{{"pitch", 0.5}} : Settings{});
      };
      join(backwards ? a : m.ground(), backwards ? m.ground() : a, {0.1, 0, 0.5}, "first");
      join(backwards ? b : a, backwards ? a : b, {0.7, 0.2, 0.9}, "second");
      m.joint("spherical", "ball", b, c, {.at = {1.5, 0, 1}});
      m.joint("distance", "rope", m.marker(m.ground(), Vec3{2, 0, 3}), m.marker(c, Vec3{0.1, 0, 0}),
              {{"length", 1.95}});
      const Both both(m, m.start());
      const State closed =
          both.relative.absolute(consistent_state(*both.joints, both.relative.start()).state);
      Evaluation e;
      both.bodies->evaluate(Part::position, Point(0, closed.z), e);
      EXPECT_LE(largest(e.g), 1e-11) << type;
      EXPECT_LE(largest(closed.q() - both.start.q()), 0.35) << type;
    }
}

// The pin that closes the loop goes round with the crank, against the rod, which does not.
TEST(RelativeTurns, OfJointsThatCloseLoops) {
  for (const bool flat : {true, false}) {
    Mechanism m;
    const auto body = [&](const std::string& name, const Vec3& at, double mass) {
      return flat ? plate(m, name, at, mass) : bar(m, name, at, mass);
    };
    const Vec3 A{0, 0, 0}, B{0, 0.5, 0}, C{2, 1.5, 0}, D{2, 0, 0};
    const BodyId crank = body("crank", 0.5 * (A + B), 1), rod = body("rod", 0.5 * (B + C), 1),
                 rocker = body("rocker", 0.5 * (C + D), 5);
    const JointId shaft = m.joint("revolute", "A", m.ground(), crank, {.at = A});
    m.joint("revolute", "D", m.ground(), rocker, {.at = D});
    m.joint("revolute", "C", rocker, rod, {.at = C});
    const JointId pin = m.joint("revolute", "B", crank, rod, {.at = B});
    m.count_turns(pin);
    m.drive("motor", shaft, "angle", "12*t");
    m.gravity({0, -9.81, 0});
    const Both both(m);
    ASSERT_TRUE(std::none_of(both.relative.tree().links.begin(), both.relative.tree().links.end(),
                             [&](const TreeLink& link) { return link.joint == pin.index; }));
    const State end = both.compare_runs(2, 1e-10);
    const double angle = m.results().coordinate(end, pin, "angle").value;
    EXPECT_LT(std::abs(angle + 24), std::numbers::pi / 2) << "three turns and more";
    EXPECT_NEAR(
        m.results().coordinate(both.relative.absolute(both.relative.relative(end)), pin, "angle").value,
        angle, 1e-11);
  }
}

// A cross has two axes that stay across each other: its coordinates are good at right angles too, where shafts are not.
TEST(RelativeTurns, OfACross) {
  Mechanism m;
  const BodyId fork = bar(m, "fork", {0, 0, 0.5}), bob = bar(m, "bob", {0, 0.2, -0.6});
  m.joint("revolute", "shaft", m.ground(), fork, {});
  m.joint("universal", "cross", fork, bob, {.x = {1, 0, 0}});
  m.gravity({0, 0, -9.81});
  const Both both(m);
  ASSERT_EQ(both.joints->coordinate_name(2), "cross.angle_b");
  for (const double angle : {0.5, 1.0, -0.5, 2.0}) {
    State state = both.relative.start();
    state.q() << 0.3, 0.4, angle * std::numbers::pi;
    state.v() << 2, -3, 4;
    both.compare_motion(both.relative.absolute(state));
  }
}

// A crank and a slider in the plane, and a rod in space between them.
TEST(RelativeMixed, LoopOfPlanarAndSpatialBodies) {
  Mechanism m;
  const BodyId crank = plate(m, "crank", {0, 0.25, 0}), slider = plate(m, "slider", {1.5, 0, 0}),
               rod = bar(m, "rod", {0.75, 0.25, 0.2});
  const JointId shaft = m.joint("revolute", "shaft", m.ground(), crank, {});
  m.joint("prismatic", "guide", m.ground(), slider, {.at = {1.5, 0, 0}, .axis = {1, 0, 0}});
  m.joint("spherical", "ball", crank, rod, {.at = {0, 0.5, 0.2}});
  m.joint("universal", "cross", rod, slider, {.at = {1.5, 0, 0.2}, .axis = {0, 1, 0}, .x = {0, 0, 1}});
  m.force("actuator", "motor", shaft, "angle", {{"force", 3}});
  m.gravity({0, -9.81, 0});
  const Both both(m);
  both.compare_motion(both.start);
  both.compare_runs(0.3);
}

// A state that is no number says so, and leaves nothing behind.
TEST(RelativeStates, NotANumber) {
  for (const Mechanism& m : {door("revolute"), door("revolute", 1e-2)}) {
    const Both both(m);
    const Shape& s = both.joints->shape();
    Workspace work;
    Vector a(s.nv), multipliers(s.multipliers());
    const Vector r = Vector::Zero(s.multipliers());
    State state = both.relative.start();
    for (Eigen::Index i = 0; i < state.z.size(); ++i) {
      Vector z = state.z;
      z(i) = std::numeric_limits<double>::quiet_NaN();
      EXPECT_EQ(both.joints->acceleration(0, z, r, a, multipliers, work), Status::not_finite);
    }
    ASSERT_EQ(both.joints->acceleration(0, state.z, r, a, multipliers, work), Status::ok);
    same("a", a, Motion(*both.joints, state).a, 1e-12);
  }
}

}  // namespace
}  // namespace driftless::tests

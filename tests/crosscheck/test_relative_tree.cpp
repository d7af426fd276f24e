// Which joints become coordinates, what these are called, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "crosscheck/relative_cases.hpp"
#include "support/compare.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;
using namespace relative_cases;

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
            (Names{"leaf.x", "leaf.y", "leaf.angle", "heavy.x", "heavy.y", "heavy.z", "heavy.p0", "heavy.p1",
                   "heavy.p2", "heavy.p3", "tube.position", "tube.angle"}));
  EXPECT_EQ(relative.problem()->velocity_name(6), "heavy.wx");
  EXPECT_EQ(relative.problem()->shape().ng, 0);
}

// A tree without freedoms would leave no system.
// What M couples hangs on one joint of the ground, or of bodies that are fixed to it.
TEST(RelativeTree, BranchesBeginOnWhatDoesNotMove) {
  Mechanism m;
  const BodyId frame = plate(m, "frame", {0, 0, 0}), wall = plate(m, "wall", {5, 0, 0});
  m.joint("fixed", "bolts", m.ground(), frame, {});
  m.joint("fixed", "nails", wall, frame, {.at = {5, 0, 0}});
  for (const double x : {1.0, 2.0, 6.0}) {
    const BodyId upper = plate(m, "upper" + std::to_string(x), {x, -1, 0}),
                 lower = plate(m, "lower" + std::to_string(x), {x, -2, 0});
    m.joint("revolute", "shoulder" + std::to_string(x), x > 3 ? wall : frame, upper, {.at = {x, 0, 0}});
    m.joint("revolute", "elbow" + std::to_string(x), upper, lower, {.at = {x, -1.5, 0}});
  }
  const RelativeCoordinates relative = coordinates_of(m);
  const auto* dynamics = dynamic_cast<const SparseDynamics*>(relative.problem().get());
  ASSERT_NE(dynamics, nullptr);
  EXPECT_EQ(dynamics->branches().sizes, (std::vector<int>{2, 2, 2}));
}

// A thousand kilometers from the origin a place has ten digits behind the point; what depends on differences of places keeps all.
TEST(RelativeTree, PlacesFarFromTheOriginLoseNoDigits) {
  const RelativeCoordinates near = coordinates_of(four_bar()), far = coordinates_of(four_bar(1 << 20));
  State state = near.start();
  state.v() << 1, -2, 3;
  Evaluation here, there;
  const Parts parts = Part::jacobian | Part::rates | Parts(Part::curvature);
  near.problem()->evaluate(parts, Point(0, state.z), here);
  far.problem()->evaluate(parts, Point(0, state.z), there);
  same("G", there.G, here.G, 1e-15);
  same("G v", there.rates, here.rates, 1e-15);
  same("c", there.c, here.c, 1e-14);
  const Motion ours(*far.problem(), state), expected(*near.problem(), state);
  // The strut ends on the ground: its length has these ten digits, and a stiffness of 20.
  same("a", ours.a, expected.a, 1e-7);
}

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

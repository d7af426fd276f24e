// Building mechanisms: what is refused, and in which words; names; sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <driftless/mechanics/mechanism.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;

PlanarBody bar(const std::string& name) {
  return {.name = name, .mass = 1, .inertia = 1};
}
SpatialBody block(const std::string& name) {
  return {.name = name, .mass = 1, .inertia = {1, 1, 1}};
}

TEST(Mechanism, RefusesBodiesThatCannotMove) {
  const auto planar = [](PlanarBody body) { return complaint([&] { Mechanism().body(body); }); };
  const auto spatial = [](SpatialBody body) { return complaint([&] { Mechanism().body(body); }); };
  PlanarBody b = bar("bar");
  b.mass = 0;
  EXPECT_TRUE(contains(planar(b), "body bar has mass 0; a body that moves needs a positive one"))
      << planar(b);
  b = bar("bar");
  b.inertia = -2;
  EXPECT_TRUE(contains(planar(b), "body bar has inertia -2")) << planar(b);
  b = bar("bar");
  b.at.z = 1;
  EXPECT_TRUE(contains(planar(b), "planar bodies stay in the plane z = 0")) << planar(b);
  b = bar("bar");
  b.angle = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(planar(b), "not finite")) << planar(b);
  EXPECT_TRUE(contains(planar(bar("")), "has no name")) << planar(bar(""));
  SpatialBody s = block("block");
  s.inertia.y = 0;
  EXPECT_TRUE(contains(spatial(s), "inertia that is not positive")) << spatial(s);
  s = block("block");
  s.axes.x = {2, 0, 0};
  EXPECT_TRUE(contains(spatial(s), "not perpendicular unit vectors")) << spatial(s);
}

TEST(Mechanism, RefusesJointsThatMakeNoSense) {
  Mechanism m;
  const BodyId a = m.body(bar("a")), b = m.body(bar("b")), c = m.body(block("c"));
  const JointId hinge = m.joint("revolute", "hinge", a, b, {});
  const auto say = [&](const std::string& type, BodyId from, BodyId to, const WorldPlace& place = {},
                       const Settings& settings = {}) {
    return complaint([&] { m.joint(type, "new", from, to, place, settings); });
  };
  EXPECT_TRUE(contains(say("revolute", a, a), "joint new connects body a with itself; name two bodies"));
  EXPECT_TRUE(contains(say("revolte", a, b), "there is no joint type 'revolte'")) << say("revolte", a, b);
  EXPECT_TRUE(contains(say("revolte", a, b), "did you mean revolute")) << say("revolte", a, b);
  EXPECT_TRUE(
      contains(say("spherical", a, b), "is for spatial bodies, and connects planar ones; use revolute"));
  EXPECT_TRUE(
      contains(say("revolute", a, c, {.axis = {0, 0, 2}}), "has length 2, not 1; divide it by its length"));
  EXPECT_TRUE(contains(say("revolute", a, c, {.axis = {0, 0, 1}, .x = {0, 0, 1}}), "lies along its axis"));
  EXPECT_TRUE(contains(say("screw", a, c), "joint new of type screw needs 'pitch'")) << say("screw", a, c);
  EXPECT_TRUE(contains(say("screw", a, c, {}, {{"pitsch", 1}}), "has no setting 'pitsch'; it has pitch"));
  EXPECT_TRUE(contains(say("screw", a, c, {}, {{"pitch", "3*t"}}), "pitch must be a number"));
  EXPECT_TRUE(contains(say("screw", a, c, {}, {{"pitch", 1}, {"radius", 2}}),
                       "has no setting 'radius'; it has pitch"));
  EXPECT_TRUE(contains(say("rolling", a, c, {}, {{"radius", -1}}), "radius = -1; it must be positive"));
  EXPECT_TRUE(contains(complaint([&] { m.joint("revolute", "hinge", a, c, {}); }),
                       "the name 'hinge' of a joint is taken"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.joint("gear", "mesh", hinge, hinge, {{"ratio", 2}});
                       }),
                       "with itself"));
  EXPECT_TRUE(contains(say("gear", a, b, {}, {{"ratio", 2}}), "connects two joints"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.force("friction", "s", hinge, "position", {{"coefficient", 1}});
                       }),
                       "has no coordinate 'position'; it has angle"));
  EXPECT_TRUE(contains(complaint([&] { Motion("sin(2*tt)"); }), "tt"));
  // What was refused left nothing behind.
  EXPECT_EQ(m.problem()->shape().ng, 2);
}

// What would have no effect, or another one than was meant, is refused.
TEST(Mechanism, RefusesWhatWouldBeIgnored) {
  Mechanism m;
  const BodyId a = m.body(bar("a")), b = m.body(bar("b"));
  const JointId first = m.joint("revolute", "first", m.ground(), a, {}),
                second = m.joint("revolute", "second", a, b, {});
  const JointId mesh = m.joint("gear", "mesh", first, second, {{"ratio", 2}});
  const auto joint = [&](const std::string& type, const WorldPlace& place) {
    return complaint([&] { m.joint(type, "new", a, b, place); });
  };
  EXPECT_TRUE(contains(joint("revolute", {.axis = {0, 0, -1}}), "in the plane it is (0, 0, 1)"));
  EXPECT_TRUE(contains(joint("prismatic", {}), "leaves the plane; give one in it")) << joint("prismatic", {});
  const auto force = [&](const std::string& type, const Settings& settings, const WorldPlace& place = {}) {
    return complaint([&] { m.force(type, "new", a, b, place, settings); });
  };
  EXPECT_TRUE(contains(force("force", {{"force", 1}}), "leaves the plane"));
  EXPECT_TRUE(contains(force("follower-torque", {{"torque", 1}}, {.axis = {1, 0, 0}}),
                       "in the plane it is (0, 0, 1)"));
  const Table curve({0, 1}, {0, 1});
  EXPECT_TRUE(
      contains(force("spring-damper", {{"stiffness", 1}, {"curve", curve}}), "has a curve and a stiffness"));
  EXPECT_TRUE(
      contains(force("spring-damper", {{"damping", 1}, {"dashpot", curve}}), "has a dashpot and a damping"));
  EXPECT_TRUE(contains(force("spring-damper", {}), "force new does nothing"));
  EXPECT_TRUE(contains(force("bushing", {}), "force new does nothing"));
  EXPECT_TRUE(contains(force("bushing", {{"ktx", 1}}), "leave out ktx and ctx"));
  EXPECT_TRUE(contains(force("bushing", {{"kz", 1}}), "leaves the plane"));
  EXPECT_TRUE(contains(force("rotary-damper", {}), "force new does nothing"));
  EXPECT_TRUE(contains(force("rotary-damper", {{"cty", 1}}), "leave out cty"));
  EXPECT_TRUE(contains(force("springs", {}), "there is no force type 'springs'"));
  EXPECT_TRUE(
      contains(force("friction", {{"coefficient", 1}}), "acts in a joint; name a joint and its coordinate"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.force("torque", "new", first, "angle", {{"torque", 1}});
                       }),
                       "acts between two bodies"));
  State bare = m.start();
  bare.lambda.resize(0);
  EXPECT_TRUE(contains(complaint([&] { m.reaction(bare, mesh); }), "the state has 0 multipliers"));
  EXPECT_TRUE(contains(complaint([&] { m.effort(m.start(), "motor"); }), "there is no drive 'motor'"));
  EXPECT_TRUE(contains(complaint([&] { m.marker(BodyId{7}, Vec3{}); }), "there is no body number 7"));
  EXPECT_TRUE(contains(complaint([&] { m.coordinates(JointId{7}); }), "there is no joint number 7"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.force("actuator", "new", first, "angle", {{"force", "2*thrid.angle"}});
                       }),
                       "thrid.angle"));
  m.force("bushing", "pad", a, b, {}, {{"kx", 1}});
  EXPECT_TRUE(contains(complaint([&] {
                         m.force("bushing", "pad", a, b, {}, {{"ky", 1}});
                       }),
                       "the name 'pad' of a force is taken"));
  m.gravity({0, 0, -9.81});
  EXPECT_TRUE(contains(complaint([&] { m.problem(); }), "gravity has z = -9.81, and body a is planar"));
}

// What was refused leaves no rows, measures or coordinates behind.
TEST(Mechanism, IsAsBeforeAfterARefusal) {
  Mechanism m;
  const BodyId a = m.body(block("a")), b = m.body(block("b"));
  const JointId hinge = m.joint("revolute", "hinge", m.ground(), a, {}),
                guide = m.joint("prismatic", "guide", m.ground(), b, {});
  const MechanismModel before = m.finished();
  complaint([&] { m.joint("gear", "mesh", hinge, guide, {{"ratio", 2}}); });
  complaint([&] { m.joint("rolling", "wheel", a, b, {}, {{"radius", -1}}); });
  complaint([&] { m.force("actuator", "motor", hinge, "angle", {{"force", "2*hinge.angel"}}); });
  complaint([&] { m.force("bushing", "pad", a, b, {}, {{"kx", -1}}); });
  complaint([&] { m.drive("drive", hinge, "angle", "sin(x)"); });
  complaint([&] { m.drive("drive", m.marker(a, Vec3{}), {2, 0, 0}, 1); });
  const MechanismModel after = m.finished();
  EXPECT_EQ(after.nq, before.nq);
  EXPECT_EQ(after.rows.size(), before.rows.size());
  EXPECT_EQ(after.measures.size(), before.measures.size());
  EXPECT_EQ(after.motions.size(), before.motions.size());
  EXPECT_EQ(after.forces.size(), before.forces.size());
  m.drive("drive", hinge, "angle", "sin(t)");  // the name is still free
}

// Angles in space know whole turns: what is placed beyond half a turn is there, and so is what goes with it.
TEST(Mechanism, PlacesSpatialJointsBeyondHalfATurn) {
  const auto angle_of = [](const Mechanism& m, const State& state, JointId joint, const char* name) {
    return m.results().coordinate(state, joint, name).value;
  };
  Mechanism geared;
  const JointId A = geared.joint("revolute", "A", geared.ground(), geared.body(block("a")), {}),
                B = geared.joint("revolute", "B", geared.ground(), geared.body(block("b")),
                                 {.at = {1, 0, 0}});
  geared.joint("gear", "mesh", A, B, {{"ratio", 2}});
  State state = geared.assembled({.positions = {{"A.angle", 3}}});
  EXPECT_NEAR(angle_of(geared, state, A, "angle"), 3, 1e-10);
  EXPECT_NEAR(angle_of(geared, state, B, "angle"), 6, 1e-10);

  Mechanism press;
  const JointId thread =
      press.joint("screw", "thread", press.ground(), press.body(block("nut")), {}, {{"pitch", 0.2}});
  state = press.assembled({.positions = {{"thread.position", 0.5}}});
  EXPECT_NEAR(angle_of(press, state, thread, "position"), 0.5, 1e-10);
  EXPECT_NEAR(angle_of(press, state, thread, "angle"), 5 * std::numbers::pi, 1e-9);

  Mechanism driven;
  const JointId hinge = driven.joint("revolute", "hinge", driven.ground(), driven.body(block("wheel")), {});
  driven.drive("motor", hinge, "angle", "4 + 2*t");
  state = driven.assembled({.positions = {{"hinge.angle", 4}}});
  EXPECT_NEAR(angle_of(driven, state, hinge, "angle"), 4, 1e-10);
  EXPECT_NEAR(state.v()(5), 2, 1e-10);
}

// And it comes with the multipliers that belong to it: a weight on a motor's arm.
TEST(Mechanism, AssembledStatesHaveReactions) {
  Mechanism m;
  const BodyId arm = m.body(PlanarBody{.name = "arm", .mass = 2, .inertia = 0.1, .at = {0.5, 0, 0}});
  const JointId hinge = m.joint("revolute", "hinge", m.ground(), arm, {});
  m.drive("motor", hinge, "angle", "0");
  m.gravity({0, -10, 0});
  const State state = m.assembled();
  EXPECT_NEAR(m.reaction(state, hinge).force.y, 20, 1e-10);
  EXPECT_NEAR(m.effort(state, "motor"), 10, 1e-10);
}

TEST(Mechanism, MarkersFaceEachOther) {
  for (const char* type : {"fixed", "prismatic", "revolute"}) {
    Mechanism m;
    SpatialBody b = block("b");
    b.axes = std::string(type) == "revolute" ? turned({1, 0, 0}, 2) : turned({0, 0, 1}, 2.5);
    m.joint(type, "joint", m.marker(m.ground(), Vec3{}), m.marker(m.body(b), Vec3{}));
    EXPECT_TRUE(contains(complaint([&] { m.assembled(); }),
                         "joint joint closes with its markers turned by 180 degrees"))
        << type;
  }
}

TEST(Mechanism, RefusesStatesAndNumbersOfOthers) {
  Mechanism m;
  const BodyId a = m.body(block("a"));
  const JointId hinge = m.joint("revolute", "hinge", m.ground(), a, {});
  const State before = m.start();
  m.force("friction", "bearing", hinge, "angle", {{"coefficient", 1}});
  EXPECT_TRUE(
      contains(complaint([&] { m.energies(before); }), "the state has 13 entries (the mechanism has 14)"));
  EXPECT_TRUE(
      contains(complaint([&] { m.results().pose(m.start(), BodyId{77}); }), "there is no body number 77"));
  EXPECT_TRUE(contains(complaint([&] { m.reaction(m.start(), JointId{9}); }), "there is no joint number 9"));
  EXPECT_TRUE(
      contains(complaint([&] { m.joint("spherical", "far", Marker{.body = 50000}, m.marker(a, Vec3{})); }),
               "there is no body number 50000"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.drive("d", m.marker(m.ground(), Vec3{}), {1, 0, 0}, 1);
                       }),
                       "where it cannot go"));
  EXPECT_TRUE(contains(complaint([&] { m.parameter("t", 1); }), "t is the time"));
  EXPECT_TRUE(contains(complaint([&] { m.parameter("my k", 1); }), "begins with a letter"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(complaint([&] { m.gravity({0, nan, 0}); }), "gravity is"));
  EXPECT_TRUE(contains(complaint([&] { m.assembled({.rates = {{"hinge.angle", nan}}}); }), "give a number"));
  EXPECT_TRUE(
      contains(complaint([&] { m.joint("distance", "bar", m.ground(), a, {}); }), "has points that meet"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.force("spring-damper", "s", m.ground(), a, {}, {{"stiffness", 1}});
                       }),
                       "at the same place"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.joint("rolling", "coin", m.ground(), a, {}, {{"radius", 1}});
                       }),
                       "flat on the plane"));
  SpatialBody heavy = block("heavy");
  heavy.inertia.x = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(complaint([&] { m.body(heavy); }), "inertia"));
  SpatialBody tiny = block("tiny");
  tiny.inertia = {1e-120, 1e-120, 1e-120};
  m.body(tiny);
}

// A run that comes where a formula has no value says which formula, which part of it and with what number.
TEST(Mechanism, NamesTheFormulaThatHasNoValue) {
  const auto message = [](auto add) {
    Mechanism m;
    const JointId guide =
        m.joint("prismatic", "guide", m.ground(), m.body(bar("block")), {.axis = {1, 0, 0}});
    m.gravity({-1, 0, 0});
    add(m, guide);
    const Solution run = solve(*m.problem(), m.start(), {}, {.t_end = 3});
    EXPECT_EQ(run.end, EndReason::not_finite);
    return run.end_message;
  };
  const auto says = [&](const std::vector<std::string>& parts, auto add) {
    const std::string text = message(add);
    for (const std::string& part : parts) EXPECT_TRUE(contains(text, part)) << text;
  };
  says({"force thrust: sqrt of -", "in 'sqrt(1 + guide.position)' (at t = 1.4"},
       [](Mechanism& m, JointId guide) {
         m.force("actuator", "thrust", guide, "position", {{"force", "0.001*sqrt(1 + guide.position)"}});
       });
  says({"force servo: in its target, log of -", "in 'log(1 - t)'"}, [](Mechanism& m, JointId guide) {
    m.force("pd-actuator", "servo", guide, "position",
            {{"proportional", 1}, {"target", "if(t < 1, t, log(1 - t))"}});
  });
  says({"force law: its function gives nan"}, [](Mechanism& m, JointId guide) {
    m.force("law", guide, "position", [](auto, auto y, auto) { return 0.001 * sqrt(1 + y); });
  });
  says({"drive motor: sqrt of -", "in 'sqrt(1 - t)'"},
       [](Mechanism& m, JointId guide) { m.drive("motor", guide, "position", "0.01*sqrt(1 - t)"); });
}

TEST(Mechanism, NamesWhatItHas) {
  Mechanism m;
  const BodyId a = m.body(bar("crank")), c = m.body(block("rod"));
  const JointId hinge = m.joint("revolute", "hinge", m.ground(), a, {});
  m.joint("spherical", "ball", a, c, {});
  m.joint("knife-edge", "blade", m.ground(), c, {});
  const JointId turn = m.joint("revolute", "turn", m.ground(), c, {});
  m.force("spring-damper", "clock", turn, "angle", {{"stiffness", 1}});
  m.drive("motor", hinge, "angle", "3*t");
  const auto problem = m.problem();
  EXPECT_EQ(problem->shape().nq, 3 + 7 + 1);
  EXPECT_EQ(problem->shape().nv, 3 + 6);
  EXPECT_TRUE(problem->shape().moving);
  EXPECT_EQ(problem->coordinate_name(2), "crank.angle");
  EXPECT_EQ(problem->coordinate_name(6), "rod.p0");
  EXPECT_EQ(problem->coordinate_name(10), "turn.angle");
  EXPECT_EQ(problem->velocity_name(2), "crank.spin");
  EXPECT_EQ(problem->velocity_name(8), "rod.wz");
  EXPECT_EQ(problem->constraint_name(0), "hinge, x");
  EXPECT_EQ(problem->constraint_name(4), "ball, z");
  EXPECT_EQ(problem->constraint_name(10), "motor");
  EXPECT_EQ(problem->constraint_name(11), "blade, sideways");
}

// A crank of length 1 and a rod of length 2 to a slider, given roughly.
struct RoughSliderCrank {
  Mechanism m;
  JointId A;
  RoughSliderCrank() {
    const auto add = [&](const char* name, const Vec3& at, double angle) {
      return m.body(PlanarBody{.name = name, .mass = 1, .inertia = 0.1, .at = at, .angle = angle});
    };
    const BodyId crank = add("crank", {0.4, 0.4, 0}, 0.9), rod = add("rod", {1.6, 0.5, 0}, -0.4),
                 slider = add("slider", {2.6, 0.1, 0}, 0.05);
    A = m.joint("revolute", "A", m.marker(m.ground(), Vec3{}), m.marker(crank, Vec3{-0.5, 0, 0}));
    m.joint("revolute", "B", m.marker(crank, Vec3{0.5, 0, 0}), m.marker(rod, Vec3{-1, 0, 0}));
    m.joint("revolute", "C", m.marker(rod, Vec3{1, 0, 0}), m.marker(slider, Vec3{}));
    m.joint("prismatic", "guide", m.marker(m.ground(), Vec3{}, {1, 0, 0}),
            m.marker(slider, Vec3{}, {1, 0, 0}));
  }
};

TEST(Mechanism, ClosesARoughAssembly) {
  const RoughSliderCrank rough;
  const State state = rough.m.assembled({.positions = {{"A.angle", 0.7}}, .rates = {{"A.angle", 2}}});
  // By hand: B = (cos, sin), C = B_x + sqrt(4 - B_y^2).
  const double s = std::sin(0.7), c = std::cos(0.7), reach = std::sqrt(4 - s * s);
  const auto q = state.q(), v = state.v();
  EXPECT_NEAR(q(2), 0.7, 1e-12);
  EXPECT_NEAR(q(6), c + reach, 1e-12);
  EXPECT_NEAR(q(7), 0, 1e-12);
  EXPECT_NEAR(q(5), -std::asin(s / 2), 1e-12);
  EXPECT_NEAR(v(2), 2, 1e-12);
  EXPECT_NEAR(v(6), 2 * (-s - s * c / reach), 1e-11);

  const State held = rough.m.assembled({.hold = {"slider.x"}});
  EXPECT_NEAR(held.q()(6), 2.6, 1e-12);
  const double angle = held.q()(2);
  EXPECT_NEAR(std::cos(angle) + std::sqrt(4 - std::sin(angle) * std::sin(angle)), 2.6, 1e-11);

  // A drive decides the rate of what is placed where it begins.
  RoughSliderCrank driven;
  driven.m.drive("motor", driven.A, "angle", "0.7 + 3*t");
  const State turning = driven.m.assembled({.positions = {{"A.angle", 0.7}}});
  EXPECT_NEAR(turning.q()(2), 0.7, 1e-12);
  EXPECT_NEAR(turning.v()(2), 3, 1e-12);
  EXPECT_TRUE(contains(complaint([&] { driven.m.assembled({.positions = {{"A.angle", 0.8}}}); }), "motor"));

  const std::string unknown = complaint([&] { rough.m.assembled({.hold = {"A.angel"}}); });
  EXPECT_TRUE(contains(unknown, "there is no coordinate 'A.angel'") &&
              contains(unknown, "did you mean A.angle"))
      << unknown;
  const std::string impossible = complaint([&] {
    rough.m.assembled({.positions = {{"guide.position", 4}}});
  });
  EXPECT_TRUE(contains(impossible, "guide.position placed") || contains(impossible, "C, x")) << impossible;
}

}  // namespace
}  // namespace driftless::tests

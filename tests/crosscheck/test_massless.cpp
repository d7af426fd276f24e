// Bodies without mass between joints: stacked hinges are ball joints and crosses, and a hinge on a slide has the motion that Lagrange's equations
// give it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "crosscheck/massless_cases.hpp"
#include "crosscheck/relative_cases.hpp"

namespace driftless::tests {
namespace {

using namespace massless_cases;

const Vec3 rates{0.8, -0.6, 1.5};

TEST(Massless, ThreeHingesAreABall) {
  Mechanism hinges, ball;
  const BodyId ours = on_three_hinges(hinges, rates), theirs = on_a_ball(ball, rates);
  const Solution run = run_by_joints(hinges), expected = run_by_bodies(ball);
  same_motion({hinges, ours, run}, {ball, theirs, expected}, 1e-8);
  const double at_start = energy(ball, ball.start());
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    EXPECT_NEAR(energy(hinges, run.states[i]), at_start, 1e-8);
    EXPECT_NEAR(energy(ball, expected.states[i]), at_start, 1e-8);
  }
  EXPECT_NEAR(run.energy->start, at_start, 1e-12);
  EXPECT_LE(std::abs(run.energy->balance), 1e-8);
}

// All three carry the force of the ball. None carries a torque about its own axis, rings take none away, and the axes span space: so there is none.
TEST(Massless, ThreeHingesCarryTheForceOfABall) {
  Mechanism hinges, ball;
  on_three_hinges(hinges, rates), on_a_ball(ball, rates);
  const Solution run = run_by_joints(hinges), expected = run_by_bodies(ball);
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    const Vec3 force = ball.reaction(expected.states[i], {0}).force;
    EXPECT_GT(norm(force), 10);
    for (const int joint : {0, 1, 2}) {
      const Reaction own = hinges.reaction(run.states[i], {joint});
      EXPECT_LE(norm((joint == 1 ? -1.0 : 1.0) * own.force - force), 1e-6) << joint;
      EXPECT_LE(norm(own.torque), 1e-7) << joint;
    }
  }
}

// z of a and x of b.
TEST(Massless, TwoHingesAreACross) {
  Mechanism hinges, cross_joint;
  const Vec3 w{0.7, 0, 1.2};
  const BodyId between = ring(hinges, "ring", {0.2, 0.1, -0.3}, {0, 0, w.z}), ours = top(hinges, w),
               theirs = top(cross_joint, w);
  hinge(hinges, "first", hinges.ground(), between, {0, 0, 1});
  hinge(hinges, "second", between, ours, {1, 0, 0});
  cross_joint.joint("universal", "cross", cross_joint.ground(), theirs, {.at = pivot, .x = {1, 0, 0}});
  for (Mechanism* m : {&hinges, &cross_joint}) m->gravity(gravity);
  const Solution run = run_by_joints(hinges), expected = run_by_bodies(cross_joint);
  same_motion({hinges, ours, run}, {cross_joint, theirs, expected}, 1e-8);
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    const Reaction whole = cross_joint.reaction(expected.states[i], {0});
    EXPECT_GT(norm(whole.torque), 1e-3);
    for (const int joint : {0, 1}) {
      const Reaction own = hinges.reaction(run.states[i], {joint});
      EXPECT_LE(norm(own.force - whole.force), 1e-6);
      EXPECT_LE(norm(own.torque - whole.torque), 1e-6);
    }
  }
}

// A pendulum whose hinge slides along u = (cos alpha, sin alpha) against a spring; s and theta with
//   r = s u + l (sin theta, -cos theta):
//   m s'' + m l cos(theta - alpha) theta'' = m l sin(theta - alpha) theta'^2 - m g sin alpha - k s
//   m l cos(theta - alpha) s'' + (m l^2 + J) theta'' = -m g l sin theta
struct SlidingPendulum {
  static constexpr double m = 1.3, J = 0.07, l = 0.6, g = 9.81, k = 40, alpha = 0.5;
  using Entries = std::array<double, 4>;  // s, theta, s', theta'

  static Entries slope(const Entries& y) {
    const double c = std::cos(y[1] - alpha),
                 along = m * l * std::sin(y[1] - alpha) * y[3] * y[3] - m * g * std::sin(alpha) - k * y[0],
                 about = -m * g * l * std::sin(y[1]), a = m, b = m * l * c, d = m * l * l + J;
    return {y[2], y[3], (d * along - b * about) / (a * d - b * b), (a * about - b * along) / (a * d - b * b)};
  }
  // Runge and Kutta's.
  static Entries at(double t, Entries y) {
    const int steps = 4000;
    const double h = t / steps;
    const auto moved = [](Entries from, double by, const Entries& along) {
      for (std::size_t i = 0; i < 4; ++i) from[i] += by * along[i];
      return from;
    };
    for (int step = 0; step < steps; ++step) {
      const Entries k1 = slope(y), k2 = slope(moved(y, h / 2, k1)), k3 = slope(moved(y, h / 2, k2)),
                    k4 = slope(moved(y, h, k3));
      for (std::size_t i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return y;
  }
};

TEST(Massless, HingeOnASlide) {
  using P = SlidingPendulum;
  const SlidingPendulum::Entries begin{0, 0.4, 0.9, -1.1};
  // Its plane lies anywhere in space, the hinge off the line of the slide, the carriage's origin off both.
  const Mat3 Q = turned({0.36, 0.48, 0.8}, 1.1);
  const auto in_plane = [&](double x, double y) { return Q * Vec3{x, y, 0}; };
  const Vec3 u = in_plane(std::cos(P::alpha), std::sin(P::alpha)),
             across = in_plane(-std::sin(P::alpha), std::cos(P::alpha)), on_slide{1, 2, 3},
             at_hinge = on_slide + 0.3 * across + 0.2 * Q.z;
  Mechanism m;
  const BodyId carriage = m.body(SpatialBody{.name = "carriage",
                                             .massless = true,
                                             .at = on_slide + Vec3{0.1, 0.2, -0.4},
                                             .axes = turned({0, 1, 0}, 0.3),
                                             .velocity = begin[2] * u}),
               bob = m.body(SpatialBody{
                   .name = "bob",
                   .mass = P::m,
                   .inertia = {0.05, 0.06, P::J},
                   .at = at_hinge + in_plane(P::l * std::sin(begin[1]), -P::l * std::cos(begin[1])),
                   .axes = Q,
                   .velocity = begin[2] * u + in_plane(P::l * begin[3] * std::cos(begin[1]),
                                                       P::l * begin[3] * std::sin(begin[1])),
                   .rates = {0, 0, begin[3]}});
  const JointId slide = m.joint("prismatic", "slide", m.ground(), carriage, {.at = on_slide, .axis = u}),
                pin = m.joint("revolute", "pin", carriage, bob, {.at = at_hinge, .axis = Q.z});
  m.force("spring-damper", "spring", slide, "position", {{"stiffness", P::k}});
  m.gravity(in_plane(0, -P::g));
  const Solution run = run_by_joints(m);
  for (const State& state : run.states) {
    const P::Entries y = P::at(state.t, begin), a = P::slope(y);
    const CoordinateValue s = m.results().coordinate(state, slide, "position"),
                          turned_by = m.results().coordinate(state, pin, "angle");
    EXPECT_NEAR(s.value, y[0], 1e-8);
    EXPECT_NEAR(begin[1] + turned_by.value, y[1], 1e-8);
    EXPECT_NEAR(s.rate, y[2], 1e-7);
    EXPECT_NEAR(turned_by.rate, y[3], 1e-7);
    // The slide carries what the spring does not of m (r'' - g).
    const Vec3 acceleration =
        a[2] * u + in_plane(P::l * (a[3] * std::cos(y[1]) - y[3] * y[3] * std::sin(y[1])),
                            P::l * (a[3] * std::sin(y[1]) + y[3] * y[3] * std::cos(y[1])));
    const Vec3 load = P::m * (acceleration + in_plane(0, P::g));
    EXPECT_NEAR(dot(m.reaction(state, slide).force, across), dot(load, across), 1e-5);
    EXPECT_NEAR(dot(m.reaction(state, slide).force, u), 0, 1e-5);
    EXPECT_LE(norm(m.reaction(state, pin).force - load), 1e-5);
  }
}

TEST(Massless, ImplicitMethodsAgree) {
  Mechanism hinges, ball;
  const BodyId ours = on_three_hinges(hinges, rates), theirs = on_a_ball(ball, rates);
  const Solution expected = run_by_bodies(ball);
  for (const Method& method : {Method{.formulation = "ggl", .integrator = "bdf"},
                               Method{.formulation = "ggl", .integrator = "radau5"}}) {
    const Solution run = run_by_joints(hinges, method, 1e-9, RelativeCoordinates::for_implicit_methods);
    same_motion({hinges, ours, run}, {ball, theirs, expected}, 2e-6);
  }
}

// The loop of relative_cases.hpp with two hinges and a ring in the place of its cross.
Mechanism loop_with_ring() {
  Mechanism m;
  const Vec3 A{0, 0, 1}, B{0, 0.4, 1.2}, C{1.1, 0, 0};
  const auto bar = [&](const std::string& name, const Vec3& at) {
    return m.body(SpatialBody{.name = name, .mass = 1, .inertia = {0.1, 0.2, 0.15}, .at = at});
  };
  const BodyId crank = bar("crank", 0.5 * (A + B)), rod = bar("rod", 0.5 * (B + C)),
               slider = bar("slider", C),
               between = m.body(SpatialBody{.name = "ring", .massless = true, .at = C});
  const JointId drive = m.joint("revolute", "hinge", m.ground(), crank, {.at = A, .axis = {1, 0, 0}});
  m.joint("spherical", "ball", crank, rod, {.at = B});
  m.joint("revolute", "first", slider, between, {.at = C, .axis = {1, 0, 0}});
  m.joint("revolute", "second", between, rod, {.at = C, .axis = {0, 1, 0}});
  const JointId guide = m.joint("prismatic", "guide", m.ground(), slider, {.at = C, .axis = {1, 0, 0}});
  m.force("spring-damper", "spring", guide, "position", {{"stiffness", 5}, {"damping", 1}});
  m.force("actuator", "motor", drive, "angle", {{"force", "1 - 0.1*hinge.angle*guide.position'"}});
  m.gravity({0, 0, -9.81});
  return m;
}

// The rod is as near to the ground by the crank; it hangs on the ring all the same, which would be at an end else.
TEST(Massless, InALoop) {
  const Mechanism with_ring = loop_with_ring(), with_cross = relative_cases::spatial_loop();
  const Solution expected = run_by_bodies(with_cross);
  for (const Method& method : {explicit_method, Method{.formulation = "ggl", .integrator = "bdf"}}) {
    const bool implicit = method.formulation == "ggl";
    const Solution run = run_by_joints(with_ring, method, implicit ? 1e-9 : 1e-10);
    for (const int body : {1, 2, 3})
      same_motion({with_ring, {body}, run}, {with_cross, {body}, expected}, implicit ? 2e-6 : 1e-7);
    if (implicit) continue;
    for (std::size_t i = 0; i < run.states.size(); ++i)  // the ball closes the loop, the guide is of the tree
      for (const auto& [ours, theirs] : {std::pair{1, 1}, {4, 3}, {0, 0}})
        EXPECT_LE(norm(with_ring.reaction(run.states[i], {ours}).force -
                       with_cross.reaction(expected.states[i], {theirs}).force),
                  1e-5);
  }
}

// For implicit methods branches are cut, but not beside a ring.
TEST(Massless, NoBranchEndsWithARing) {
  for (const int place : {6, 7, 8, 9}) {
    Mechanism m;
    BodyId last = m.ground();
    for (int i = 0; i < 12; ++i) {
      const auto number = std::to_string(i);
      const Vec3 at{0.5 * i, 0.1 * i, 0};
      const auto next =
          i == place
              ? m.body(SpatialBody{.name = number, .massless = true, .at = at})
              : m.body(SpatialBody{
                    .name = number, .mass = 1, .inertia = {0.1, 0.1, 0.1}, .at = at + Vec3{0.2, 0, 0.1}});
      m.joint("revolute", "hinge " + number, last, next,
              {.at = at, .axis = i % 2 == 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0}});
      last = next;
    }
    m.gravity({0, 0, -9.81});
    const RelativeCoordinates cut(m.finished(), m.joints(), m.start(),
                                  RelativeCoordinates::for_implicit_methods);
    int children = 0, free = 0;
    for (const TreeLink& link : cut.tree().links) {
      children += link.parent == place + 1;
      free += link.joint < 0;
      EXPECT_FALSE(link.body == place + 1 && link.joint < 0);
    }
    EXPECT_EQ(children, 1) << place;
    EXPECT_EQ(free, 1) << place;
    // Reactions are those of the whole tree.
    const State ours = cut.absolute(consistent_state(*cut.problem(), cut.start()).state),
                whole = m.assembled();
    same("lambda", ours.lambda, whole.lambda, 1e-9);
  }
}

// What is fixed needs no inertia, at an end of the tree too.
TEST(Massless, FixedFrames) {
  Mechanism plain, framed;
  on_a_ball(plain, rates);
  const BodyId body = on_a_ball(framed, rates),
               frame = framed.body(
                   turning({.name = "frame", .massless = true, .at = pivot + Vec3{0, 0, -1}}, rates)),
               tip = framed.body(
                   turning({.name = "tip", .massless = true, .at = pivot + Vec3{1, 0, 0}}, rates));
  framed.joint("fixed", "weld", body, frame, {.at = pivot});
  framed.joint("fixed", "another", frame, tip, {.at = pivot});
  const Solution expected = run_by_bodies(plain);
  for (const Method& method : {explicit_method, Method{.formulation = "ggl", .integrator = "radau5"}}) {
    const Solution run = run_by_joints(framed, method);
    same_motion({framed, body, run}, {plain, {1}, expected}, 1e-7);
    for (const State& state : run.states)
      for (const int weld : {1, 2}) EXPECT_LE(norm(framed.reaction(state, {weld}).force), 1e-9);
  }
}

}  // namespace
}  // namespace driftless::tests

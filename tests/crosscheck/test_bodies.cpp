// Mechanisms from bodies and joints move like the hand-written problems.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <driftless/mechanics/mechanism.hpp>

#include "benchmarks/common/andrews_from_bodies.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;

State run_to(const Problem& problem, const State& start, double t_end, double tolerance,
             const Method& method = {}) {
  Options options{.t_end = t_end, .rtol = tolerance, .atol = tolerance, .max_steps = 1'000'000};
  const Solution run = solve(problem, start, method, options);
  EXPECT_TRUE(run.complete()) << run.end_message;
  return run.final;
}

// A uniform bar of mass 1 and length 1 in the plane z = 0; in space it is a rod.
BodyId bar(Mechanism& m, bool spatial, const std::string& name, const Vec3& at, const Vec3& velocity,
           double spin) {
  if (!spatial)
    return m.body(PlanarBody{
        .name = name, .mass = 1, .inertia = 1 / 12.0, .at = at, .velocity = velocity, .spin = spin});
  return m.body(SpatialBody{.name = name,
                            .mass = 1,
                            .inertia = {0.01, 0.02, 1 / 12.0},
                            .at = at,
                            .velocity = velocity,
                            .rates = {0, 0, spin}});
}

Mechanism row_of_four_bars(int N, bool spatial = false) {
  Mechanism m;
  std::vector<BodyId> cranks;
  for (int k = 0; k <= N; ++k)
    cranks.push_back(bar(m, spatial, "crank " + std::to_string(k), {double(k), 0.5, 0}, {0.5, 0, 0}, -1));
  for (int k = 0; k <= N; ++k)
    m.joint("revolute", "ground " + std::to_string(k), m.ground(), cranks[static_cast<std::size_t>(k)],
            {.at = {double(k), 0, 0}});
  for (int k = 1; k <= N; ++k) {
    const std::string name = std::to_string(k);
    const BodyId coupler = bar(m, spatial, "coupler " + name, {k - 0.5, 1, 0}, {1, 0, 0}, 0);
    m.joint("revolute", "left " + name, cranks[static_cast<std::size_t>(k) - 1], coupler,
            {.at = {k - 1.0, 1, 0}});
    m.joint("revolute", "right " + name, cranks[static_cast<std::size_t>(k)], coupler,
            {.at = {double(k), 1, 0}});
  }
  m.gravity({0, -9.81, 0});
  return m;
}

// In space every loop has three rows too many.
TEST(Bodies, PlanarMechanismsInSpace) {
  for (const int N : {1, 3}) {
    const Mechanism flat = row_of_four_bars(N), spatial = row_of_four_bars(N, true);
    const auto problem = spatial.problem();
    EXPECT_EQ(problem->shape().ng, 5 * (3 * N + 1));
    const double t = 0.6;
    const State in_plane = run_to(*flat.problem(), flat.start(), t, 1e-12),
                in_space = run_to(*problem, spatial.start(), t, 1e-12);
    for (int body = 0; body < 2 * N + 1; ++body) {
      EXPECT_NEAR(in_space.q()(7 * body), in_plane.q()(3 * body), 1e-9);
      EXPECT_NEAR(in_space.q()(7 * body + 1), in_plane.q()(3 * body + 1), 1e-9);
      EXPECT_NEAR(in_space.q()(7 * body + 2), 0, 1e-12);
      EXPECT_NEAR(2 * std::atan2(in_space.q()(7 * body + 6), in_space.q()(7 * body + 3)),
                  in_plane.q()(3 * body + 2), 1e-9);
      EXPECT_NEAR(in_space.v()(6 * body + 5), in_plane.v()(3 * body + 2), 1e-8);
    }
  }
}

// The governor with all its bodies: the hand-written one is reduced to three coordinates by its symmetry.
Mechanism governor() {
  const double b = std::numbers::pi / 6, s = 0.5, speed = 2 * std::numbers::pi,
               across = 0.3 * (1 + 1e-4) / 12, along = 0.3 * 2e-4 / 12;
  Mechanism m;
  const BodyId shaft = m.body(SpatialBody{.name = "shaft",
                                          .mass = 0.3,
                                          .inertia = {across, across, along},
                                          .at = {0, 0, 0.5},
                                          .rates = {0, 0, speed}});
  const BodyId slider = m.body(SpatialBody{.name = "slider",
                                           .mass = 3,
                                           .inertia = {0.005, 0.005, 0.005},
                                           .at = {0, 0, s},
                                           .rates = {0, 0, speed}});
  m.joint("revolute", "bearing", m.ground(), shaft, {});
  m.joint("prismatic", "sleeve", shaft, slider, {.at = {0, 0, s}});
  // A rod and the mass at its tip are one body; its first axis points to the tip.
  const double mass = 5.3, centre = (0.3 * 0.5 + 5) / mass,
               J = across + 0.3 * (centre - 0.5) * (centre - 0.5) + 5 * (1 - centre) * (1 - centre);
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "right" : "left";
    const Vec3 hinge{0.05 * side, 0, 1}, out{side * std::cos(b), 0, -std::sin(b)}, tangent{0, side, 0};
    const Vec3 at = hinge + centre * out;
    const Mat3 axes{out, tangent, cross(out, tangent)};
    const BodyId rod = m.body(SpatialBody{.name = name + " rod",
                                          .mass = mass,
                                          .inertia = {along, J, J},
                                          .at = at,
                                          .axes = axes,
                                          .velocity = {0, speed * at.x, 0},
                                          .rates = to_body(axes, Vec3{0, 0, speed})});
    m.joint("revolute", name + " hinge", shaft, rod, {.at = hinge, .axis = {0, 1, 0}});
    m.force("spring-damper", name + " strut", m.marker(slider, WorldPlace{.at = {0.05 * side, 0, s}}),
            m.marker(rod, WorldPlace{.at = hinge + 0.5 * out}),
            {{"stiffness", 8e5}, {"damping", 4e4}, {"rest", 0.5}});
  }
  m.gravity({0, 0, -9.81});
  return m;
}

TEST(Bodies, FlyballGovernor) {
  const auto hand = catalog::make_problem("flyball");
  const Mechanism m = governor();
  const auto problem = m.problem();
  const Method method{.formulation = "ggl", .integrator = "radau5"};
  const double t = 10;
  const State ours = run_to(*problem, m.start(), t, 1e-11, method),
              theirs = run_to(*hand.problem, hand.start, t, 1e-12, {.integrator = "radau5"});
  EXPECT_NEAR(ours.q()(7 + 2), theirs.q()(1), 1e-9)
      << "height of the slider " << ours.q()(7 + 2) - theirs.q()(1);
  EXPECT_NEAR(ours.v()(5), theirs.v()(0), 1e-8) << "speed of the shaft";
}

TEST(Bodies, RowOfFourBars) {
  for (const int N : {1, 2, 5}) {
    const auto exact = catalog::make_problem("n-four-bar", {{"N", std::to_string(N)}});
    const Mechanism m = row_of_four_bars(N);
    const auto problem = m.problem();
    EXPECT_EQ(problem->shape().nq, 6 * N + 3);
    EXPECT_EQ(problem->shape().ng, 6 * N + 2);
    const double before = 0.6;
    EXPECT_LT((run_to(*problem, m.start(), before, 1e-12).q() - exact.reference.at(before)->q())
                  .cwiseAbs()
                  .maxCoeff(),
              1e-9);
    EXPECT_LT((run_to(*problem, m.start(), 10, 1e-8).q() - exact.reference.at(10)->q()).cwiseAbs().maxCoeff(),
              1e-6)
        << N;
  }
}

TEST(Bodies, HeavyTop) {
  const auto top = catalog::make_problem("heavy-top");
  Mechanism m;
  const Vec3 rates{0, 150, -4.61538}, arm{0, 1, 0};
  const BodyId body = m.body(SpatialBody{.name = "top",
                                         .mass = 15,
                                         .inertia = {.234375, .46875, .234375},
                                         .at = arm,
                                         .velocity = cross(rates, arm),
                                         .rates = rates});
  m.joint("spherical", "pivot", m.ground(), body, {});
  m.gravity({0, 0, -9.81});
  const State ours = run_to(*m.problem(), m.start(), 2, 1e-12, {.integrator = "dop853"}),
              theirs = run_to(*top.problem, top.start, 2, 1e-12, {.integrator = "dop853"});
  EXPECT_LT((ours.q() - theirs.q()).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((ours.v() - theirs.v()).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((ours.lambda - theirs.lambda).cwiseAbs().maxCoeff(), 1e-5);
}

// Crank, rod and slider in space; the hand-written one has 8 velocities.
Mechanism slider_crank(const State& hand) {
  const auto q = hand.q(), v = hand.v();
  const Vec3 A{0, 0.1, 0.12}, B{0, 0.1, 0.2}, C{q(8), 0, 0};
  Mechanism m;
  const BodyId crank = m.body(SpatialBody{.name = "crank",
                                          .mass = 0.12,
                                          .inertia = {1e-4, 1e-4, 1e-5},
                                          .at = 0.5 * (A + B),
                                          .velocity = {0, -0.04 * v(0), 0},
                                          .rates = {v(0), 0, 0}});
  const Mat3 axes = rotation(q(4), q(5), q(6), q(7));
  const BodyId rod = m.body(SpatialBody{.name = "rod",
                                        .mass = 0.5,
                                        .inertia = {4e-4, 4e-3, 4e-3},
                                        .at = {q(1), q(2), q(3)},
                                        .axes = axes,
                                        .velocity = {v(1), v(2), v(3)},
                                        .rates = {v(4), v(5), v(6)}});
  const BodyId slider = m.body(
      SpatialBody{.name = "slider", .mass = 2, .inertia = {1, 1, 1}, .at = C, .velocity = {v(7), 0, 0}});
  m.joint("revolute", "hinge", m.ground(), crank, {.at = A, .axis = {1, 0, 0}});
  m.joint("spherical", "ball", crank, rod, {.at = B});
  m.joint("universal", "cross", slider, rod, {.at = C, .axis = {1, 0, 0}, .x = axes.y});
  m.joint("prismatic", "guide", m.ground(), slider, {.at = C, .axis = {1, 0, 0}});
  m.gravity({0, 0, -9.81});
  return m;
}

TEST(Bodies, SpatialSliderCrank) {
  const auto hand = catalog::make_problem("spatial-slider-crank");
  const Mechanism m = slider_crank(hand.start);
  const auto problem = m.problem();
  EXPECT_EQ(problem->shape().nv, 18);
  EXPECT_EQ(problem->shape().ng, 17);
  const State start = consistent_state(*problem, m.start()).state;
  const State ours = run_to(*problem, start, 5, 1e-11, {.integrator = "dop853"}),
              theirs = run_to(*hand.problem, hand.start, 5, 1e-12, {.integrator = "dop853"});
  EXPECT_NEAR(ours.q()(14), theirs.q()(8), 1e-9) << "slider";
  EXPECT_LT((ours.q().segment(7, 3) - theirs.q().segment(1, 3)).cwiseAbs().maxCoeff(), 1e-9) << "rod";
}

TEST(Bodies, SqueezingMechanism) {
  const auto hand = catalog::make_problem("andrews");
  const Mechanism m = benchmarks::andrews_from_bodies();
  const auto problem = m.problem();
  EXPECT_EQ(problem->shape().nq, 21);
  EXPECT_EQ(problem->shape().ng, 20);
  const State start = consistent_state(*problem, m.start()).state;
  const Vector ours = run_to(*problem, start, 0.03, 1e-12).q(), theirs = hand.reference.at(0.03)->q();
  EXPECT_NEAR(ours(2), theirs(0), 1e-9);
  EXPECT_NEAR(ours(5), theirs(0) + theirs(1), 1e-9);
  EXPECT_NEAR(ours(8), theirs(2), 1e-9);
  EXPECT_NEAR(ours(11), theirs(3) + theirs(4), 1e-9);
  EXPECT_NEAR(ours(14), theirs(4), 1e-9);
  EXPECT_NEAR(ours(17), theirs(5) + theirs(6), 1e-9);
  EXPECT_NEAR(ours(20), theirs(6), 1e-9);
}

}  // namespace
}  // namespace driftless::tests

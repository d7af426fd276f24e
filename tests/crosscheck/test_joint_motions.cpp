// Joints against motions that are known in closed form, over many turns.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <driftless/mechanics/mechanism.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;
constexpr double pi = std::numbers::pi;

Solution run_for(const Mechanism& m, double t_end, double tolerance = 1e-11, const Method& method = {}) {
  const auto problem = m.problem();
  Solution run = solve(*problem, consistent_state(*problem, m.start()).state, method,
                       {.t_end = t_end, .rtol = tolerance, .atol = tolerance, .max_steps = 1'000'000});
  EXPECT_TRUE(run.complete()) << run.end_message;
  return run;
}

BodyId wheel(Mechanism& m, bool planar, const std::string& name, const Vec3& at) {
  if (planar) return m.body(PlanarBody{.name = name, .mass = 2, .inertia = 0.3, .at = at});
  return m.body(SpatialBody{.name = name, .mass = 2, .inertia = {0.2, 0.25, 0.3}, .at = at});
}

// A torque on wheel a, which drives wheel b by a ratio that is no whole number.
TEST(JointMotions, GearOverManyTurns) {
  const double ratio = -std::sqrt(2), torque = 1.5, t = 20,
               turn = 0.5 * torque / (0.3 + ratio * ratio * 0.3) * t * t;
  ASSERT_GT(turn, 20 * pi);
  for (const bool planar : {true, false})
    for (const char* formulation : {"index1", "ggl"}) {
      Mechanism m;
      const BodyId a = wheel(m, planar, "a", {}), b = wheel(m, planar, "b", {1, 0, 0});
      const JointId first = m.joint("revolute", "A", m.ground(), a, {}),
                    second = m.joint("revolute", "B", m.ground(), b, {.at = {1, 0, 0}});
      const JointId mesh = m.joint("gear", "mesh", first, second, {{"ratio", ratio}});
      m.force("actuator", "torque", first, "angle", {{"force", torque}});
      const bool implicit = std::string(formulation) == "ggl";
      const State end =
          run_for(m, t, 1e-10, {.formulation = formulation, .integrator = implicit ? "bdf" : "dopri5"}).final;
      const auto q = end.q();
      const double angle_a = planar ? q(2) : q(15),
                   angle_b = planar ? q(5) : q(14);  // as the gear names them
      EXPECT_NEAR(angle_a, turn, 1e-5) << planar << formulation;
      EXPECT_NEAR(angle_b, ratio * turn, 1e-5) << planar << formulation;
      const Reaction r = m.reaction(end, mesh);
      EXPECT_NEAR(r.torque.z, 0.3 * ratio * torque / (0.3 + ratio * ratio * 0.3), 1e-7);
      EXPECT_NEAR(norm(r.force), 0, 1e-12);
      if (!planar) {  // and so do the quaternions, which know no whole turns
        EXPECT_NEAR(std::remainder(2 * std::atan2(q(6), q(3)) - turn, 2 * pi), 0, 1e-5);
      }
    }
}

TEST(JointMotions, RackAndPinion) {
  const double radius = 0.2, force = 1, t = 6, way = 0.5 * force / (2 + 0.3 / (radius * radius)) * t * t;
  for (const bool planar : {true, false}) {
    Mechanism m;
    const BodyId pinion = wheel(m, planar, "pinion", {}), rack = wheel(m, planar, "rack", {0, -radius, 0});
    const JointId hinge = m.joint("revolute", "hinge", m.ground(), pinion, {}),
                  guide = m.joint("prismatic", "guide", m.ground(), rack,
                                  {.at = {0, -radius, 0}, .axis = {1, 0, 0}});
    const JointId mesh = m.joint("rack-and-pinion", "mesh", hinge, guide, {{"radius", radius}});
    m.force("actuator", "force", guide, "position", {{"force", force}});
    const State end = run_for(m, t).final;
    EXPECT_NEAR(end.q()(planar ? 3 : 7), way, 1e-9);
    EXPECT_NEAR(planar ? end.q()(2) : end.q()(14), way / radius, 1e-8);
    const double acceleration = 2 * way / (t * t);
    EXPECT_NEAR(m.reaction(end, mesh).force.x, 2 * acceleration - force, 1e-9);
    EXPECT_NEAR(norm(m.reaction(end, mesh).force), std::abs(2 * acceleration - force), 1e-9);
  }
}

// angle = t^3: the motor's torque is J 6 t, its power that times 3 t^2.
TEST(JointMotions, EffortOfADrive) {
  for (const bool planar : {true, false}) {
    Mechanism m;
    m.drive("motor", m.joint("revolute", "hinge", m.ground(), wheel(m, planar, "wheel", {}), {}), "angle",
            "t^3");
    const State end = run_for(m, 2).final;
    EXPECT_NEAR(m.effort(end, "motor"), 0.3 * 12, 1e-9);
    const ElementEnergy drive = m.energies(end).back();
    EXPECT_EQ(drive.name, "motor");
    EXPECT_NEAR(drive.power, 0.3 * 12 * 12, 1e-8);
  }
}

TEST(JointMotions, Screw) {
  const double pitch = 0.4, torque = 0.8, per_angle = pitch / (2 * pi), t = 10,
               turn = 0.5 * torque / (0.3 + 2 * per_angle * per_angle) * t * t;
  Mechanism m;
  const BodyId nut = wheel(m, false, "nut", {0, 0, 0.1});
  const JointId screw = m.joint("screw", "thread", m.ground(), nut, {}, {{"pitch", pitch}});
  m.force("actuator", "torque", screw, "angle", {{"force", torque}});
  const State end = run_for(m, t).final;
  EXPECT_NEAR(end.q()(7), turn, 1e-7);
  EXPECT_NEAR(end.q()(2) - 0.1, per_angle * turn, 1e-8);
}

// Down a slope: a = g sin(slope)/(1 + J/(m r^2)).
TEST(JointMotions, DiscRollsDownASlope) {
  const double r = 0.5, slope = 0.3, t = 4;
  Mechanism m;
  const BodyId disc = m.body(SpatialBody{.name = "disc",
                                         .mass = 2,
                                         .inertia = {0.125, 0.125, 0.25},
                                         .at = {0, 0, r},
                                         .axes = turned({1, 0, 0}, pi / 2)});
  m.joint("rolling", "road", m.marker(m.ground(), Vec3{}), m.marker(disc, Vec3{}), {{"radius", r}});
  m.gravity({9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)});
  const State end = run_for(m, t).final;
  const double way = 0.5 * 9.81 * std::sin(slope) / (1 + 0.25 / (2 * r * r)) * t * t;
  EXPECT_NEAR(end.q()(0), way, 1e-8);
  EXPECT_NEAR(end.q()(2), r, 1e-11);
  EXPECT_NEAR(std::abs(end.v()(5)) * r, way * 2 / t, 1e-8);
}

// A disc that leans by b and rolls on a circle: the rates p of its heading and s about its axis are constant where
//   (J3 + m r^2) s p cos(b) + J1 p^2 sin(b) cos(b) = m g r sin(b),  s measured with the heading's part along the axis
TEST(JointMotions, LeaningDiscRollsOnACircle) {
  const double r = 0.5, mass = 2, J1 = 0.125, J3 = 0.25, lean = 0.2, heading = 1.3, g = 9.81;
  // w = p z + n a, a the axis (horizontal for lean = 0), n the spin relative to the heading; total about the axis: s = n - p sin(lean).
  const double s =
      (mass * g * r * std::sin(lean) - J1 * heading * heading * std::sin(lean) * std::cos(lean)) /
      ((J3 + mass * r * r) * heading * std::cos(lean));
  // The disc stands in the plane y = 0, then leans about x; its axis is a = R z.
  const Mat3 axes = turned({1, 0, 0}, -pi / 2 - lean);
  const Vec3 axis = axes.z, up{0, 0, 1}, centre{0, -r * std::sin(lean), r * std::cos(lean)};
  const Vec3 across = up - dot(up, axis) * axis;
  const Vec3 contact = (-r / norm(across)) * across;
  const Vec3 w = heading * up - (heading * dot(up, axis)) * axis + s * axis;
  Mechanism m;
  const BodyId disc = m.body(SpatialBody{.name = "disc",
                                         .mass = mass,
                                         .inertia = {J1, J1, J3},
                                         .at = centre,
                                         .axes = axes,
                                         .velocity = -cross(w, contact),
                                         .rates = to_body(axes, w)});
  m.joint("rolling", "road", m.marker(m.ground(), Vec3{}), m.marker(disc, Vec3{}), {{"radius", r}});
  m.gravity({0, 0, -g});
  const State end = run_for(m, 2 * pi / heading, 1e-12).final;
  EXPECT_NEAR(end.q()(2), centre.z, 1e-8) << "the lean stays";
  EXPECT_NEAR(end.q()(0), centre.x, 1e-7) << "back after one turn of the heading";
  EXPECT_NEAR(end.q()(1), centre.y, 1e-7);
}

// The blade sits behind the mass centre.
TEST(JointMotions, KnifeEdgeIsChaplyginsSleigh) {
  const auto sleigh = catalog::make_problem("chaplygin-sleigh");
  const double a = 0.1;
  const Vector q = sleigh.start.q(), v = sleigh.start.v();
  Mechanism m;
  const Vec3 heading{std::cos(q(2)), std::sin(q(2)), 0}, left{-heading.y, heading.x, 0};
  const BodyId body = m.body(PlanarBody{.name = "sleigh",
                                        .mass = 1,
                                        .inertia = 0.1,
                                        .at = Vec3{q(0), q(1), 0} + a * heading,
                                        .angle = q(2),
                                        .velocity = Vec3{v(0), v(1), 0} + (a * v(2)) * left,
                                        .spin = v(2)});
  m.joint("knife-edge", "blade", m.marker(m.ground(), Vec3{}), m.marker(body, Vec3{-a, 0, 0}, {1, 0, 0}));
  const Solution run = run_for(m, sleigh.t_end);
  const State exact = *sleigh.reference.at(sleigh.t_end);
  const auto end = run.final.q();
  EXPECT_NEAR(end(2), exact.q()(2), 1e-8);
  EXPECT_NEAR(end(0) - a * std::cos(end(2)), exact.q()(0), 1e-8);
  EXPECT_NEAR(end(1) - a * std::sin(end(2)), exact.q()(1), 1e-8);
}

// A rod that swings about one end: with the angle p from below, J = m l^2 + inertia about the pivot, p'' = -m g l sin(p)/J,
//   force along the rod  -m (g cos(p) + l p'^2),   across it  m g sin(p) + m l p''
TEST(JointMotions, ReactionOfAPendulum) {
  const double mass = 3, l = 0.7, inertia = 0.4, g = 9.81, p0 = 2;
  for (const bool planar : {true, false}) {
    Mechanism m;
    const Vec3 at{l * std::sin(p0), -l * std::cos(p0), 0};
    const BodyId rod =
        planar ? m.body(PlanarBody{.name = "rod", .mass = mass, .inertia = inertia, .at = at, .angle = p0})
               : m.body(SpatialBody{.name = "rod",
                                    .mass = mass,
                                    .inertia = {0.3, 0.2, inertia},
                                    .at = at,
                                    .axes = turned({0, 0, 1}, p0)});
    const JointId pivot = m.joint("revolute", "pivot", m.ground(), rod, {});
    m.gravity({0, -g, 0});
    const State end = run_for(m, 3.3, 1e-12).final;
    const double p = std::atan2(end.q()(0), -end.q()(1)), rate = planar ? end.v()(2) : end.v()(5),
                 turn = -mass * g * l * std::sin(p) / (mass * l * l + inertia);
    const Vec3 along{std::sin(p), -std::cos(p), 0}, across{std::cos(p), std::sin(p), 0};
    const Reaction r = m.reaction(end, pivot);
    EXPECT_NEAR(dot(r.force, along), -mass * (g * std::cos(p) + l * rate * rate), 1e-9);
    EXPECT_NEAR(dot(r.force, across), mass * g * std::sin(p) + mass * l * turn, 1e-9);
    EXPECT_NEAR(norm(r.torque), 0, 1e-9);
    EXPECT_NEAR(norm(r.own_force), norm(r.force), 1e-12);
    double energy = 0;
    for (const ElementEnergy& e : m.energies(end)) energy += e.kinetic + e.potential;
    EXPECT_NEAR(energy, -mass * g * l * std::cos(p0), 1e-9);
  }
}

}  // namespace
}  // namespace driftless::tests

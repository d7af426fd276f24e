// A body on a ball joint, on a cross, and on stacked hinges with massless rings between them, which must move alike.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/compare.hpp"

namespace driftless::tests::massless_cases {

using namespace mechanics;

const Vec3 pivot{0.2, -0.1, 1}, gravity{0.3, -0.2, -9.81};

// Turning about the pivot with the rates w about world axes.
inline SpatialBody turning(SpatialBody body, const Vec3& w) {
  body.velocity = cross(w, body.at - pivot);
  body.rates = to_body(body.axes, w);
  return body;
}

inline BodyId top(Mechanism& m, const Vec3& w) {
  return m.body(turning({.name = "top",
                         .mass = 2,
                         .inertia = {0.3, 0.4, 0.2},
                         .products = {0.01, -0.02, 0.03},
                         .at = pivot + Vec3{0.1, 0.05, -0.5}},
                        w));
}

// Origins and axes of massless bodies mean nothing to the motion: they are anywhere.
inline BodyId ring(Mechanism& m, const std::string& name, const Vec3& from_pivot, const Vec3& w) {
  return m.body(turning({.name = name,
                         .massless = true,
                         .at = pivot + from_pivot,
                         .axes = turned({0.6, 0, 0.8}, 1 + from_pivot.x)},
                        w));
}

inline JointId hinge(Mechanism& m, const std::string& name, BodyId a, BodyId b, const Vec3& axis) {
  return m.joint("revolute", name, a, b, {.at = pivot, .axis = axis});
}

// At zero angles the axes are those of the world, and the rates of the hinges the entries of w.
inline BodyId on_three_hinges(Mechanism& m, const Vec3& w) {
  const BodyId outer = ring(m, "outer", {0.3, -0.2, 0.1}, {w.x, 0, 0}),
               inner = ring(m, "inner", {-0.1, 0.4, 0.2}, {w.x, w.y, 0}), body = top(m, w);
  hinge(m, "about x", m.ground(), outer, {1, 0, 0});
  hinge(m, "about y", inner, outer, {0, 1, 0});  // the other way round
  hinge(m, "about z", inner, body, {0, 0, 1});
  m.gravity(gravity);
  return body;
}
inline BodyId on_a_ball(Mechanism& m, const Vec3& w) {
  const BodyId body = top(m, w);
  m.joint("spherical", "ball", m.ground(), body, {.at = pivot});
  m.gravity(gravity);
  return body;
}

const Method explicit_method{.integrator = "dop853"};

inline Options sampled(double tolerance) {
  Options options{.t_end = 1, .rtol = tolerance, .atol = tolerance};
  options.output = {.kind = Output::Kind::at, .times = {0.25, 0.5, 0.75, 1}};
  return options;
}

inline Solution complete(Solution run) {
  EXPECT_TRUE(run.complete()) << run.end_message;
  return run;
}
inline Solution run_by_bodies(const Mechanism& m, double tolerance = 1e-10) {
  return complete(solve(*m.problem(), m.assembled(), explicit_method, sampled(tolerance)));
}
inline Solution run_by_joints(const Mechanism& m, const Method& method = explicit_method,
                              double tolerance = 1e-10,
                              int longest_branch = RelativeCoordinates::any_length) {
  const RelativeCoordinates relative(m.finished(), m.joints(), m.assembled(), longest_branch);
  return relative.absolute(
      complete(solve(*relative.problem(), relative.start(), method, sampled(tolerance))));
}

inline double energy(const Mechanism& m, const State& state) {
  double sum = 0;
  for (const ElementEnergy& one : m.energies(state)) sum += one.kinetic + one.potential;
  return sum;
}

// A mechanism and a body of it.
struct Watched {
  const Mechanism& mechanism;
  BodyId body;
  const Solution& run;
};
inline void same_motion(const Watched& ours, const Watched& theirs, double tolerance) {
  ASSERT_EQ(ours.run.states.size(), theirs.run.states.size());
  for (std::size_t i = 0; i < ours.run.states.size(); ++i) {
    const Pose a = ours.mechanism.results().pose(ours.run.states[i], ours.body),
               b = theirs.mechanism.results().pose(theirs.run.states[i], theirs.body);
    EXPECT_LE(norm(a.r - b.r), tolerance) << i;
    EXPECT_LE(norm(a.R.x - b.R.x) + norm(a.R.y - b.R.y), tolerance) << i;
    EXPECT_LE(norm(a.v - b.v) + norm(a.w - b.w), 10 * tolerance) << i;
  }
}

}  // namespace driftless::tests::massless_cases

#include "mechanisms.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace driftless::benchmarks::conformance {

namespace {

using namespace mechanics;

// Of each linkage: crank and rocker on the ground, a coupler between them; it begins at x.
struct Places {
  Vec3 A, B, C, D;
};
Places places(double x) {
  const double turned = 1.2;
  return {{x, 0, 0},
          {x + 2, 0, 0},
          {x + std::cos(turned), std::sin(turned), 0},
          {x + 2 + 0.9 * std::cos(turned), 1.1 * std::sin(turned), 0}};
}

std::string numbered(const char* name, int k) {
  return name + std::to_string(k);
}

Vec3 middle(const Vec3& a, const Vec3& b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
}

constexpr double distance_of_linkages = 3;
const Settings spring = {{"stiffness", 40.0}, {"damping", 1.0}, {"rest", 0.5}};

}  // namespace

Subject planar_row(int bodies, Sleighs sleighs) {
  Mechanism m;
  const auto bar = [&](const std::string& name, const Vec3& a, const Vec3& b) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    return m.body(PlanarBody{.name = name,
                             .mass = length,
                             .inertia = std::pow(length, 3) / 12,
                             .at = middle(a, b),
                             .angle = std::atan2(b.y - a.y, b.x - a.x)});
  };
  std::optional<BodyId> crank_before;
  int left = bodies;
  for (int k = 0; left > 0; ++k) {
    const Places at = places(k * distance_of_linkages);
    const BodyId crank = bar(numbered("crank", k), at.A, at.C);
    --left;
    m.joint("revolute", numbered("A", k), m.ground(), crank, {.at = at.A});
    if (crank_before)
      m.joint("distance", numbered("rod", k), m.marker(*crank_before, {.at = places((k - 1) * 3.0).C}),
              m.marker(crank, {.at = at.C}));
    crank_before = crank;
    if (left < 2) continue;
    const BodyId rocker = bar(numbered("rocker", k), at.B, at.D),
                 coupler = bar(numbered("coupler", k), at.C, at.D);
    left -= 2;
    m.joint("revolute", numbered("B", k), m.ground(), rocker, {.at = at.B});
    m.joint("revolute", numbered("C", k), crank, coupler, {.at = at.C});
    m.joint("revolute", numbered("D", k), rocker, coupler, {.at = at.D});
    if (left == 0) break;
    if (sleighs == Sleighs::none) continue;
    const Vec3 place{at.D.x, at.D.y + 1, 0};
    const BodyId sleigh = m.body(PlanarBody{.name = numbered("sleigh", k),
                                            .mass = 0.5,
                                            .inertia = 0.1,
                                            .at = place,
                                            .angle = 0.3,
                                            .velocity = {0.5 * std::cos(0.3), 0.5 * std::sin(0.3), 0}});
    --left;
    m.joint("knife-edge", numbered("edge", k), m.marker(m.ground(), Vec3{}),
            m.marker(sleigh, Vec3{}, {0, 0, 1}, {0, 1, 0}));
    m.force("spring-damper", numbered("cord", k), m.marker(coupler, {.at = at.D}), m.marker(sleigh, Vec3{}),
            spring);
  }
  m.gravity({0, -9.81, 0});
  State start = m.assembled({.rates = {{"A0.angle", 1.0}}});
  return {std::move(m), std::move(start)};
}

Subject spatial_row(int bodies, Axes axes) {
  Mechanism m;
  const auto bar = [&](const std::string& name, const Vec3& a, const Vec3& b) {
    const double length = std::hypot(b.x - a.x, b.y - a.y, b.z - a.z), slender = std::pow(length, 3) / 12;
    return m.body(SpatialBody{.name = name,
                              .mass = length,
                              .inertia = {0.1 * slender, slender, slender},
                              .at = middle(a, b),
                              .axes = turned({0, 0, 1}, std::atan2(b.y - a.y, b.x - a.x))});
  };
  std::optional<Marker> bob_before;
  int left = bodies;
  for (int k = 0; left > 0; ++k) {
    const Places at = places(k * distance_of_linkages);
    const BodyId crank = bar(numbered("crank", k), at.A, at.C);
    --left;
    m.joint("revolute", numbered("A", k), m.ground(), crank, {.at = at.A});
    if (bob_before) m.joint("distance", numbered("rod", k), *bob_before, m.marker(crank, {.at = at.C}));
    bob_before.reset();
    if (left < 2) continue;
    const BodyId rocker = bar(numbered("rocker", k), at.B, at.D),
                 coupler = bar(numbered("coupler", k), at.C, at.D);
    left -= 2;
    m.joint("revolute", numbered("B", k), m.ground(), rocker, {.at = at.B});
    const bool redundant = axes == Axes::redundant;
    m.joint(redundant ? "revolute" : "spherical", numbered("C", k), crank, coupler, {.at = at.C});
    if (redundant)
      m.joint("revolute", numbered("D", k), rocker, coupler, {.at = at.D});
    else
      m.joint("universal", numbered("D", k), m.marker(rocker, {.at = at.D, .axis = {0, 0, 1}}),
              m.marker(coupler, {.at = at.D, .axis = {0, 1, 0}}));
    if (left == 0) break;
    const Vec3 ball = middle(at.C, at.D), place{ball.x, ball.y - 0.4, 0.3};
    const BodyId bob = m.body(
        SpatialBody{.name = numbered("bob", k), .mass = 0.5, .inertia = {0.01, 0.02, 0.015}, .at = place});
    --left;
    m.joint("spherical", numbered("ball", k), coupler, bob, {.at = ball});
    m.force("spring-damper", numbered("cord", k), m.marker(m.ground(), at.B), m.marker(bob, Vec3{}), spring);
    bob_before = m.marker(bob, Vec3{});
  }
  m.gravity({0, -9.81, 0});
  State start = m.assembled({.rates = {{"A0.angle", 1.0}}});
  return {std::move(m), std::move(start)};
}

}  // namespace driftless::benchmarks::conformance

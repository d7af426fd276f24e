// Mechanisms for tests of relative coordinates: loops, branches, joints of every kind, turned the other way round, driven, geared, free.
#pragma once

#include <functional>
#include <numbers>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <driftless/linalg/types.hpp>
#include <driftless/mechanics/mechanism.hpp>

namespace driftless::tests::relative_cases {

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

inline BodyId block(Mechanism& m, const std::string& name, Numbers& number) {
  return m.body(SpatialBody{.name = name,
                            .mass = 1.5 + number(),
                            .inertia = {0.5, 0.6, 0.7},
                            .products = {0.02, -0.05, 0.04},
                            .at = number.vector(),
                            .axes = turned(number.unit(), 3 * number())});
}
inline BodyId plate(Mechanism& m, const std::string& name, const Vec3& at, double angle = 0) {
  return m.body(PlanarBody{.name = name, .mass = 1, .inertia = 0.2, .at = at, .angle = angle});
}
// At a place somewhere, with an axis anywhere.
inline JointId connect(Mechanism& m, const std::string& type, const std::string& name, BodyId a, BodyId b,
                       Numbers& number, const Settings& settings = {}) {
  return m.joint(type, name, a, b, {.at = number.vector(), .axis = number.unit(), .x = number.vector()},
                 settings);
}

inline Mechanism four_bar(double x = 0) {
  Mechanism m;
  const BodyId crank = plate(m, "crank", {x, 0.5, 0}), rod = plate(m, "rod", {x + 1, 1.25, 0}, 0.2),
               rocker = plate(m, "rocker", {x + 2, 0.75, 0}, -3);
  m.joint("revolute", "A", m.ground(), crank, {.at = {x, 0, 0}});
  m.joint("revolute", "B", crank, rod, {.at = {x, 1, 0}});
  m.joint("revolute", "C", rocker, rod, {.at = {x + 2, 1.5, 0}});
  m.joint("revolute", "D", rocker, m.ground(), {.at = {x + 2, 0, 0}});  // the ground comes second
  m.gravity({0, -9.81, 0});
  m.force("spring-damper", "strut", m.marker(m.ground(), Vec3{x + 1, 0, 0}), m.marker(rod, Vec3{}),
          {{"stiffness", 20}, {"damping", 2}, {"rest", 1}});
  return m;
}

inline Mechanism slider_crank() {
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
inline Mechanism branches(bool backwards, bool springs) {
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
inline Mechanism spatial_four_bar() {
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
inline Mechanism spatial_loop() {
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

inline Mechanism free_bodies() {
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

inline Mechanism driven() {
  Numbers number;
  Mechanism m;
  const BodyId cart = block(m, "cart", number), arm = block(m, "arm", number);
  const JointId rail = connect(m, "prismatic", "rail", m.ground(), cart, number);
  connect(m, "revolute", "hinge", cart, arm, number);
  m.drive("push", rail, "position", "0.3*sin(3*t)");
  m.gravity({0, 0, -9.81});
  return m;
}

inline Mechanism gears() {
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
inline Mechanism loose_ends() {
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
inline Mechanism mixed() {
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
inline void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

inline const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"four_bar", [] { return four_bar(); }},
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

}  // namespace driftless::tests::relative_cases

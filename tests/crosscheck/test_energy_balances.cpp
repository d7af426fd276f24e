// Energy balances of mechanisms, at every accepted step of runs with rtol = 1e-9:
//   |E(t) - E(0) - W(t)| <= 1e-8 max(T + |V| + |W|),   E = T + V
// for every type of joint and force in the tables, and for prescribed motions, curves and laws in C++. T and V are what
// Mechanism::energies says of the elements. W is the run's own; here it is integrated a second time, by Gauss's formula over output
// states, from the powers of the elements.
// The error of a step is known only where accelerations are smooth in it. Steps reach across the points of the tables and profiles
// here, and lie between them: cubic splines, of which accelerations have kinks at the points, would leave up to 5e-7 of the energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

#include <driftless/mechanics/mechanism.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;
constexpr double limit = 1e-8, g = 9.81, pi = std::numbers::pi;
constexpr const char* tested = "tested";  // name of the joint or force that a case is about

struct Sums {
  double kinetic = 0, potential = 0, power = 0, work = 0;
  double stored = 0;  // by the tested force
  double energy() const { return kinetic + potential; }
};

Sums sums(const Mechanism& m, const State& state) {
  Sums s;
  for (const ElementEnergy& e : m.energies(state)) {
    s.kinetic += e.kinetic;
    s.potential += e.potential;
    s.power += e.power;
    if (e.name.starts_with(tested)) s.stored += e.potential;
  }
  return s;
}

class Watch final : public Observer {
 public:
  explicit Watch(const Mechanism& m) : m_(m) {}
  void start(const RunInfo& run) override { monitor_.start(run), look(run.start); }
  void step(const AcceptedStep& step) override { monitor_.step(step), look(step.to); }

  std::vector<Sums> seen;
  double change(double Sums::*what) const {
    const auto [least, largest] = std::ranges::minmax(seen, {}, what);
    return largest.*what - least.*what;
  }

 private:
  void look(const State& state) {
    seen.push_back(sums(m_, state));
    seen.back().work = monitor_.at(state).work;
  }
  const Mechanism& m_;
  observers::EnergyMonitor monitor_;
};

// Gauss's formula with three points on each of `panels`; the states are those at its points.
constexpr int panels = 600;
const double gauss_x[] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)},
             gauss_weight[] = {5 / 18.0, 8 / 18.0, 5 / 18.0};

std::vector<double> gauss_times(double t_end) {
  std::vector<double> times;
  for (int i = 0; i < panels; ++i)
    for (const double x : gauss_x) times.push_back(t_end / panels * (i + x));
  return times;
}

double work_by_hand(const Mechanism& m, const std::vector<State>& states, double t_end) {
  double work = 0;
  for (std::size_t i = 0; i < states.size(); ++i)
    work += t_end / panels * gauss_weight[i % 3] * sums(m, states[i]).power;
  return work;
}

const Method implicit{.formulation = "ggl", .integrator = "radau5"};

// Relative to the scale: work, and by how much the others change.
struct Outcome {
  double work = 0, stored = 0, kinetic = 0;
};

Outcome expect_balance(const std::string& what, const Mechanism& m, double t_end, const Method& method = {}) {
  SCOPED_TRACE(what + ", " + method.formulation + " " + method.integrator);
  Watch watch(m);
  Options options{.t_end = t_end, .rtol = 1e-9};
  options.output = {.kind = Output::Kind::at, .times = gauss_times(t_end)};
  const Solution run = solve(*m.problem(), m.assembled(), method, options, {&watch});
  EXPECT_TRUE(run.complete()) << run.end_message;

  double worst = 0, scale = 0;
  for (const Sums& s : watch.seen) {
    worst = std::max(worst, std::abs(s.energy() - watch.seen.front().energy() - s.work));
    scale = std::max(scale, s.kinetic + std::abs(s.potential) + std::abs(s.work));
  }
  EXPECT_LE(worst / scale, limit);
  EXPECT_LE(std::abs(run.energy->balance) / scale, limit);
  // Of implicit formulations the multipliers between steps, the effort of a drive, are interpolated and less accurate than the state.
  if (method.formulation == "index1" || !m.finished().moving) {
    EXPECT_LE(std::abs(run.energy->work - work_by_hand(m, run.states, t_end)) / scale, limit);
  }
  return {run.energy->work / scale, watch.change(&Sums::stored) / scale,
          watch.change(&Sums::kinetic) / scale};
}

// A type in the plane, in space or in both: where its marker on the arm is.
struct Case {
  std::string type;
  std::optional<WorldPlace> plane, space;
  Settings settings = {};
  Vec3 apart = {};            // from that marker to the one on the load
  std::string elbow = "pin";  // beside a force, or coupled with the hinge: pin, slide or none
  bool of_joint = false;      // the force acts in the elbow
};

std::string named(const std::string& type, bool planar, bool of_joint = false) {
  return type + (of_joint ? " in a joint" : "") + (planar ? " in the plane" : " in space");
}

// A type without a case would be a type without a test.
void expect_case(const std::vector<Case>& cases, const std::string& type, bool planar,
                 bool of_joint = false) {
  const auto fits = [&](const Case& c) {
    return c.type == type && c.of_joint == of_joint && (planar ? c.plane : c.space);
  };
  EXPECT_TRUE(std::ranges::any_of(cases, fits))
      << "type " << named(type, planar, of_joint)
      << " has no energy balance; add a case to the table of this test";
}

const WorldPlace tip{.at = {1, 0, 0}}, tilted{.at = {1, 0, 0}, .axis = {0, 0.6, 0.8}},
    inside{.at = {0.7, 0.1, 0}}, skew{.at = {1, 0, 0}, .axis = {0.6, 0, 0.8}},
    lengthwise{.at = {1, 0, 0}, .axis = {1, 0, 0}};

// An arm that swings about a hinge on the ground, and a load beyond its tip.
struct Swing {
  Mechanism m;
  BodyId arm, load;
  JointId hinge;

  explicit Swing(bool planar) {
    const Vec3 middle{0.5, 0, 0}, there{1.4, -0.2, planar ? 0 : 0.1};
    if (planar) {
      arm = m.body(PlanarBody{.name = "arm", .mass = 1, .inertia = 0.1, .at = middle, .spin = -3});
      load = m.body(PlanarBody{.name = "load", .mass = 1.5, .inertia = 0.2, .at = there, .spin = 1});
    } else {
      arm = m.body(SpatialBody{
          .name = "arm", .mass = 1, .inertia = {0.05, 0.1, 0.12}, .at = middle, .rates = {0, -1.8, -2.4}});
      load = m.body(SpatialBody{.name = "load",
                                .mass = 1.5,
                                .inertia = {0.2, 0.15, 0.25},
                                .products = {0.01, -0.02, 0.03},
                                .at = there,
                                .rates = {1, -2, 1.5}});
    }
    hinge = m.joint("revolute", "hinge", m.ground(), arm, {.axis = planar ? tip.axis : tilted.axis});
    m.gravity({0, -g, 0});
  }
  JointId bend(const std::string& type, const WorldPlace& place) {
    return m.joint(type, "elbow", arm, load, place);
  }
  // By a spring that keeps the load within reach, however free it is.
  Mechanism tied() {
    m.force("spring-damper", "tie", m.marker(m.ground(), Vec3{1.5, 1.5, 0}),
            m.marker(load, Vec3{0.1, 0.1, 0}), {{"stiffness", 30}});
    return std::move(m);
  }
};

Mechanism built(const Case& c, bool planar) {
  Swing s(planar);
  const WorldPlace place = *(planar ? c.plane : c.space);
  const Marker a = s.m.marker(s.arm, place),
               b = s.m.marker(s.load, WorldPlace{place.at + c.apart, place.axis, place.x});
  const auto joint = std::ranges::find(joint_table(), c.type, &NamedJoint::name);
  if (joint == joint_table().end()) {
    if (c.of_joint) {
      s.m.force(c.type, tested, s.bend("revolute", place), "angle", c.settings);
    } else {
      if (c.elbow == "pin") s.bend(planar ? "revolute" : "spherical", tip);
      s.m.force(c.type, tested, a, b, c.settings);
    }
  } else if (joint->entry.of_joints) {
    const JointId elbow = s.bend(c.elbow == "pin" ? "revolute" : "prismatic", place);
    s.m.joint(c.type, tested, s.hinge, elbow, c.settings);
  } else {
    s.m.joint(c.type, tested, a, b, c.settings);
  }
  return s.tied();
}

// A disc that leans and rolls on a plate that slides against a spring.
Mechanism disc_on_plate() {
  const double lean = 0.3, r = 0.4, spin = 6;
  Mechanism m;
  const BodyId plate = m.body(SpatialBody{.name = "plate", .mass = 3, .inertia = {1, 1, 1}}),
               disc = m.body(SpatialBody{.name = "disc",
                                         .mass = 1,
                                         .inertia = {r * r / 4, r * r / 4, r * r / 2},
                                         .at = {0, r * std::sin(lean), r * std::cos(lean)},
                                         .axes = turned({1, 0, 0}, -pi / 2 - lean),
                                         .velocity = {r * spin, 0, 0},
                                         .rates = {0, 0, spin}});
  m.joint("rolling", tested, m.marker(plate, Vec3{}), m.marker(disc, Vec3{}), {{"radius", r}});
  m.force("spring-damper", "tie", m.joint("prismatic", "guide", m.ground(), plate, {.axis = {0, 1, 0}}),
          "position", {{"stiffness", 30}});
  m.gravity({0, 0, -g});
  return m;
}

std::vector<Case> joint_cases() {
  const WorldPlace forward{.at = {1, 0, 0}, .x = {1, 0, 0}};
  std::vector<double> x, y;
  for (int i = 0; i < 32; ++i)
    x.push_back(0.5 * std::cos(pi * i / 16)), y.push_back(0.4 * std::sin(pi * i / 16));
  const Profile ellipse(x, y, Profile::Kind::closed);
  return {
      {"coupling", tip, skew, {{"c1", -1.5}, {"c2", 0.4}}},
      {"cylindrical", {}, skew},
      {"distance", tip, tip, {}, {0.3, -0.2, 0}},
      {"fixed", tip, skew},
      {"gear", tip, skew, {{"ratio", -1.5}}},
      {"in-plane", {}, skew},
      {"knife-edge", tip, skew},
      {"parallel-axes", {}, skew},
      {"planar", {}, skew},
      {"point-on-curve", forward, forward, {{"profile", ellipse}}, {0.5, 0, 0}},
      {"point-on-line", lengthwise, skew},
      {"prismatic", lengthwise, skew},
      {"rack-and-pinion", lengthwise, skew, {{"radius", 0.3}}, {}, "slide"},
      {"revolute", tip, skew},
      {"rolling", {}, WorldPlace{}},  // disc_on_plate()
      {"screw", {}, skew, {{"pitch", 0.5}}},
      {"spherical", {}, tip},
      {"universal", {}, skew},
  };
}

TEST(EnergyBalanceOfJoints, EveryType) {
  const std::vector<Case> cases = joint_cases();
  for (const NamedJoint& joint : joint_table()) {
    if (joint.entry.planar) expect_case(cases, joint.name, true);
    if (joint.entry.spatial) expect_case(cases, joint.name, false);
  }
  for (const Case& c : cases)
    for (const bool planar : {true, false}) {
      if (!(planar ? c.plane : c.space)) continue;
      const std::string what = named(c.type, planar);
      const Mechanism m = c.type == "rolling" ? disc_on_plate() : built(c, planar);
      EXPECT_GT(expect_balance(what, m, 3).kinetic, 0.05) << what << " hardly moves";
      expect_balance(what, m, 3, implicit);
    }
}

std::vector<Case> force_cases() {
  const WorldPlace across{.at = {1.3, 0, 0}, .axis = {0, 1, 0}},
      beside{.at = {1.3, 0.1, 0}, .axis = {0.48, 0.64, 0.6}};
  const Settings spring{{"stiffness", 40}, {"damping", 1.5}, {"rest", 0.5}, {"preload", 2}},
      flat{{"kx", 300}, {"ky", 200}, {"ktz", 60}, {"cx", 4}, {"cy", 3}, {"ctz", 1}},
      solid{{"kx", 300}, {"ky", 200}, {"kz", 250}, {"cx", 4},  {"cy", 3},  {"cz", 3},
            {"ktx", 60}, {"kty", 50}, {"ktz", 80}, {"ctx", 1}, {"cty", 1}, {"ctz", 1}},
      push{{"force", "12*cos(2*t)"}}, twist{{"torque", "3*cos(2*t)"}},
      motor{{"force", "20*sin(2*t) - 3*elbow.angle - 0.5*hinge.angle'"}},
      servo{{"proportional", 15}, {"derivative", 1}, {"target", "1 - cos(2*t)"}};
  return {
      {"actuator", tip, tilted, motor, {}, "pin", true},
      {"bushing", tip, {}, flat, {}, "none"},
      {"bushing", {}, tip, solid, {}, "none"},
      {"follower-force", across, beside, push},
      {"follower-torque", tip, beside, twist},
      {"force", across, beside, push},
      {"friction", tip, tilted, {{"coefficient", 0.8}}, {}, "pin", true},
      {"pd-actuator", tip, tilted, servo, {}, "pin", true},
      {"rotary-damper", tip, {}, {{"ctz", 0.7}}},
      {"rotary-damper", {}, beside, {{"ctx", 0.7}, {"cty", 0.3}, {"ctz", 0.5}}},
      {"spring-damper", inside, inside, spring, {0.5, -0.4, 0}},
      {"spring-damper", tip, tilted, spring, {}, "pin", true},
      {"torque", tip, beside, twist},
  };
}

void expect_work(const std::string& what, const Case& c, bool planar, bool elastic) {
  const Mechanism m = built(c, planar);
  const Outcome o = expect_balance(what, m, 3);
  EXPECT_GT(std::abs(o.work), 0.01) << what << " hardly does work";
  EXPECT_GT(o.stored, elastic ? 0.01 : -1) << what << " hardly stores energy";
  expect_balance(what, m, 3, implicit);
}

TEST(EnergyBalanceOfForces, EveryType) {
  const std::vector<Case> cases = force_cases();
  for (const bool planar : {true, false}) {
    for (const NamedForce& force : force_table()) {
      if (force.entry.of_markers) expect_case(cases, force.name, planar);
      if (force.entry.of_joints) expect_case(cases, force.name, planar, true);
    }
    for (const Case& c : cases)
      if (planar ? c.plane : c.space)
        expect_work(named(c.type, planar, c.of_joint), c, planar,
                    c.settings.contains("stiffness") || c.settings.contains("kx"));
  }
}

Table sampled(double from, double to, int pieces, const std::function<double(double)>& y) {
  std::vector<double> xs, ys;
  for (int i = 0; i <= pieces; ++i) {
    xs.push_back(from + (to - from) * i / pieces);
    ys.push_back(y(xs.back()));
  }
  return Table(xs, ys, {.interpolation = Interpolation::spline});
}

TEST(EnergyBalanceOfForces, CurvesAndLawsInCpp) {
  const Settings curves{{"curve", sampled(-3, 3, 60, [](double x) { return 8 * std::sinh(x); })},
                        {"dashpot", sampled(-20, 20, 80, [](double x) { return 4 * std::tanh(x / 4); })}};
  const Case points{"spring-damper", inside, inside, curves, {0.5, -0.4, 0}},
      pin{"spring-damper", tip, tilted, curves, {}, "pin", true};
  for (const bool planar : {true, false}) {
    expect_work("curves between points", points, planar, true);
    expect_work("curves in a joint", pin, planar, true);
    Swing s(planar);
    s.m.force("law", s.bend("revolute", planar ? tip : tilted), "angle", [](auto t, auto y, auto rate) {
      return 3.0 * cos(2.0 * t) - 2.0 * sin(y) - 0.1 * rate * y * y;
    });
    EXPECT_GT(std::abs(expect_balance("law", s.tied(), 3).work), 0.01) << planar;
  }
}

TEST(EnergyBalanceOfDrives, JointsAndPoints) {
  const auto table = [](int pieces) {
    return sampled(0, 2, pieces, [](double t) { return 0.6 * std::sin(3 * t); });
  };
  const std::pair<std::string, Setting> motions[] = {
      {"formula", "0.6*sin(3*t)"}, {"20 pieces", table(20)}, {"320 pieces", table(320)}};
  for (const auto& [motion, setting] : motions)
    for (const bool planar : {true, false})
      for (const bool joint : {true, false}) {
        Swing s(planar);
        s.bend("revolute", planar ? tip : tilted);
        if (joint)
          s.m.drive("motor", s.hinge, "angle", setting);
        else
          s.m.drive("shaker", s.m.marker(s.load, Vec3{0, 0.2, 0}), {0, 1, 0}, setting);
        const std::string what = (joint ? "hinge by " : "point by ") + named(motion, planar);
        EXPECT_GT(std::abs(expect_balance(what, s.m, 2).work), 0.01) << what;
        expect_balance(what, s.m, 2, implicit);
      }
}

}  // namespace
}  // namespace driftless::tests

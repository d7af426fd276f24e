// Energy balances of the mechanisms in examples/ over their own intervals, and of two whose work is known in closed form: at every
// accepted step of runs with rtol = 1e-9
//   |E(t) - E(0) - W(t)| <= 1e-8 max(T + |V| + |W|),   E = T + V
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <driftless/mechanics/mechanism.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;
constexpr double limit = 1e-8, g = 9.81, pi = std::numbers::pi;

class BalanceWatch final : public Observer {
 public:
  explicit BalanceWatch(const Mechanism& m) : m_(m) {}
  void start(const RunInfo& run) override { monitor_.start(run), look(run.start); }
  void step(const AcceptedStep& step) override { monitor_.step(step), look(step.to); }
  double relative() const { return worst_ / scale_; }

 private:
  void look(const State& state) {
    double kinetic = 0, potential = 0;
    for (const ElementEnergy& e : m_.energies(state)) kinetic += e.kinetic, potential += e.potential;
    const double work = monitor_.at(state).work;
    if (scale_ == 0) first_ = kinetic + potential;
    worst_ = std::max(worst_, std::abs(kinetic + potential - first_ - work));
    scale_ = std::max(scale_, kinetic + std::abs(potential) + std::abs(work));
  }
  const Mechanism& m_;
  observers::EnergyMonitor monitor_;
  double first_ = 0, worst_ = 0, scale_ = 0;
};

// Returns the work.
double expect_balance(const Mechanism& m, double t_end, const Method& method = {},
                      const Closing& closing = {}) {
  SCOPED_TRACE(method.integrator);
  BalanceWatch watch(m);
  const Solution run = solve(*m.problem(), m.assembled(closing), method,
                             {.t_end = t_end, .rtol = 1e-9, .atol = 1e-9}, {&watch});
  EXPECT_TRUE(run.complete()) << run.end_message;
  EXPECT_LE(watch.relative(), limit);
  return run.energy->work;
}

// J w' = -c w.
TEST(EnergyBalanceInClosedForm, DampedRotor) {
  const double J = 0.5, c = 0.2, w = 6, t = 4;
  Mechanism m;
  const BodyId rotor = m.body(PlanarBody{.name = "rotor", .mass = 2, .inertia = J, .spin = w});
  m.force("friction", "bearing", m.joint("revolute", "axle", m.ground(), rotor, {}), "angle",
          {{"coefficient", c}});
  EXPECT_NEAR(expect_balance(m, t), J / 2 * w * w * std::expm1(-2 * c * t / J), limit * J / 2 * w * w);
}

// All of its energy is prescribed: (J + m l^2) angle'^2/2 + m g l sin(angle).
TEST(EnergyBalanceInClosedForm, DrivenPendulum) {
  const double J = 0.1, mass = 2, l = 0.5, t = 3;
  Mechanism m;
  const BodyId rod = m.body(PlanarBody{.name = "rod", .mass = mass, .inertia = J, .at = {l, 0, 0}});
  m.drive("motor", m.joint("revolute", "pivot", m.ground(), rod, {}), "angle", "2*sin(3*t) + t^2");
  m.gravity({0, -g, 0});
  const auto rate = [](double s) { return 6 * std::cos(3 * s) + 2 * s; };
  const auto energy = [&](double s) {
    return (J + mass * l * l) / 2 * rate(s) * rate(s) + mass * g * l * std::sin(2 * std::sin(3 * s) + s * s);
  };
  EXPECT_NEAR(expect_balance(m, t), energy(t) - energy(0), limit * energy(0));
}

TEST(EnergyBalanceOfExamples, FourBar) {
  Mechanism m;
  const auto bar = [&](const char* name, Vec3 from, Vec3 to) {
    const Vec3 along = to - from;
    const double length = norm(along), J = length * length * length / 12;
    return m.body(PlanarBody{.name = name,
                             .mass = length,
                             .inertia = J,
                             .at = 0.5 * (from + to),
                             .angle = std::atan2(along.y, along.x)});
  };
  const BodyId crank = bar("crank", {0, 0, 0}, {0, 1, 0}), coupler = bar("coupler", {0, 1, 0}, {2, 1.5, 0}),
               rocker = bar("rocker", {2, 0, 0}, {2, 1.5, 0});
  m.joint("revolute", "A", m.ground(), crank, {.at = {0, 0, 0}});
  m.joint("revolute", "B", crank, coupler, {.at = {0, 1, 0}});
  m.joint("revolute", "C", coupler, rocker, {.at = {2, 1.5, 0}});
  m.joint("revolute", "D", m.ground(), rocker, {.at = {2, 0, 0}});
  m.gravity({0, -g, 0});
  expect_balance(m, 2, {}, {.rates = {{"A.angle", -2}}});
}

TEST(EnergyBalanceOfExamples, Gyroscope) {
  Mechanism m;
  const BodyId wheel = m.body(SpatialBody{.name = "wheel",
                                          .mass = 1,
                                          .inertia = {0.005, 0.005, 0.01},
                                          .at = {0.2, 0, 0},
                                          .axes = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                          .rates = {0, 0, 200}});
  m.joint("spherical", "pivot", m.ground(), wheel, {});
  m.gravity({0, 0, -g});
  for (const char* integrator : {"dopri5", "dop853"}) expect_balance(m, 5, {.integrator = integrator});
}

TEST(EnergyBalanceOfExamples, RollingDisc) {
  Mechanism m;
  const double mass = 0.05, r = 0.1, lean = 0.3, spin = 30, J = mass * r * r / 4;
  const BodyId disc = m.body(SpatialBody{.name = "disc",
                                         .mass = mass,
                                         .inertia = {J, J, 2 * J},
                                         .at = {0, r * std::sin(lean), r * std::cos(lean)},
                                         .axes = turned({1, 0, 0}, -pi / 2 - lean),
                                         .velocity = {r * spin, 0, 0},
                                         .rates = {0, 0, spin}});
  m.joint("rolling", "contact", m.marker(m.ground(), Vec3{}), m.marker(disc, Vec3{}), {{"radius", r}});
  m.gravity({0, 0, -g});
  expect_balance(m, 5);
}

TEST(EnergyBalanceOfExamples, DrivenSliderCrank) {
  Mechanism m;
  const BodyId crank = m.body(PlanarBody{.name = "crank", .mass = 1, .inertia = 0.02, .at = {0.1, 0, 0}}),
               rod = m.body(PlanarBody{.name = "rod", .mass = 1, .inertia = 0.03, .at = {0.45, 0, 0}}),
               slider = m.body(PlanarBody{.name = "slider", .mass = 2, .inertia = 0.01, .at = {0.7, 0, 0}});
  const JointId motor = m.joint("revolute", "motor", m.ground(), crank, {});
  m.joint("revolute", "crank pin", crank, rod, {.at = {0.2, 0, 0}});
  m.joint("revolute", "slider pin", rod, slider, {.at = {0.7, 0, 0}});
  const JointId guide =
      m.joint("prismatic", "guide", m.ground(), slider, {.at = {0.7, 0, 0}, .axis = {1, 0, 0}});
  m.drive("run up", motor, "angle", "if(t < 1, 10*t^3 - 5*t^4, 5 + 10*(t - 1))");
  m.force("spring-damper", "buffer", guide, "position", {{"stiffness", 500}, {"damping", 20}});
  expect_balance(m, 3);
}

}  // namespace
}  // namespace driftless::tests

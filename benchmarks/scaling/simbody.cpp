// To be compiled as C++17: in C++20 comparisons of the indices in Simbody 3.7's headers are ambiguous.
#include "simbody.hpp"

#include <cmath>
#include <memory>
#include <regex>
#include <stdexcept>
#include <vector>

#include <Simbody.h>
#include <fmt/format.h>

#include "run_watch.hpp"

namespace driftless::benchmarks::scaling {

namespace {

using Method = SimbodySettings::Method;

std::string name(Method method) {
  switch (method) {
    case Method::merson:
      return "Runge-Kutta-Merson";
    case Method::fehlberg:
      return "Runge-Kutta-Fehlberg";
    case Method::kutta3:
      return "Runge-Kutta 3";
    case Method::verlet:
      return "Verlet";
    case Method::cpodes_bdf:
      return "CPODES, BDF";
    case Method::cpodes_adams:
      return "CPODES, Adams";
  }
  return "";
}

std::unique_ptr<SimTK::Integrator> make_integrator(Method method, const SimTK::System& system) {
  switch (method) {
    case Method::merson:
      return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
    case Method::fehlberg:
      return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system);
    case Method::kutta3:
      return std::make_unique<SimTK::RungeKutta3Integrator>(system);
    case Method::verlet:
      return std::make_unique<SimTK::VerletIntegrator>(system);
    case Method::cpodes_bdf:
      return std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::BDF);
    case Method::cpodes_adams:
      return std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::Adams);
  }
  return nullptr;
}

// Messages of Simbody come in several lines, with the places in its source where they were thrown.
std::string in_one_line(const std::string& message) {
  const std::string without_places =
      std::regex_replace(message, std::regex("SimTK Exception thrown at [^ ]*:\\s"), "");
  const std::string line = std::regex_replace(without_places, std::regex("\\s+"), " ");
  const std::size_t first = line.find_first_not_of(' '), last = line.find_last_not_of(' ');
  return first == std::string::npos ? "no reason given" : line.substr(first, last - first + 1);
}

class SimbodyModel {
 public:
  explicit SimbodyModel(const Bars& bars) : matter_(system_), forces_(system_) {
    SimTK::Force::Gravity(forces_, matter_, SimTK::Vec3(0, -Bars::gravity, 0));
    std::vector<SimTK::MobilizedBody> bodies(bars.bars.size());
    std::vector<double> angles, rates;  // against the body that carries the bar
    std::vector<std::size_t> pinned;    // the bars of `angles`
    for (const Pin& pin : bars.pins) {
      const auto a = static_cast<std::size_t>(pin.a);
      const bool grounded = pin.b == Pin::ground;
      const auto b = static_cast<std::size_t>(grounded ? 0 : pin.b);
      SimTK::MobilizedBody& carrier = grounded ? matter_.updGround() : bodies[b];
      const SimTK::Vec3 point = grounded ? SimTK::Vec3(pin.x, pin.y, 0) : end(bars.bars[b], pin.side_b),
                        own_point = end(bars.bars[a], pin.side_a);
      if (!bodies[a].isEmptyHandle()) {
        SimTK::Constraint::PointOnLine(carrier, SimTK::ZAxis, point, bodies[a], own_point);
        continue;
      }
      const Bar& bar = bars.bars[a];
      const double about_x = std::abs(bar.half_x) > std::abs(bar.half_y) ? 0 : bar.inertia;
      const SimTK::Body::Rigid body(SimTK::MassProperties(
          bar.mass, SimTK::Vec3(0), SimTK::Inertia(about_x, bar.inertia - about_x, bar.inertia)));
      bodies[a] =
          SimTK::MobilizedBody::Pin(carrier, SimTK::Transform(point), body, SimTK::Transform(own_point));
      pinned.push_back(a);
      angles.push_back(bars.q[3 * pin.a + 2] - (grounded ? 0 : bars.q[3 * pin.b + 2]));
      rates.push_back(bars.v[3 * pin.a + 2] - (grounded ? 0 : bars.v[3 * pin.b + 2]));
    }
    start_ = system_.realizeTopology();
    for (std::size_t i = 0; i < pinned.size(); ++i) {
      bodies[pinned[i]].setOneQ(start_, 0, angles[i]);
      bodies[pinned[i]].setOneU(start_, 0, rates[i]);
    }
    first_ = bodies[0];
    tip_ = end(bars.bars[0], 1);
  }

  const SimTK::MultibodySystem& system() const { return system_; }
  const SimTK::State& start() const { return start_; }

  void see(const SimTK::State& state, RunWatch& watch) const {
    system_.realize(state, SimTK::Stage::Dynamics);
    watch.see(system_.calcKineticEnergy(state), system_.calcPotentialEnergy(state));
  }
  Eigen::Vector2d tip(const SimTK::State& state) const {
    const SimTK::Vec3 point = first_.findStationLocationInGround(state, tip_);
    return {point[0], point[1]};
  }

 private:
  static SimTK::Vec3 end(const Bar& bar, double side) { return {side * bar.half_x, side * bar.half_y, 0}; }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::State start_;
  SimTK::MobilizedBody first_;
  SimTK::Vec3 tip_;
};

}  // namespace

SimbodySettings best_simbody_settings(Mechanism mechanism) {
  SimbodySettings settings;
  settings.project_every_step = mechanism == Mechanism::n_four_bar;
  return settings;
}

Outcome run_simbody(Mechanism mechanism, int N, double tolerance, double t_end, double seconds_limit,
                    const SimbodySettings& settings) {
  Outcome outcome;
  outcome.name = "Simbody, " + name(settings.method);
  outcome.N = N;
  outcome.tolerance = tolerance;
  RunWatch watch(seconds_limit);
  const SimbodyModel model(make_bars(mechanism, N));
  const auto integrator = make_integrator(settings.method, model.system());
  integrator->setAccuracy(tolerance);
  integrator->setProjectEveryStep(settings.project_every_step);
  integrator->setFinalTime(t_end);
  integrator->setReturnEveryInternalStep(true);
  try {
    integrator->initialize(model.start());
    model.see(integrator->getState(), watch);
    while (integrator->getTime() < t_end && !watch.out_of_time()) {
      watch.timed([&] { return integrator->stepTo(t_end); });
      model.see(integrator->getState(), watch);
    }
    outcome.tip = model.tip(integrator->getState());
    outcome.completed = integrator->getTime() >= t_end;
    if (!outcome.completed)
      outcome.failure = fmt::format("the time limit was reached after {:.0f} s at t = {:.4g}",
                                    watch.seconds(), integrator->getTime());
  } catch (const std::exception& error) {
    outcome.failure = "Simbody stopped: " + in_one_line(error.what());
  }
  outcome.t = integrator->getTime();
  outcome.steps = integrator->getNumStepsTaken();
  outcome.rhs = integrator->getNumRealizations();
  outcome.seconds = watch.seconds();
  outcome.memory = watch.memory();
  if (outcome.completed) outcome.error = watch.error(mechanism, N, t_end, outcome.tip);
  return outcome;
}

}  // namespace driftless::benchmarks::scaling

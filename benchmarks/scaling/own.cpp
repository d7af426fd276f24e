#include "own.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "../common/best_batch.hpp"
#include "run_watch.hpp"

namespace driftless::benchmarks::scaling {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The problem in the coordinates asked for, and the way back to those of the bodies.
class OwnModel {
 public:
  OwnModel(Bars bars, const OwnSettings& settings) : bars_(std::move(bars)) {
    const mechanics::Mechanism mechanism = mechanism_of(bars_);
    start_ = mechanism.assembled();
    if (settings.coordinates == Coordinates::absolute) {
      problem_ = mechanism.problem();
    } else {  // as `driftless run --coordinates relative` has it
      using mechanics::RelativeCoordinates;
      const auto& shapes = catalog::integrator(parse_choice(settings.method.integrator).name).shapes;
      const bool implicit = std::find(shapes.begin(), shapes.end(), SystemShape::dae) != shapes.end();
      relative_.emplace(
          mechanism.finished(), mechanism.joints(), start_,
          implicit ? RelativeCoordinates::for_implicit_methods : RelativeCoordinates::any_length);
      problem_ = relative_->problem();
      start_ = relative_->start();
    }
  }

  const Problem& problem() const { return *problem_; }
  const State& start() const { return start_; }

  void see(const State& state, RunWatch& watch) const {
    const State bodies = by_bodies(state);
    watch.see(bars_.kinetic_energy(bodies.v().data()), bars_.potential_energy(bodies.q().data()));
  }
  Eigen::Vector2d tip(const State& state) const {  // of the first bar
    const State bodies = by_bodies(state);
    const double c = std::cos(bodies.q()[2]), s = std::sin(bodies.q()[2]);
    const Bar& bar = bars_.bars[0];
    return {bodies.q()[0] + c * bar.half_x - s * bar.half_y, bodies.q()[1] + s * bar.half_x + c * bar.half_y};
  }
  // A sentence where cranks of n-four-bar, bars 0 to N, are no longer parallel: a loop has folded over where all bars were in line.
  std::string fold(const State& state, int N) const {
    const State bodies = by_bodies(state);
    for (int k = 1; k <= N; ++k)
      if (const double angle = bodies.q()[3 * k + 2] - bodies.q()[2]; std::abs(std::sin(angle / 2)) > 0.05)
        return fmt::format("the branch was left: crank {} is turned by {:.2g} against crank 0 at the end", k,
                           angle);
    return {};
  }

 private:
  State by_bodies(const State& state) const { return relative_ ? relative_->absolute(state) : state; }

  Bars bars_;
  std::optional<mechanics::RelativeCoordinates> relative_;
  std::shared_ptr<const Problem> problem_;
  State start_;
};

// Looks at the energy at 200 places of the run, which is enough for the largest kinetic one, and knows how long it took.
class Onlooker final : public Observer {
 public:
  Onlooker(const OwnModel& model, RunWatch& watch, double t_end)
      : model_(model), watch_(watch), interval_(t_end / 200) {}

  void step(const AcceptedStep& step) override {
    t = step.to.t;
    if (t < next_) return;
    const double begin = now();
    model_.see(step.to, watch_);
    next_ = t + interval_;
    seconds += now() - begin;
  }

  double t = 0, seconds = 0;

 private:
  const OwnModel& model_;
  RunWatch& watch_;
  double interval_, next_ = 0;
};

std::unique_ptr<System> system_of(const Problem& problem, const std::string& formulation) {
  const NamedChoice choice = parse_choice(formulation);
  const FormulationEntry& entry = catalog::formulation(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options))->build(problem);
}

constexpr int different_states = 4;
constexpr double perturbation = 1e-6;

std::vector<Vector> near(const Vector& y) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, perturbation);
  std::vector<Vector> result(different_states, y);
  for (Vector& z : result)
    for (Eigen::Index i = 0; i < z.size(); ++i) z[i] += normal(random);
  return result;
}

void check(Status status) {
  if (status != Status::ok) throw std::runtime_error("the right-hand side near the start cannot be computed");
}

}  // namespace

mechanics::Mechanism mechanism_of(const Bars& bars) {
  mechanics::Mechanism mechanism;
  std::vector<mechanics::BodyId> bodies;
  for (std::size_t k = 0; k < bars.bars.size(); ++k) {
    const auto place = bars.q.segment(3 * static_cast<Eigen::Index>(k), 3);
    const auto rate = bars.v.segment(3 * static_cast<Eigen::Index>(k), 3);
    bodies.push_back(mechanism.body(mechanics::PlanarBody{.name = fmt::format("bar {}", k),
                                                          .mass = bars.bars[k].mass,
                                                          .inertia = bars.bars[k].inertia,
                                                          .at = {place[0], place[1], 0},
                                                          .angle = place[2],
                                                          .velocity = {rate[0], rate[1], 0},
                                                          .spin = rate[2]}));
  }
  const auto end = [&](int bar, double side) {
    const auto k = static_cast<std::size_t>(bar);
    return mechanism.marker(bodies[k],
                            mechanics::Vec3{side * bars.bars[k].half_x, side * bars.bars[k].half_y, 0});
  };
  for (std::size_t k = 0; k < bars.pins.size(); ++k) {
    const Pin& pin = bars.pins[k];
    mechanism.joint("revolute", fmt::format("pin {}", k),
                    pin.b == Pin::ground
                        ? mechanism.marker(mechanism.ground(), mechanics::Vec3{pin.x, pin.y, 0})
                        : end(pin.b, pin.side_b),
                    end(pin.a, pin.side_a));
  }
  mechanism.gravity({0, -Bars::gravity, 0});
  return mechanism;
}

std::string name(const OwnSettings& settings) {
  const Method method = with_defaults(settings.method, {});
  return fmt::format("{}, {} + {}", settings.coordinates == Coordinates::absolute ? "absolute" : "relative",
                     method.formulation, method.integrator);
}

Outcome run_own(Mechanism mechanism, int N, double tolerance, double t_end, double seconds_limit,
                const OwnSettings& settings) {
  Outcome outcome{.name = "Driftless, " + name(settings), .N = N, .tolerance = tolerance};
  RunWatch watch(seconds_limit);
  const Options options{.t_end = t_end,
                        .rtol = tolerance,
                        .atol = tolerance,
                        .output = {.kind = Output::Kind::at, .times = {t_end}}};
  try {
    const OwnModel model(make_bars(mechanism, N), settings);
    Pipeline pipeline = assemble(model.problem(), settings.method, options);
    Onlooker onlooker(model, watch, t_end);
    model.see(model.start(), watch);
    const double begin = now();
    const auto seconds = [&] { return now() - begin - onlooker.seconds; };
    const Solution solution = solve(model.problem(), pipeline, model.start(), options, {&onlooker},
                                    [&] { return seconds() > seconds_limit; });
    outcome.seconds = seconds();
    outcome.completed = solution.complete();
    outcome.failure = solution.end_message;
    if (solution.end == EndReason::interrupted)
      outcome.failure =
          fmt::format("the time limit was reached after {:.0f} s at t = {:.4g}", outcome.seconds, onlooker.t);
    outcome.t = solution.final.t;
    outcome.steps = solution.work.steps;
    outcome.rhs = solution.work.rhs;
    outcome.factorizations = solution.work.factorizations;
    model.see(solution.final, watch);
    outcome.tip = model.tip(solution.final);
    if (outcome.completed && mechanism == Mechanism::n_four_bar) {
      outcome.failure = model.fold(solution.final, N);
      outcome.completed = outcome.failure.empty();
    }
  } catch (const InputError& error) {
    outcome.failure = error.what();
  }
  outcome.memory = watch.memory();
  if (outcome.completed) outcome.error = watch.error(mechanism, N, t_end, outcome.tip);
  return outcome;
}

double seconds_per_right_hand_side(Mechanism mechanism, int N, const OwnSettings& settings) {
  const OwnModel model(make_bars(mechanism, N), settings);
  const Problem& problem = model.problem();
  const auto system = system_of(problem, settings.method.formulation);
  if (system->ode()) {
    Workspace work;
    const Vector r = Vector::Zero(problem.shape().multipliers());
    Vector a(problem.shape().nv), multipliers(r.size());
    const std::vector<Vector> states = near(model.start().z);
    return best_batch([&](std::size_t i) {
      check(problem.acceleration(0, states[i % states.size()], r, a, multipliers, work));
    });
  }
  DaeSystem& dae = *system->dae();
  State start = model.start();
  system->prepare(start);
  system->anchor(start);
  check(system->multipliers(start));
  Vector y(system->size()), yp = Vector::Zero(system->size()), F(dae.equations());
  system->pack(start, y);
  check(system->rates(start, yp));
  const std::vector<Vector> states = near(y);
  return best_batch([&](std::size_t i) { check(dae.residual(0, states[i % states.size()], yp, F)); });
}

}  // namespace driftless::benchmarks::scaling

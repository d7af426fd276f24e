// redundant-pendulum: a pendulum whose constraint is written twice, from the angle phi (0 hanging) with the rate w, for 10 s. Exact by
// elliptic functions, as in `pendulum`; of all multipliers, of which only lambda1 + scale lambda2 is determined, the smallest:
//   (lambda1, lambda2) = (1, scale) m (rate^2 + gravity cos phi/length)/(1 + scale^2)
// gap != 0 is its inconsistent twin, which no position satisfies; with growth != 0 the rows contradict each other more and more
// from t = 0 on. Both have no solution, and so no reference.
#include <driftless/problems/redundant_pendulum.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

#include "common/parameters.hpp"
#include "common/pendulum_motion.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<RedundantPendulum>>& parameters() {
  using P = RedundantPendulum;
  static const std::vector<Parameter<P>> table = {
      {"m", &P::m, "mass", 0},
      {"gravity", &P::gravity, "gravity, along -y"},
      {"length", &P::length, "of the rod", 0},
      {"scale", &P::scale, "factor of the second row"},
      {"gap", &P::gap, "what the second row has x^2 + y^2 - length^2 be: other than 0, the rows contradict"},
      {"growth", &P::growth, "of the gap, times t^3: the rows contradict from t = 0 on"}};
  return table;
}

void place(const RedundantPendulum& p, double angle, double rate, State& state) {
  const double x = p.length * std::sin(angle), y = -p.length * std::cos(angle);
  state.q() << x, y;
  state.v() << -y * rate, x * rate;
}

Reference exact_motion(const RedundantPendulum& p, const State& start, PendulumMotion begin) {
  const auto at = [=](double t) -> std::optional<State> {
    const auto [angle, rate] = angle_motion(p.gravity / p.length, begin, t);
    if (!std::isfinite(angle)) return std::nullopt;
    State state = start;
    state.t = t;
    place(p, angle, rate, state);
    state.lambda << 1, p.scale;
    state.lambda *= p.m * (rate * rate + p.gravity * std::cos(angle) / p.length) / (1 + p.scale * p.scale);
    return state;
  };
  return {.at = at, .source = "exact, by Jacobi's elliptic functions; smallest multipliers"};
}

ProblemInstance make(const OptionValues& o) {
  RedundantPendulum model = model_of(parameters(), o);
  model.moving = model.growth != 0;
  const PendulumMotion begin{o.number("phi"), o.number("w")};
  ProblemInstance instance;
  instance.problem = make_problem(model);
  instance.start = make_state(*instance.problem, {});
  place(model, begin.angle, begin.rate, instance.start);
  instance.t_end = 10;
  if (model.gap == 0 && model.growth == 0) instance.reference = exact_motion(model, instance.start, begin);
  return instance;
}

}  // namespace

ProblemEntry redundant_pendulum() {
  ProblemEntry entry{
      .summary =
          "pendulum with its constraint written twice, or with a contradiction (2 coordinates, "
          "2 constraints)",
      .parameters = specs_of(parameters()),
      .make = make};
  entry.parameters.insert(entry.parameters.end(),
                          {{.name = "phi", .fallback = "1", .help = "start angle, 0 hanging"},
                           {.name = "w", .fallback = "0", .help = "start rate"}});
  return entry;
}

}  // namespace driftless::problems

// parallelogram: two equal cranks that carry a coupler, with a redundant third bar (bar=redundant) or without it (bar=none): both move
// alike. Let go at rest at the crank angle phi (or with the rate w). Exact, the motion of a pendulum:
//   a'' = -w^2 sin a,   w^2 = gravity (m + mc)/(length (2 m/3 + mc))
// The coupler does not turn, so that each crank carries half of it: with the acceleration A of the coupler,
//   (lambda1, lambda2) = (lambda3, lambda4) = -mc (A + (0, gravity))/2
// and with the third bar, of all multipliers the smallest ones. Swings that pass a = +-pi/2 cross a singular point; methods that
// need independent constraints refuse the third bar.
#include <driftless/problems/parallelogram.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

#include "common/parameters.hpp"
#include "common/pendulum_motion.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<Parallelogram>>& parameters() {
  using P = Parallelogram;
  static const std::vector<Parameter<P>> table = {{"length", &P::length, "length of the cranks", 0},
                                                  {"span", &P::span, "length of the coupler", 0},
                                                  {"m", &P::m, "mass of a crank", 0},
                                                  {"mc", &P::mc, "mass of the coupler", 0},
                                                  {"gravity", &P::gravity, "gravity, along -y"}};
  return table;
}

void place(const Parallelogram& p, double a, double rate, State& state) {
  const double x = p.length * std::sin(a), y = -p.length * std::cos(a);
  state.q() << a, a, x + p.span / 2, y, 0;
  state.v() << rate, rate, -y * rate, x * rate, 0;
}

Reference exact_motion(const Parallelogram& p, double at, const State& start) {
  const double stiffness = p.gravity * (p.m + p.mc) / (p.length * (2 * p.m / 3 + p.mc));
  const PendulumMotion begin{start.q()(0), start.v()(0)};
  const auto exact = [=](double t) -> std::optional<State> {
    const auto [a, rate] = angle_motion(stiffness, begin, t);
    if (!std::isfinite(a)) return std::nullopt;
    State state = start;
    state.t = t;
    place(p, a, rate, state);
    const double s = std::sin(a), c = std::cos(a), rate2 = -stiffness * s;
    const double pin_x = -p.mc / 2 * p.length * (c * rate2 - s * rate * rate),
                 pin_y = -p.mc / 2 * (p.length * (s * rate2 + c * rate * rate) + p.gravity);
    state.lambda.head(4) << pin_x, pin_y, pin_x, pin_y;
    if (state.lambda.size() == 5) {  // less its part along what the redundant rows leave undetermined
      Vector free(5);
      free << (1 - at) * p.length * s, -(1 - at) * p.length * c, at * p.length * s, -at * p.length * c, -1;
      state.lambda(4) = 0;
      state.lambda -= free * (free.dot(state.lambda) / free.squaredNorm());
    }
    return state;
  };
  return {.at = exact, .source = "exact with parallel cranks, by Jacobi's elliptic functions"};
}

ProblemInstance make(const OptionValues& o) {
  const Parallelogram model = model_of(parameters(), o);
  const double at = o.number("at");
  ProblemInstance instance;
  if (o.word("bar") == "redundant") {
    instance.problem = make_problem(BracedParallelogram{model, at});
  } else {
    if (o.given("at"))
      throw InputError("at says where the third bar is, and bar=none leaves it out; give one of them");
    instance.problem = make_problem(model);
  }
  instance.start = make_state(*instance.problem, {});
  place(model, o.number("phi"), o.number("w"), instance.start);
  instance.t_end = 10;
  instance.reference = exact_motion(model, at, instance.start);
  return instance;
}

}  // namespace

ProblemEntry parallelogram() {
  ProblemEntry entry{
      .summary = "parallelogram linkage with a redundant third bar (5 coordinates, 5 constraints)",
      .parameters = specs_of(parameters()),
      .make = make};
  entry.parameters.insert(
      entry.parameters.end(),
      {{.name = "phi", .fallback = "1", .help = "start angle of the cranks, 0 hanging"},
       {.name = "w", .fallback = "0", .help = "start rate of the cranks"},
       {.name = "bar",
        .fallback = "redundant",
        .help = "redundant: a third bar; none: the same motion without it, 4 constraints",
        .choices = {"redundant", "none"}},
       {.name = "at", .fallback = "0.5", .help = "where the third bar is, as a part of the span"}});
  return entry;
}

}  // namespace driftless::problems

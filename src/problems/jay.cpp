// jay: Jay's test of index 2, multiplier linear, to t = 1. Exact: y1 = e^t, y2 = e^-2t, lambda = e^2t. Far
// beyond t = 1 absolute tolerances no longer see y2, and the multiplier is lost.
#include <driftless/problems/jay.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

State exact(State state, double t) {
  state.t = t;
  state.q() << std::exp(t), std::exp(-2 * t);
  state.lambda(0) = std::exp(2 * t);
  return state;
}

ProblemInstance make(const OptionValues&) {
  ProblemInstance instance;
  instance.problem = make_problem(Jay{});
  const State blank = make_state(*instance.problem, {});
  instance.start = make_state(*instance.problem, {{1, 1}});
  instance.t_end = 1;
  instance.reference = {.at = [blank](double t) { return std::optional(exact(blank, t)); },
                        .source = "exact, exponential functions"};
  return instance;
}

}  // namespace

ProblemEntry jay() {
  return {.summary = "Jay's test of index 2, order 1 with B given (2 coordinates, 1 constraint)",
          .parameters = {},
          .make = make};
}

}  // namespace driftless::problems

#include "ascher_petzold.hpp"

#include <cmath>

namespace driftless::problems {

ProblemInstance ascher_petzold(std::shared_ptr<const Problem> problem) {
  const State blank = make_state(*problem, {});
  const auto exact = [blank](double t) -> std::optional<State> {
    if (t >= 2) return std::nullopt;  // the multiplier has a pole there
    State state = blank;
    state.t = t;
    state.z.setConstant(std::exp(t));
    state.lambda(0) = std::exp(t) / (2 - t);
    return state;
  };
  return {.problem = std::move(problem),
          .start = *exact(0),
          .t_end = 1,
          .reference = {.at = exact, .source = "exact, exponential functions"}};
}

}  // namespace driftless::problems

#include "ascher_petzold.hpp"

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/ascher_petzold.hpp>

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

ProblemEntry ascher_petzold_2(const std::string& paper_and_number) {
  return {.summary =
              paper_and_number + ": linear, order 1, B given and far from G^T (2 coordinates, 1 constraint)",
          .parameters = {{.name = "nu",
                          .fallback = "1000",
                          .help = "size of B and stiffness of the motion; 1000 in the paper",
                          .above = 0}},
          .make = [](const OptionValues& o) {
            return ascher_petzold(make_problem(AscherPetzold2{.nu = o.number("nu")}));
          }};
}

}  // namespace driftless::problems

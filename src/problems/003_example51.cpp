// 003-example51: Petzold, Ren, Maly (1997), Example 5.1: x' = 2 - t lambda, 0 = t x - t (t + 1), from t0 = -1 to 1 through the
// singularity of G B = t^2 at t = 0. The paper states no interval. Exact: x = t + 1, lambda = 1/t, which is not known at t = 0.
// x is a straight line: methods whose step nothing limits jump over the singularity without seeing it (--hmax 0.01).
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/problems/petzold_ren_maly.hpp>

#include "common/reference.hpp"

namespace driftless::problems {

namespace {

ProblemInstance make(const OptionValues& o) {
  ProblemInstance instance;
  instance.problem = make_problem(PetzoldRenMaly51{});
  const State blank = make_state(*instance.problem, {});
  const auto exact = [blank](double t) -> std::optional<State> {
    State state = blank;
    state.t = t;
    state.z(0) = t + 1;
    state.lambda(0) = t == 0 ? unknown : 1 / t;
    return state;
  };
  const double offset = o.number("offset");
  instance.start = *exact(o.number("t0"));
  instance.start.z(0) += offset;
  instance.start.lambda.setZero();
  instance.start_as_given = offset != 0;
  instance.t_end = 1;
  instance.reference = {.at = exact, .source = "exact, a straight line"};
  return instance;
}

}  // namespace

ProblemEntry paper_003_example51() {
  return {
      .summary = "Petzold, Ren, Maly, Example 5.1: order 1, singular at t = 0 (1 coordinate, 1 constraint)",
      .parameters = {{.name = "t0", .fallback = "-1", .help = "start time; the run ends at 1", .below = 1},
                     {.name = "offset",
                      .fallback = "0",
                      .help = "added to x at the start, which is then off the constraint on purpose"}},
      .make = make};
}

}  // namespace driftless::problems

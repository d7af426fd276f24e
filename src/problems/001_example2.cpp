// 001-example2: Ascher, Chin, Reich (1992), Example 2, an equation whose solution is wanted on a curve:
//   z' = 3 t^2,   h(z, t) = z - t^3 = 0,   z(0) = z0
// h is an invariant that is to vanish, not to keep its start value: a run from z0 != 0 is pulled to t^3, and the
// reference is t^3 whatever z0. The midpoint rule drifts by -h^3/4 per step of size h; without a stabilizer that
// keeps h (invariants=h) this adds up, and so does z0.
#include <array>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

struct Example2 {
  static constexpr int order = 1, nq = 1, ni = 1;
  static constexpr bool vanishing_invariants = true;
  static constexpr std::array<const char*, 1> coordinate_names{"z"}, invariant_names{"h"};

  void force(auto t, auto, auto f) const { f[0] = 3.0 * t * t; }
  void invariants(auto t, auto z, auto out) const { out[0] = z[0] - t * t * t; }
};

}  // namespace

ProblemEntry paper_001_example2() {
  return {.summary = "Ascher, Chin, Reich, Example 2: z' = 3 t^2 with the invariant z = t^3 (1 coordinate)",
          .parameters = {{.name = "z0", .fallback = "0", .help = "start; 0 lies on the curve"}},
          .make = [](const OptionValues& o) {
            ProblemInstance instance;
            instance.problem = make_problem(Example2{});
            const State blank = make_state(*instance.problem, {});
            instance.start = make_state(*instance.problem, {{o.number("z0")}});
            instance.t_end = 4;
            instance.reference = {.at =
                                      [=](double t) {
                                        State state = blank;
                                        state.t = t;
                                        state.z << t * t * t;
                                        return std::optional(state);
                                      },
                                  .source = "exact: t^3"};
            return instance;
          }};
}

}  // namespace driftless::problems

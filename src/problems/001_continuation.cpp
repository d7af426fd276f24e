// 001-continuation: Ascher, Chin, Reich (1992), (3.8), the continuation of Example 2:
//   z' = 3 t^2,   y' = -(1 + nu (z - t^3)) y,   h(z, t) = z - t^3 = 0,   z(0) = z0,  y(0) = y0
// On the curve y = y0 e^-t. Where z settles at t^3 - d, as with `forward`, y decays only for nu d < 1: a small drift decides whether y
// grows. (The paper's d = h^3/4 belongs to coefficients at grid values; in the stages of a Runge-Kutta method z has an offset of its own,
// for explicit-midpoint -3/4 h^2 t, which is larger.) The reference is the motion on the curve.
#include <array>
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

struct Continuation {
  static constexpr int order = 1, nq = 2, ni = 1;
  static constexpr bool vanishing_invariants = true;
  static constexpr std::array<const char*, 2> coordinate_names{"z", "y"};
  static constexpr std::array<const char*, 1> invariant_names{"h"};
  double nu = 1000;

  void force(auto t, auto x, auto f) const {
    f[0] = 3.0 * t * t;
    f[1] = -(1.0 + nu * (x[0] - t * t * t)) * x[1];
  }
  void invariants(auto t, auto x, auto out) const { out[0] = x[0] - t * t * t; }
};

}  // namespace

ProblemEntry paper_001_continuation() {
  return {.summary = "Ascher, Chin, Reich, (3.8): drift of z = t^3 decides whether y decays (2 coordinates)",
          .parameters = {{.name = "nu", .fallback = "1000", .help = "how strongly drift acts on y"},
                         {.name = "z0", .fallback = "0", .help = "start of z; 0 lies on the curve"},
                         {.name = "y0", .fallback = "1", .help = "start of y"}},
          .make = [](const OptionValues& o) {
            ProblemInstance instance;
            instance.problem = make_problem(Continuation{o.number("nu")});
            const State blank = make_state(*instance.problem, {});
            const double y0 = o.number("y0");
            instance.start = make_state(*instance.problem, {{o.number("z0"), y0}});
            instance.t_end = 4;
            instance.reference = {.at =
                                      [=](double t) {
                                        State state = blank;
                                        state.t = t;
                                        state.z << t * t * t, y0 * std::exp(-t);
                                        return std::optional(state);
                                      },
                                  .source = "exact on the curve: t^3, y0 e^-t"};
            return instance;
          }};
}

}  // namespace driftless::problems

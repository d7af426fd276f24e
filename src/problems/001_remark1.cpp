// 001-remark1: Ascher, Chin, Reich (1992), section 2, Remark 1: an invariant that no gamma brings back,
// because f is not smooth where it vanishes,
//   z' = (z2, -z1) + (z1, z2) h^(1/3)/r^2,    h = r^2 - 1 = 0,    r^2 = z1^2 + z2^2,    z(0) = (1 + offset, 0)
// Every solution turns by -t, and h' = 2 h^(1/3) - gamma h under `invariant-stabilized:F=full,invariants=h`:
// h tends to (2/gamma)^(3/2) from every offset > 0, and with gamma = 0 it grows, h^(2/3) = h_0^(2/3) + 4 t/3.
// As in 001-example2 the reference is the motion wanted, on h = 0, whatever the offset.
//   On h = 0 itself f is continuous and its derivative infinite. Explicit methods run there, and roundoff
// takes them away from the circle; implicit ones, which need the derivative, end with `not_finite`.
#include <array>
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

struct Remark1 {
  static constexpr int order = 1, nq = 2, ni = 1;
  static constexpr bool vanishing_invariants = true;
  static constexpr std::array<const char*, 2> coordinate_names{"z1", "z2"};
  static constexpr std::array<const char*, 1> invariant_names{"h"};

  void force(auto, auto z, auto f) const {
    using std::cbrt;  // the real root, of negative h too
    const auto r2 = z[0] * z[0] + z[1] * z[1];
    const auto outward = cbrt(r2 - 1.0) / r2;
    f[0] = z[1] + z[0] * outward;
    f[1] = -z[0] + z[1] * outward;
  }
  void invariants(auto, auto z, auto out) const { out[0] = z[0] * z[0] + z[1] * z[1] - 1.0; }
};

}  // namespace

ProblemEntry paper_001_remark1() {
  return {.summary =
              "Ascher, Chin, Reich, Remark 1: a circle that a force of infinite slope leaves (2 coordinates)",
          .parameters = {{.name = "offset",
                          .fallback = "1e-6",
                          .help = "distance of the start from the circle, outward",
                          .above = -1}},
          .make = [](const OptionValues& o) {
            ProblemInstance instance;
            instance.problem = make_problem(Remark1{});
            const State blank = make_state(*instance.problem, {});
            instance.start = make_state(*instance.problem, {{1 + o.number("offset"), 0}});
            instance.t_end = 20;
            instance.reference = {.at =
                                      [=](double t) {
                                        State state = blank;
                                        state.t = t;
                                        state.z << std::cos(t), -std::sin(t);
                                        return std::optional(state);
                                      },
                                  .source = "exact motion on the circle"};
            return instance;
          }};
}

}  // namespace driftless::problems

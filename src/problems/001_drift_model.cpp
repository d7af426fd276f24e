// 001-drift-model: the linear model of drift in section 4 of Ascher, Chin, Reich (1992): a position s with
//   s'' = -lambda,   0 = g = s,   s(0) = s0, s'(0) = r0
// such that (s, r) = (g, g') of every run is what its formulation, integrator and stabilizer make of a drift:
// index1 keeps it, r = r0 and s = s0 + r0 t; Baumgarte's feedback under forward Euler, (4.6), with alpha =
// 2/h and beta = 1/h^2 takes it away in two steps; so does (4.5), invariant-stabilized with gamma = 1/h.
// The start is off the constraint on purpose and is not moved onto it; there is no reference, since what a
// drift does depends on the method alone.
#include <array>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

struct DriftModel {
  static constexpr int nq = 1, ng = 1;
  static constexpr std::array<const char*, 1> coordinate_names{"s"}, velocity_names{"r"};

  void force(auto, auto, auto, auto f) const { f[0] = 0.0; }
  void constraint(auto, auto q, auto g) const { g[0] = q[0]; }
};

}  // namespace

ProblemEntry paper_001_drift_model() {
  return {.summary =
              "Ascher, Chin, Reich, section 4: s'' = 0 with s = 0, started off the constraint (1 coordinate)",
          .parameters = {{.name = "s0", .fallback = "1e-3", .help = "start of s = g"},
                         {.name = "r0", .fallback = "0", .help = "start of r = g'"}},
          .make = [](const OptionValues& o) {
            ProblemInstance instance;
            instance.problem = make_problem(DriftModel{});
            instance.start = make_state(*instance.problem, {{o.number("s0")}, {o.number("r0")}});
            instance.t_end = 1;
            instance.start_as_given = true;
            return instance;
          }};
}

}  // namespace driftless::problems

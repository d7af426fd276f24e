// 000-example3: Ascher, Petzold (1993), Example 3: order 2 with a mass matrix M(t), in two forms: as printed,
// or multiplied by M^-1, which makes B = M^-1 G^T a given one. Exact: see the models; the solution ends at t
// = 2. eps = 1 is the paper's f in (4.13), eps = 0 its "f = 0", eps = 2 its case without stiffness; otherwise
// explicit methods need steps below about 3 (2 - t)/((2 - eps) nu). For eps above 2 neighbouring motions
// grow.
#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/ascher_petzold.hpp>

#include "common/ascher_petzold.hpp"

namespace driftless::problems {

namespace {

ProblemInstance make(const OptionValues& o) {
  const double nu = o.number("nu"), eps = o.number("eps");
  if (o.word("form") == "given")
    return ascher_petzold(make_problem(AscherPetzold3Given{.nu = nu, .eps = eps}));
  return ascher_petzold(make_problem(AscherPetzold3{.nu = nu, .eps = eps}));
}

}  // namespace

ProblemEntry paper_000_example3() {
  return {.summary =
              "Ascher, Petzold, Example 3: linear, order 2, mass matrix M(t) (2 coordinates, 1 constraint)",
          .parameters = {{.name = "nu",
                          .fallback = "100",
                          .help = "makes M nearly singular; 1, 100 and 1000 in the paper",
                          .above = 0},
                         {.name = "eps",
                          .fallback = "1",
                          .help = "damping: 1 (Tables 4.3, 4.4), 0 (4.5, 4.6) or 2 (4.7, 4.8) in the paper"},
                         {.name = "form",
                          .fallback = "mass",
                          .help = "mass: as printed; given: multiplied by M^-1, with B = M^-1 G^T",
                          .choices = {"mass", "given"}}},
          .make = make};
}

}  // namespace driftless::problems

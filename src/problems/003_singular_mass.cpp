// 003-singular-mass: a test of formula (4.11) of Petzold, Ren, Maly (1997) for singular mass matrices: M = diag(1, 0), two
// coordinates tied to each other, from (1, 1) at rest to t = 3. Exact: q1 = q2 = cos 2t, lambda = 3 cos 2t. The matrix of
// M a + G^T lambda = f, G a + c = 0 is regular, but methods that need M^-1 fail; with (4.11) massless coordinates never accelerate.
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/problems/petzold_ren_maly.hpp>

namespace driftless::problems {

namespace {

ProblemInstance make(const OptionValues&) {
  ProblemInstance instance;
  instance.problem = make_problem(SingularMass{});
  instance.start = make_state(*instance.problem, {{1, 1}});
  instance.t_end = 3;
  const auto exact = [blank = instance.start](double t) -> std::optional<State> {
    State state = blank;
    state.t = t;
    state.q().setConstant(std::cos(2 * t));
    state.v().setConstant(-2 * std::sin(2 * t));
    state.lambda(0) = 3 * std::cos(2 * t);
    return state;
  };
  instance.reference = {.at = exact, .source = "exact, cos 2t"};
  return instance;
}

}  // namespace

ProblemEntry paper_003_singular_mass() {
  return {.summary = "Petzold, Ren, Maly, (4.11): a coordinate without mass (2 coordinates, 1 constraint)",
          .parameters = {},
          .make = make};
}

}  // namespace driftless::problems

// 002-example21: Fuehrer, Leimkuhler (1991), Example 2.1, of order 1 with z = (x, y) and B = (0, 1)^T given:
//   x' = y - a x^2 + cos t,   y' = -lambda,   0 = g = y - a x^2
// Exact: x = x0 + sin t, y = a x^2, lambda = -2 a x cos t; t from 0 to 10 pi. The paper's three forms are
// formulations of it:
//   (10)    index2: g = 0 as it stands; y is algebraic, and lambda says nothing but y' = -lambda
//   (11)    index1: y' = 2 a x (y - a x^2 + cos t). Frozen, it has the eigenvalues +-sqrt(2 a cos t), which
//           the exact flow has not: y - a x^2 is constant there, and x is wrong by no more than that times t
//   x' = u  state-space:R=1;0, whose only coordinate is x
// x0 is not printed; x0 = 1 follows from the errors of y, which are 2 a x0 = 400 times those of x. index1
// without a stabilizer leaves the solution altogether at tolerances above 3e-5.
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

struct Example21 {
  static constexpr int order = 1, nq = 2, ng = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"x", "y"};
  double a = 200;

  void force(auto t, auto z, auto f) const {
    using std::cos;
    f[0] = z[1] - a * z[0] * z[0] + cos(t);
    f[1] = 0.0;
  }
  void input(auto, auto, auto B) const { B(1, 0) = 1.0; }
  void constraint(auto, auto z, auto g) const { g[0] = z[1] - a * z[0] * z[0]; }
};

State exact(State state, double t, double a, double x0) {
  const double x = x0 + std::sin(t);
  state.t = t;
  state.z << x, a * x * x;
  state.lambda(0) = -2 * a * x * std::cos(t);
  return state;
}

ProblemInstance make(const OptionValues& o) {
  const double a = o.number("a"), x0 = o.number("x0");
  ProblemInstance instance;
  instance.problem = make_problem(Example21{.a = a});
  const State blank = make_state(*instance.problem, {});
  instance.start = exact(blank, 0, a, x0);
  instance.t_end = 10 * std::numbers::pi;
  instance.reference = {.at = [=](double t) { return std::optional(exact(blank, t, a, x0)); },
                        .source = "exact, x = x0 + sin t"};
  return instance;
}

}  // namespace

ProblemEntry paper_002_example21() {
  return {.summary =
              "Fuehrer, Leimkuhler, Example 2.1: order 1, differentiating the constraint adds eigenvalues (2 "
              "coordinates, 1 constraint)",
          .parameters = {{.name = "a",
                          .fallback = "200",
                          .help = "curvature of the constraint; 200 in the paper"},
                         {.name = "x0", .fallback = "1", .help = "x at the start"}},
          .make = make};
}

}  // namespace driftless::problems

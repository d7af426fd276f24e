// impasse: a contact force that leans more and more, until it no longer carries,
//   x' = -sin x lambda,   y' = -1 - cos x lambda,   0 = g = y,   B = (sin x, cos x) given
// y is pushed down at the rate 1 and lambda holds it up, but along a direction that is x away from the constraint's normal; what leans
// pushes x on. G = (0, 1) keeps its rank and B its length, but G B = cos x vanishes: lambda = -1/cos x, x' = tan x,
//   sin x = sin x0 e^t,   until x = pi/2 at t* = -log sin x0
// where x' and lambda grow like (t* - t)^(-1/2) and the solution ends; an impasse, as in Painleve's paradox of the rod that slides with
// friction. The default end, 1.5 t*, lies beyond it: no method gets there.
#include <array>
#include <cmath>
#include <numbers>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

struct Impasse {
  static constexpr int order = 1, nq = 2, ng = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"x", "y"};
  static constexpr std::array<const char*, 2> velocity_names{"x'", "y'"};
  static constexpr std::array<const char*, 1> constraint_names{"y = 0"};

  void force(auto, auto, auto f) const { f[1] = -1.0; }
  void input(auto, auto x, auto B) const {
    using std::cos, std::sin;
    B(0, 0) = sin(x[0]);
    B(1, 0) = cos(x[0]);
  }
  void constraint(auto, auto x, auto g) const { g[0] = x[1]; }
};

ProblemInstance make(const OptionValues& o) {
  const double x0 = o.number("x0"), ends = -std::log(std::sin(x0));
  ProblemInstance instance;
  instance.problem = make_problem(Impasse{});
  instance.start = make_state(*instance.problem, {{x0, 0}});
  instance.t_end = 1.5 * ends;
  instance.reference = {.at = [=, blank = instance.start](double t) -> std::optional<State> {
                          if (!(t < ends)) return std::nullopt;
                          // 1 - sin^2 x without cancellation near the end
                          const double sine = std::exp(t - ends),
                                       cosine = std::sqrt(-std::expm1(2 * (t - ends)));
                          State state = blank;
                          state.t = t;
                          state.z << std::atan2(sine, cosine), 0;
                          state.lambda(0) = -1 / cosine;
                          return state;
                        },
                        .source = "exact until the impasse, sin x = sin x0 e^t"};
  return instance;
}

}  // namespace

ProblemEntry impasse() {
  return {.summary =
              "contact force that leans until it no longer carries, order 1, B given (2 coordinates, 1 "
              "constraint)",
          .parameters = {{.name = "x0",
                          .fallback = "0.5235987755982989",
                          .help = "how far the force leans at the start; the impasse is at t = -log sin x0",
                          .above = 0,
                          .below = std::numbers::pi / 2}},
          .make = make};
}

}  // namespace driftless::problems

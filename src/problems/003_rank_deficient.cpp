// 003-rank-deficient: a test of Theorem 3.1 of Petzold, Ren, Maly (1997): constraints of constant rank 1 in two rows,
//   x' = A x + q(t) - B lambda,   0 = k (c.x - s)      from x = (1, 0.4, 0) at t = 0 to 3
// input=direct has B = G^T = c k^T, as the direct regularization needs it; input=trust has B = c b^T. Both push along c, so that the
// motion is the same. Reference: x1 = s - c2 x2 - c3 x3 and lambda are eliminated, and
//   x2' = F2 - c2 p,   x3' = F3 - c3 p,   p = F1 - x1',   F = A x + q
// is integrated by extrapolation to roundoff. Of the multipliers, which the equations leave undetermined, those of smallest norm:
// p k/|k|^2, or p b/|b|^2. Methods that need independent constraints refuse it.
#include <array>
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/problems/petzold_ren_maly.hpp>

#include "common/extrapolation.hpp"

namespace driftless::problems {

namespace {

struct Push {
  Vector x, x_rate;
  double along_c = 0;  // B lambda = along_c c
};

// All that follows from x2 and x3.
Push eliminate(double t, const Vector& y) {
  const double c2 = 0.5 * std::sin(t), c3 = 0.3 * std::cos(t), c2_rate = 0.5 * std::cos(t),
               c3_rate = -0.3 * std::sin(t);
  Push push;
  push.x.resize(3);
  push.x << 1 + std::sin(t) - c2 * y(0) - c3 * y(1), y;
  std::array<double, 3> F{};
  RankDeficient{}.force(t, std::span<const double>(push.x.data(), 3), std::span<double>(F));
  // p = F1 - x1' = F1 - s' + c2' x2 + c3' x3 + c2 (F2 - c2 p) + c3 (F3 - c3 p)
  push.along_c = (F[0] - std::cos(t) + c2_rate * y(0) + c3_rate * y(1) + c2 * F[1] + c3 * F[2]) /
                 (1 + c2 * c2 + c3 * c3);
  push.x_rate.resize(3);
  push.x_rate << F[0] - push.along_c, F[1] - c2 * push.along_c, F[2] - c3 * push.along_c;
  return push;
}

Reference reference(const State& start, double rho, bool direct) {
  const auto at = [=](double t) -> std::optional<State> {
    const Vector y = extrapolated(
        [](double time, const Vector& now) -> Vector { return eliminate(time, now).x_rate.tail(2); }, 0,
        start.z.tail(2), t, 0.1);
    const Push push = eliminate(t, y);
    State state = start;
    state.t = t;
    state.z = push.x;
    if (direct)
      state.lambda << std::cos(rho * t), std::sin(rho * t) + 0.5;
    else
      state.lambda << 1, -0.7;
    state.lambda *= push.along_c / state.lambda.squaredNorm();
    return state;
  };
  return {.at = at, .source = "two coordinates without constraints, by extrapolation; smallest multipliers"};
}

ProblemInstance make(const OptionValues& o) {
  const double rho = o.number("rho");
  const bool direct = o.word("input") == "direct";
  ProblemInstance instance;
  if (direct)
    instance.problem = make_problem(RankDeficient{.rho = rho});
  else
    instance.problem = make_problem(RankDeficientGiven{{.rho = rho}});
  instance.start = make_state(*instance.problem, {{1, 0.4, 0}});
  instance.t_end = 3;
  instance.reference = reference(instance.start, rho, direct);
  return instance;
}

}  // namespace

ProblemEntry paper_003_rank_deficient() {
  return {
      .summary =
          "Petzold, Ren, Maly, Theorem 3.1: one condition in two rows, order 1 (3 coordinates, 2 "
          "constraints)",
      .parameters = {{.name = "rho",
                      .fallback = "0",
                      .help =
                          "rate at which the weights of the two rows turn; 0: the null space is constant"},
                     {.name = "input",
                      .fallback = "direct",
                      .help = "direct: B = G^T; trust: B = c b^T is given",
                      .choices = {"direct", "trust"}}},
      .make = make};
}

}  // namespace driftless::problems

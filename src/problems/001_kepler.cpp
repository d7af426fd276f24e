// 001-kepler: Ascher, Chin, Reich (1992), Example 3. Start p = (c, 0), v = (0, sqrt(K (2/c - 1))), so that the
// energy is -K/2, the long half axis 1 and the period 2 pi/sqrt(K) for all 0 < c < 2; to two periods, 4 pi for
// K = 1, the later of the two times of Table 3.1. Exact by Kepler's equation, with e = 1 - c (negative: the
// start is the far end of the orbit):
//   sqrt(K) t = E - e sin E,   p = (cos E - e, sqrt(1 - e^2) sin E),   v = sqrt(K) p_E/(1 - e cos E)
// The stabilized numbers of Table 3.1 are those of a correction of the velocities alone, D = (0, v)^T: order=2 with
// post:F=velocity,invariants=energy. (The text of the paper states E, which is F=full.)
// Orbits near c = 0 or 2 pass the centre so closely that fixed steps fail there. On the circle, c = 1, energy
// and angular momentum depend on each other and cannot both be kept.
#include <driftless/problems/kepler.hpp>

#include <cmath>
#include <numbers>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

// Solves E - e sin E = M for |e| < 1 by Newton's method; bisects where that would leave the bracket.
double eccentric_anomaly(double e, double M) {
  double low = M - std::abs(e), high = M + std::abs(e), E = M;
  for (int i = 0; i < 100; ++i) {
    const double excess = E - e * std::sin(E) - M;
    (excess > 0 ? high : low) = E;
    double next = E - excess / (1 - e * std::cos(E));
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    if (std::abs(next - E) <= 1e-16 * std::abs(E)) return next;
    E = next;
  }
  return E;
}

State exact(double c, double K, State state, double t) {
  const double e = 1 - c, b = std::sqrt(c * (2 - c));
  const double E = eccentric_anomaly(e, std::remainder(std::sqrt(K) * t, 2 * std::numbers::pi));
  const double half = std::sin(E / 2);
  const double rate = std::sqrt(K) / (c + 2 * e * half * half);  // 1/(1 - e cos E) without cancellation
  state.t = t;
  state.z << c - 2 * half * half, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate;
  return state;
}

ProblemInstance make(const OptionValues& o) {
  const double c = o.number("c"), K = o.number("K");
  ProblemInstance instance;
  if (o.integer("order") == 1)
    instance.problem = make_problem(Kepler{K});
  else
    instance.problem = make_problem(KeplerOfOrder2{K});
  const State blank = make_state(*instance.problem, {});
  instance.start = blank;
  instance.start.z << c, 0, 0, std::sqrt(K * (2 / c - 1));
  instance.t_end = 4 * std::numbers::pi / std::sqrt(K);
  instance.reference = {.at = [=](double t) { return std::optional(exact(c, K, blank, t)); },
                        .source = "exact, by Kepler's equation"};
  return instance;
}

}  // namespace

ProblemEntry paper_001_kepler() {
  return {
      .summary = "Kepler's problem of Ascher, Chin, Reich as a system of order 1 or 2 (2 invariants)",
      .parameters = {{.name = "c",
                      .fallback = "0.5",
                      .help = "distance at the start; the eccentricity is |1 - c|",
                      .above = 0,
                      .below = 2},
                     {.name = "K", .fallback = "1", .help = "strength of the attraction", .above = 0},
                     {.name = "order",
                      .fallback = "1",
                      .help = "1: x = (p, v) as in the paper; 2: q = p, so that F=position and F=velocity "
                              "have a meaning",
                      .at_least = 1,
                      .at_most = 2,
                      .integer = true}},
      .make = make};
}

}  // namespace driftless::problems

// n-four-bar: IFToMM / LIM A02, N four-bar linkages side by side (N = 2 is the double four-bar, the 2005 specification has 40): 2N + 1 uniform
// bars of 1 kg and 1 m, I = 1/12. Cranks k = 0..N are pinned to the ground at A_k = (k, 0); coupler k = 1..N joins the tips of cranks k - 1
// and k. q = (x, y, angle) of every bar, x and y of its centre, first the cranks 0..N, then the couplers 1..N; angles counter-clockwise, 0 for
// upright cranks and couplers along +x. Rows: pins of the cranks, then of each coupler on its left and on its right, x and y.
//
// 6N + 2 rows on 6N + 3 coordinates: one degree of freedom, the motion with all cranks parallel. From the upright position, where B_0, the tip
// of the first crank, moves at `speed` along +x, all cranks turn at -speed; 10 s. Exact, at the angle a, for gravity g:
//   a'' = w^2 sin a,   w^2 = g ((N + 1)/2 + N)/((N + 1)/3 + N),   B_0 = (-sin a, cos a)
// by elliptic functions. Twice in every turn the cranks lie flat, all bars are in line and G loses the rank N: each loop may fold over. The
// motion goes on smoothly, but for N > 1 the multipliers do not: outer cranks carry half a coupler, inner ones a whole one, and the couplers,
// which even that out, push along x with an arm cos a, so that the multipliers grow like 1/cos a. Methods that stop at singular matrices end
// there, others may leave the branch (check: all cranks parallel).
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/mechanics/mechanism.hpp>

#include "common/pendulum_motion.hpp"

namespace driftless::problems {

namespace {

using namespace mechanics;

constexpr double inertia = 1.0 / 12;

struct Row {
  int N;
  double gravity;
};

std::shared_ptr<const Problem> problem_of(const Row& row) {
  Mechanism m;
  std::vector<BodyId> cranks, couplers;
  const auto bar = [&](const std::string& name, const Vec3& at) {
    return m.body(PlanarBody{.name = name, .mass = 1, .inertia = inertia, .at = at});
  };
  for (int k = 0; k <= row.N; ++k) cranks.push_back(bar(fmt::format("crank {}", k), {k + 0.0, 0.5}));
  for (int k = 1; k <= row.N; ++k) couplers.push_back(bar(fmt::format("coupler {}", k), {k - 0.5, 1}));
  for (int k = 0; k <= row.N; ++k)
    m.joint("revolute", fmt::format("crank {} to ground", k), m.ground(), cranks[static_cast<std::size_t>(k)],
            {.at = {k + 0.0, 0}});
  for (int k = 1; k <= row.N; ++k)
    for (const int crank : {k - 1, k})
      m.joint("revolute", fmt::format("coupler {} to crank {}", k, crank),
              cranks[static_cast<std::size_t>(crank)], couplers[static_cast<std::size_t>(k) - 1],
              {.at = {crank + 0.0, 1}});
  m.gravity({0, -row.gravity, 0});
  return m.problem();
}

// a'' = stiffness sin a.
double stiffness(const Row& row) {
  const double N = row.N;
  return row.gravity * ((N + 1) / 2 + N) / ((N + 1) / 3 + N);
}

void place(const Row& row, double a, double rate, State& state) {
  const double ux = -std::sin(a), uy = std::cos(a);
  for (int k = 0; k <= row.N; ++k) {
    state.q().segment(3 * k, 3) << k + ux / 2, uy / 2, a;
    state.v().segment(3 * k, 3) << -uy / 2 * rate, ux / 2 * rate, rate;
  }
  for (int k = 1; k <= row.N; ++k) {
    state.q().segment(3 * (row.N + k), 3) << k - 0.5 + ux, uy, 0;
    state.v().segment(3 * (row.N + k), 3) << -uy * rate, ux * rate, 0;
  }
}

// From the equations of the single bars: couplers do not turn, so that both pins carry half their load in y; what the tip of a crank
// needs along x follows from the crank's turning, from the first crank to the last.
void load(const Row& row, double a, double rate, Vector& lambda) {
  const int N = row.N;
  const double s = std::sin(a), c = std::cos(a), turn = stiffness(row) * s, g = row.gravity;
  const double tip_x = -c * turn + s * rate * rate, tip_y = -s * turn - c * rate * rate;  // accelerations
  // Turning of a crank about its ground pin: -c Sx - s Sy = inertia a'' + (-c, -s).(tip/2 + (0, g))/2, S the multipliers at its tip.
  const double needed = inertia * turn - (c * tip_x / 2 + s * (tip_y / 2 + g)) / 2;
  const double half_load = -(tip_y + g) / 2;
  double from_left = 0;  // multiplier in x that the coupler on the left brings to a tip
  for (int k = 0; k <= N; ++k) {
    const double Sy = half_load * ((k > 0) + (k < N)), Sx = -(needed + s * Sy) / c;
    lambda.segment(2 * k, 2) << Sx - tip_x / 2, Sy - tip_y / 2 - g;
    if (k == N) break;
    const int left = 2 * (N + 1) + 4 * k;  // row of coupler k + 1
    const double to_right = Sx - from_left;
    from_left = -tip_x - to_right;
    lambda.segment(left, 4) << to_right, half_load, from_left, half_load;
  }
}

Reference exact_motion(const Row& row, const State& start, double speed) {
  const auto at = [=](double t) -> std::optional<State> {
    const auto [a, rate] = angle_motion(-stiffness(row), {0, -speed}, t);
    if (!std::isfinite(a)) return std::nullopt;
    State state = start;
    state.t = t;
    place(row, a, rate, state);
    load(row, a, rate, state.lambda);
    return state;
  };
  return {.at = at, .source = "exact with parallel cranks, by Jacobi's elliptic functions"};
}

ProblemInstance make(const OptionValues& o) {
  const Row row{o.integer("N"), o.number("gravity")};
  const double speed = o.number("speed");
  ProblemInstance instance;
  instance.problem = problem_of(row);
  instance.start = make_state(*instance.problem, {});
  place(row, 0, -speed, instance.start);
  instance.t_end = 10;
  instance.reference = exact_motion(row, instance.start, speed);
  return instance;
}

}  // namespace

ProblemEntry n_four_bar() {
  return {.summary =
              "N four-bar linkages in a row, singular where all bars are in line (6N + 3 coordinates, 6N + 2 "
              "constraints)",
          .parameters = {{.name = "N",
                          .fallback = "2",
                          .help = "number of couplers; 2 and 40 are in the benchmark library",
                          .at_least = 1,
                          .at_most = 20000,
                          .integer = true},
                         {.name = "gravity", .fallback = "9.81", .help = "gravity, along -y"},
                         {.name = "speed",
                          .fallback = "1",
                          .help = "of the cranks' tips at the start, along +x"}},
          .make = make};
}

}  // namespace driftless::problems

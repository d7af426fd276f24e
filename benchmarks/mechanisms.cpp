// What a right-hand side costs (all accelerations and multipliers at a state) when a mechanism is built from bodies and joints: Andrews'
// mechanism against the hand-written problem with seven angles, and rows of four-bars per body and joint. `evaluation` is what the
// mechanics room computes; the rest is the saddle-point system.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

#include "common/andrews_from_bodies.hpp"

using namespace driftless;
using namespace driftless::mechanics;

namespace {

double nanoseconds(const std::function<void()>& call, int calls) {
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / calls);
  }
  return best;
}

double right_hand_side(const Problem& problem, const State& state) {
  const Shape& s = problem.shape();
  Workspace work;
  Vector r = Vector::Zero(s.multipliers()), a(s.nv), multipliers(s.multipliers());
  return nanoseconds([&] { problem.acceleration(0, state.z, r, a, multipliers, work); }, 200000 / s.nv);
}

double evaluation(const Problem& problem, const State& state) {
  Evaluation e;
  const Parts parts = acceleration_parts(problem.shape());
  return nanoseconds([&] { problem.evaluate(parts, Point(0, state.z), e); }, 200000 / problem.shape().nv);
}

Mechanism row_of_four_bars(int N) {
  Mechanism m;
  const auto bar = [&](const std::string& name, const Vec3& at) {
    return m.body(PlanarBody{.name = name, .mass = 1, .inertia = 1 / 12.0, .at = at, .angle = 0.1});
  };
  BodyId left = bar("crank 0", {0, 0.5, 0});
  m.joint("revolute", "ground 0", m.ground(), left, {});
  for (int k = 1; k <= N; ++k) {
    const std::string name = std::to_string(k);
    const BodyId crank = bar("crank " + name, {double(k), 0.5, 0}),
                 coupler = bar("coupler " + name, {k - 0.5, 1, 0});
    m.joint("revolute", "ground " + name, m.ground(), crank, {.at = {double(k), 0, 0}});
    m.joint("revolute", "left " + name, left, coupler, {.at = {k - 1.0, 1, 0}});
    m.joint("revolute", "right " + name, crank, coupler, {.at = {double(k), 1, 0}});
    left = crank;
  }
  m.gravity({0, -9.81, 0});
  return m;
}

}  // namespace

int main() {
  const auto hand = catalog::make_problem("andrews");
  const Mechanism bodies = benchmarks::andrews_from_bodies();
  const auto problem = bodies.problem();
  const double by_hand = right_hand_side(*hand.problem, hand.start),
               built = right_hand_side(*problem, bodies.start());
  fmt::print("Andrews, one right-hand side    ns   ratio\n");
  fmt::print("  hand-written, 7 x 6       {:6.0f}    1.0\n", by_hand);
  fmt::print("  from bodies, 21 x 20      {:6.0f}   {:4.1f}   of it evaluation {:.0f}\n\n", built,
             built / by_hand, evaluation(*problem, bodies.start()));
  fmt::print(
      "Rows of four-bars from bodies    bodies  joints  evaluation: ns  per body and joint  right-hand side: "
      "ns\n");
  for (const int N : {1, 3, 10, 30}) {
    const Mechanism row = row_of_four_bars(N);
    const auto p = row.problem();
    const int parts = 2 * N + 1 + 3 * N + 1;
    const double cost = evaluation(*p, row.start());
    fmt::print("  N = {:<27} {:6}  {:6}  {:14.0f}  {:18.0f}  {:19.0f}\n", N, 2 * N + 1, 3 * N + 1, cost,
               cost / parts, right_hand_side(*p, row.start()));
  }
}

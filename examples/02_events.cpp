// A pendulum that hits a wall: an event with an action. Prints when it hits, and that the energy that the wall takes is accounted for.
//
//   hit at t = 0.713008382, speed before 4.122065, |g| = 0e+00
//   ..
//   the wall took 6.268610; balance -6e-08
#include <cstdio>
#include <driftless/driftless.hpp>

struct Pendulum {  // a point mass on a rod of length 1
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2; }
  auto energy(auto, auto q, auto v) const { return (v[0] * v[0] + v[1] * v[1]) / 2 + 9.81 * q[1]; }
};

int main() {
  using namespace driftless;
  const auto pendulum = make_problem(Pendulum{});
  const auto start = make_state(*pendulum, {{-1, 0}, {0, 0}});
  const Event wall{.name = "wall",
                   .value = [](const State& s) { return s.q()[0] - 0.5; },
                   .direction = Direction::rising,
                   .action = [](State& s) { s.v() *= -0.8; }};  // back with 80 % of the speed
  Options options{.t_end = 5, .rtol = 1e-9, .atol = 1e-9};
  options.events.push_back(wall);
  const Solution run = solve(*pendulum, start, {}, options);
  for (const EventRecord& hit : run.events)
    std::printf("hit at t = %.9f, speed before %.6f, |g| = %.0e\n", hit.t, hit.state.v().norm(),
                std::abs(hit.state.q().squaredNorm() - 1) / 2);
  std::printf("the wall took %.6f; balance %.0e\n", -run.energy->work, run.energy->balance);
}

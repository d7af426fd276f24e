#include <cstdio>
#include <driftless/driftless.hpp>

struct Pendulum {  // a point mass on a rod of length 1, in Cartesian coordinates
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2; }
  auto energy(auto, auto q, auto v) const { return (v[0] * v[0] + v[1] * v[1]) / 2 + 9.81 * q[1]; }
};

int main() {
  const auto pendulum = driftless::make_problem(Pendulum{});
  const auto start = driftless::make_state(*pendulum, {{-1, 0}, {0, 0}});
  for (const char* stabilizer : {"none", "post"}) {
    const auto run = driftless::solve(*pendulum, start, {.stabilizer = stabilizer}, {.t_end = 10});
    std::printf("%-5s x = %.5f  y = %.5f  |g| <= %.1e  energy %+.1e  %ld steps\n", stabilizer,
                run.final.q()[0], run.final.q()[1], run.drift->position, run.energy->balance, run.work.steps);
  }
}

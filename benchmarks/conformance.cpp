// Every combination of methods on one mechanism of many bodies (400; another number may be given), against one reference by whole matrices:
// index1 with dop853 at a tolerance of 1e-10. Printed: steps, seconds, how far bodies are off by the mechanism's size, or why there is nothing.
//
//   ./dev bench conformance [BODIES]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include <driftless/driftless.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

#include "conformance/combinations.hpp"
#include "conformance/mechanisms.hpp"

using namespace driftless;
using namespace driftless::benchmarks::conformance;
using mechanics::Matrices;

namespace {

constexpr double t_end = 0.01, rtol = 1e-6, step = 5e-4, most_seconds = 60;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Totals {
  int ran = 0, ended = 0;
  double worst = 0;
  std::string worst_name;
};

void compare(const std::string& title, const Subject& subject, bool quick_reference, Totals& totals) {
  const mechanics::MechanismModel model = subject.mechanism.finished();
  const auto problem = mechanics::make_problem(model, Matrices::sparse);
  const Shape& s = problem->shape();
  const auto begin = std::chrono::steady_clock::now();
  const auto whole = mechanics::make_problem(model, quick_reference ? Matrices::sparse : Matrices::whole);
  const Solution reference =
      solve(*whole, subject.start, {.integrator = "dop853"}, {.t_end = t_end, .rtol = 1e-10});
  if (!reference.complete()) throw InputError("the reference ends early: " + reference.end_message);
  const double size = problem->scales(0, subject.start.q()).length;
  fmt::print("\n{}: {} velocities, {} constraint rows; to t = {} s; reference by {} matrices in {:.1f} s\n\n",
             title, s.nv, s.multipliers(), t_end, quick_reference ? "sparse" : "whole", seconds_since(begin));
  fmt::print("{:<66}{:>7}{:>9}{:>11}\n", "method", "steps", "seconds", "off");
  for (const Combination& one : combinations(*problem, t_end, rtol, step)) {
    const auto started = std::chrono::steady_clock::now();
    fmt::print("{:<66}", name_of(one));
    std::fflush(stdout);
    try {
      const Solution run = solve(*problem, subject.start, one.method, one.options, {},
                                 [&] { return seconds_since(started) > most_seconds; });
      const double off = (run.final.q() - reference.final.q()).lpNorm<Eigen::Infinity>() / size;
      fmt::print("{:>7}{:>9.2f}", run.work.steps, seconds_since(started));
      if (!run.complete()) {
        ++totals.ended;
        fmt::print("  {}\n", run.end_message);
        continue;
      }
      fmt::print("{:>11.1e}\n", off);
      ++totals.ran;
      if (off > totals.worst) totals.worst = off, totals.worst_name = name_of(one);
    } catch (const InputError& error) {
      ++totals.ended;
      fmt::print("  refused: {}\n", error.what());
    }
  }
}

}  // namespace

int main(int arguments, char** argument) {
  const int bodies = arguments > 1 ? std::atoi(argument[1]) : 400;
  if (bodies < 3) {
    fmt::print(stderr, "conformance: the number of bodies is '{}' (at least 3)\n", argument[1]);
    return 2;
  }
  try {
    Totals totals;
    compare(fmt::format("planar linkages with sleighs, {} bodies", bodies),
            planar_row(bodies, Sleighs::one_each), false, totals);
    compare(fmt::format("spatial linkages with redundant rows, {} bodies", bodies),
            spatial_row(bodies, Axes::redundant), true, totals);
    fmt::print("\n{} runs reached the end, farthest off {:.1e} ({}); {} did not\n", totals.ran, totals.worst,
               totals.worst_name, totals.ended);
  } catch (const InputError& error) {
    fmt::print(stderr, "conformance: {}\n", error.what());
    return 1;
  }
}

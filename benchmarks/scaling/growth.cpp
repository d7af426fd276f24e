#include "growth.hpp"

#include <cmath>

#include <fmt/format.h>

#include "progress.hpp"

namespace driftless::benchmarks::scaling {

namespace {

// Long enough for some dozen steps at least, short enough for the limit. n-four-bar, which moves alike for all N, runs equally long.
double run_length(Mechanism mechanism, int N) {
  if (mechanism == Mechanism::n_four_bar) return 5;
  return N <= 100 ? 1 : N <= 1000 ? 0.1 : 0.02;
}

double per_step(const GrowthPoint& point) {
  return point.run.outcome.steps > 0 ? point.run.outcome.seconds_per_step() : NAN;
}
double per_simulated_second(const GrowthPoint& point) {
  return point.run.outcome.t > 0 ? point.run.outcome.seconds / point.run.outcome.t : NAN;
}

GrowthPoint measured_point(const Program& program, Mechanism mechanism, int N, const Effort& effort) {
  GrowthPoint point{.N = N, .t_end = run_length(mechanism, N), .run = {}, .remarks = {}};
  point.run = measured(program, mechanism, N, growth_tolerance, point.t_end, effort);
  if (!point.run.outcome.completed) point.remarks.push_back(point.run.outcome.failure);
  if (program.seconds_per_rhs) {
    std::string why;
    point.rhs_seconds = measured_rhs(program, mechanism, N, effort.seconds_limit, why);
    if (!why.empty() && why != point.run.outcome.failure)
      point.remarks.push_back("one right-hand side: " + why);
  } else if (point.run.outcome.rhs > 0) {
    point.rhs_seconds = point.run.outcome.seconds_per_rhs();
  }
  return point;
}

GrowthLine measured_line(const Program& program, Mechanism mechanism, int largest, const Effort& effort) {
  GrowthLine line{mechanism, program.name, {}};
  bool too_slow = false;
  for (int N = 10; N <= largest; N *= 10) {
    show_progress(fmt::format("growth: {}, N = {}, {}", name(mechanism), N, program.name));
    if (too_slow) {
      GrowthPoint point{.N = N, .t_end = run_length(mechanism, N), .run = {}, .remarks = {}};
      point.remarks.push_back(fmt::format("not tried, as N = {} was too much already", N / 10));
      line.points.push_back(std::move(point));
      continue;
    }
    line.points.push_back(measured_point(program, mechanism, N, effort));
    // Ten times the size takes at least ten times as long for a step.
    const GrowthPoint& last = line.points.back();
    too_slow =
        last.run.outcome.steps == 0 || (last.run.timed_out && per_step(last) > effort.seconds_limit / 100);
  }
  return line;
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = {
      {"one right-hand side", "us", [](const GrowthPoint& p) { return 1e6 * p.rhs_seconds; }},
      {"one step", "ms", [](const GrowthPoint& p) { return 1e3 * per_step(p); }},
      {"one simulated second", "s", per_simulated_second, true},
      {"memory", "MB", [](const GrowthPoint& p) { return p.run.outcome.completed ? p.run.megabytes : NAN; }}};
  return all;
}

double slope(const GrowthLine& line, const Quantity& quantity) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const GrowthPoint& point : line.points) {
    const double value = quantity.value(point);
    if (point.N < 100 || !(value > 0)) continue;
    const double a = std::log(point.N), b = std::log(value);
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return n < 2 ? NAN : (n * xy - x * y) / (n * xx - x * x);
}

std::vector<GrowthLine> measure_growth(int largest, const Effort& effort) {
  std::vector<GrowthLine> lines;
  for (const Mechanism mechanism : {Mechanism::n_four_bar, Mechanism::chain_loop})
    for (const Program& program : programs())
      lines.push_back(measured_line(program, mechanism, largest, effort));
  return lines;
}

}  // namespace driftless::benchmarks::scaling

#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include <driftless/io/svg_plot.hpp>

#include "report.hpp"

namespace driftless::benchmarks::scaling {

namespace {

// The legend of a diagram is narrow.
std::string short_name(const std::string& program) {
  const std::string own = "Driftless, ";
  return program.starts_with(own) ? program.substr(own.size()) : program;
}

void write(const std::filesystem::path& file, const io::Figure& figure) {
  std::ofstream out(file);
  io::write_svg(out, figure);
}

io::Figure growth_figure(const std::vector<GrowthLine>& growth, Mechanism mechanism) {
  io::Figure figure{
      .title = fmt::format("Seconds per step of {}", name(mechanism)),
      .subtitle = fmt::format("tolerance {:.0e}; steps of different programs are of different lengths",
                              growth_tolerance),
      .x_label = "N",
      .y_label = "seconds per step",
      .logarithmic = true,
      .series = {},
      .logarithmic_x = true};
  double lowest = HUGE_VAL, first = NAN, last = NAN;
  for (const GrowthLine& line : growth) {
    if (line.mechanism != mechanism) continue;
    io::Series curve{.name = short_name(line.program), .x = {}, .y = {}};
    for (const GrowthPoint& point : line.points) {
      if (point.run.outcome.steps == 0) continue;
      curve.x.push_back(point.N);
      curve.y.push_back(point.run.outcome.seconds_per_step());
      if (point.N == line.points.front().N) lowest = std::min(lowest, curve.y.back());
    }
    first = line.points.front().N, last = line.points.back().N;
    figure.series.push_back(std::move(curve));
  }
  figure.series.push_back({.name = "proportional to N",
                           .x = {first, last},
                           .y = {lowest / 2, lowest / 2 * last / first},
                           .dashed = true});
  return figure;
}

io::Figure work_figure(const Comparison& comparison) {
  io::Figure figure{
      .title = fmt::format("Time over error, {} with N = {}", name(comparison.mechanism), comparison.N),
      .subtitle = "tolerances 1e-3 to 1e-10; runs that were completed",
      .x_label = "error of B_0 after 10 s",
      .y_label = "seconds",
      .logarithmic = true,
      .series = {},
      .logarithmic_x = true};
  for (const Scan& scan : comparison.scans) {
    io::Series curve{.name = short_name(scan.program), .x = {}, .y = {}};
    for (const Outcome& run : scan.runs) {
      if (!run.completed || !(run.error > 0)) continue;
      curve.x.push_back(run.error);
      curve.y.push_back(run.seconds);
    }
    figure.series.push_back(std::move(curve));
  }
  return figure;
}

}  // namespace

void write_diagrams(const std::filesystem::path& folder, const Report& report) {
  if (!report.growth.empty())
    for (const Mechanism mechanism : {Mechanism::n_four_bar, Mechanism::chain_loop})
      write(folder / fmt::format("scaling-{}.svg", name(mechanism)), growth_figure(report.growth, mechanism));
  for (const Comparison& comparison : report.others.comparisons)
    if (comparison.mechanism == Mechanism::n_four_bar && comparison.N == 100)
      write(folder / "scaling-work.svg", work_figure(comparison));
}

}  // namespace driftless::benchmarks::scaling

#include <driftless/io/run_plots.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include <fmt/format.h>

#include <driftless/io/csv.hpp>
#include <driftless/observers/drift_monitor.hpp>

#include "common/plot_list.hpp"

namespace driftless::io {

namespace {

void append(Series& series, double x, double y) {
  series.x.push_back(x);
  series.y.push_back(y);
}

// A curve for each order, with gaps where others ruled. A step is drawn as a line from its beginning to its end.
void append_step(std::vector<Series>& curves, const AcceptedStep& step) {
  const std::string name = fmt::format("order {}", step.order);
  if (std::none_of(curves.begin(), curves.end(), [&](const Series& s) { return s.name == name; })) {
    curves.push_back({.name = name, .x = {}, .y = {}});
    std::sort(curves.begin(), curves.end(), [](const Series& a, const Series& b) { return a.name < b.name; });
  }
  const double h = step.to.t - step.from.t;
  for (Series& curve : curves) {
    if (curve.name == name) {
      append(curve, step.from.t, h);
      append(curve, step.to.t, h);
    } else if (!curve.y.empty() && !std::isnan(curve.y.back())) {
      append(curve, step.from.t, std::numeric_limits<double>::quiet_NaN());
    }
  }
}

// In the order of column_names.
void fill_row(const State& state, std::vector<double>& row) {
  row.assign(1, state.t);
  const auto add = [&](const Vector& values) { row.insert(row.end(), values.begin(), values.end()); };
  add(state.z);
  add(state.lambda);
  add(state.kappa);
  for (const Extra& extra : state.extras) add(extra.value);
}

}  // namespace

void RunPlots::start(const RunInfo& run) {
  plots_ = parse_plot_list(list_, run.problem,
                           columns_.row ? columns_.names : column_names(run.problem, run.start));
  if (wants(RunPlot::Kind::drift)) manifold_ = std::make_unique<Manifold>(run.problem);
  if (!wants(RunPlot::Kind::energy)) return;
  energy_.start(run);
  if (energy_.has_work()) return;
  for (RunPlot& plot : plots_)
    if (plot.kind == RunPlot::Kind::energy) plot.figure.y_label = "E − E(start)";
}

void RunPlots::step(const AcceptedStep& step) {
  if (wants(RunPlot::Kind::energy)) energy_.step(step);
  for (RunPlot& plot : plots_)
    if (plot.kind == RunPlot::Kind::steps) append_step(plot.figure.series, step);
}

void RunPlots::output(const State& state) {
  if (columns_.row)
    row_ = columns_.row(state);
  else
    fill_row(state, row_);
  const auto value = [&](std::size_t column) {
    return column < row_.size() ? row_[column] : std::numeric_limits<double>::quiet_NaN();
  };
  for (RunPlot& plot : plots_) {
    std::vector<Series>& series = plot.figure.series;
    if (plot.kind == RunPlot::Kind::drift) {
      const observers::DriftSample drift = observers::drift_at(*manifold_, state);
      const bool position = manifold_->shape().ng > 0;
      if (position) append(series.front(), state.t, drift.position);
      if (series.size() > (position ? 1u : 0u)) append(series.back(), state.t, drift.velocity);
    } else if (plot.kind == RunPlot::Kind::steps) {
      continue;  // all of them, whatever the output
    } else if (plot.kind == RunPlot::Kind::energy) {
      append(series.front(), state.t, energy_.at(state).balance);
    } else {
      for (std::size_t i = 0; i < plot.of.size(); ++i) append(series[i], value(plot.over), value(plot.of[i]));
    }
  }
}

bool RunPlots::wants(RunPlot::Kind kind) const {
  return std::any_of(plots_.begin(), plots_.end(), [&](const RunPlot& plot) { return plot.kind == kind; });
}

std::vector<std::string> RunPlots::files() const {
  std::vector<std::string> names;
  for (const RunPlot& plot : plots_) names.push_back(plot.file);
  return names;
}

void RunPlots::write(const ResultFolder& folder, const std::string& subtitle) const {
  for (const RunPlot& plot : plots_) {
    Figure figure = plot.figure;
    figure.subtitle = subtitle;
    folder.write(plot.file, [&](std::ostream& out) { write_svg(out, figure); });
  }
}

}  // namespace driftless::io

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
void append_step(std::vector<Series>& curves, const AcceptedStep& step, const StateUnits& units) {
  const std::string name = fmt::format("order {}", step.order);
  if (std::none_of(curves.begin(), curves.end(), [&](const Series& s) { return s.name == name; })) {
    curves.push_back({.name = name, .x = {}, .y = {}});
    std::sort(curves.begin(), curves.end(), [](const Series& a, const Series& b) { return a.name < b.name; });
  }
  const double from = units.t(step.from.t), to = units.t(step.to.t), h = to - from;
  for (Series& curve : curves) {
    if (curve.name == name) {
      append(curve, from, h);
      append(curve, to, h);
    } else if (!curve.y.empty() && !std::isnan(curve.y.back())) {
      append(curve, from, std::numeric_limits<double>::quiet_NaN());
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
  if (wants(RunPlot::Kind::energy)) energy_.start(run);
  for (RunPlot& plot : plots_) {
    if (plot.kind == RunPlot::Kind::energy && !energy_.has_work()) plot.figure.y_label = "E − E(start)";
    name_units(plot);
  }
}

void RunPlots::name_units(RunPlot& plot) const {
  if (!columns_.of.known()) return;
  const auto of_column = [&](std::size_t i) { return StateUnits::Unit{columns_.units[i]}; };
  const bool columns = plot.kind == RunPlot::Kind::columns;
  Figure& figure = plot.figure;
  figure.x_label = labelled(figure.x_label, columns ? of_column(plot.over) : columns_.of.time);
  if (plot.kind == RunPlot::Kind::energy) figure.y_label = labelled(figure.y_label, columns_.of.energy);
  if (plot.kind == RunPlot::Kind::steps) figure.y_label = labelled(figure.y_label, columns_.of.time);
  if (plot.kind == RunPlot::Kind::drift) figure.y_label = labelled(figure.y_label, {"m, rad and s"});
  if (columns && plot.of.size() == 1) figure.y_label = labelled(figure.y_label, of_column(plot.of.front()));
  for (std::size_t i = 0; columns && plot.of.size() > 1 && i < plot.of.size(); ++i)
    figure.series[i].name = labelled(figure.series[i].name, of_column(plot.of[i]));
}

void RunPlots::step(const AcceptedStep& step) {
  if (wants(RunPlot::Kind::energy)) energy_.step(step);
  for (RunPlot& plot : plots_)
    if (plot.kind == RunPlot::Kind::steps) append_step(plot.figure.series, step, columns_.of);
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
    const double t = columns_.of.t(state.t);
    if (plot.kind == RunPlot::Kind::drift) {
      const observers::DriftSample drift = observers::drift_at(*manifold_, state);
      const bool position = manifold_->shape().ng > 0;
      if (position) append(series.front(), t, drift.position);
      if (series.size() > (position ? 1u : 0u)) append(series.back(), t, drift.velocity);
    } else if (plot.kind == RunPlot::Kind::steps) {
      continue;  // all of them, whatever the output
    } else if (plot.kind == RunPlot::Kind::energy) {
      append(series.front(), t, energy_.at(state).balance / columns_.of.energy.si);
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

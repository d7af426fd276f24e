// RunPlots: pictures of a run, as a list of items separated by ';':
//   drift     |g| and the rates |g'|, .., |w| over time, largest entries, on a logarithmic axis
//   energy    E - E(start) - W over time, W the work put in (see EnergyMonitor); zero for an exact solution
//   steps     sizes of all accepted steps over time, one colour for each order of the method, on a logarithmic axis
//   x,y,..    columns of trajectory.csv (of a model file, outputs by name) over time, in one picture
//   x|y,..    columns over the column x instead of time
// It records at output states, steps at every step. Names are checked when the run begins, before any time is spent.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/observer.hpp>
#include <driftless/io/result_folder.hpp>
#include <driftless/io/state_units.hpp>
#include <driftless/io/svg_plot.hpp>
#include <driftless/observers/energy_monitor.hpp>

namespace driftless::io {

struct RunPlot {
  enum class Kind { drift, energy, steps, columns };
  Kind kind = Kind::columns;
  std::string file;             // drift.svg
  std::size_t over = 0;         // number of the column that x is; 0 is time
  std::vector<std::size_t> of;  // kind columns: their numbers
  Figure figure;
};

class RunPlots final : public Observer {
 public:
  // What may be drawn besides drift, energy and steps, the first of them time; without a row, the columns of trajectory.csv.
  struct Columns {
    std::vector<std::string> names = {};
    std::function<std::vector<double>(const State&)> row = {};
    std::vector<std::string> units = {};  // of each; none: without names
    StateUnits of = {};                   // of time and energies
  };
  explicit RunPlots(std::string list) : RunPlots(std::move(list), Columns{}) {}
  RunPlots(std::string list, Columns columns) : list_(std::move(list)), columns_(std::move(columns)) {}
  void start(
      const RunInfo& run) override;  // throws InputError for names that are not known, near ones suggested
  void step(const AcceptedStep& step) override;
  void output(const State& state) override;

  const std::vector<RunPlot>& plots() const { return plots_; }
  std::vector<std::string> files() const;
  // One file each; `subtitle` says what was run. Throws std::runtime_error where a file cannot be written.
  void write(const ResultFolder& folder, const std::string& subtitle) const;

 private:
  bool wants(RunPlot::Kind kind) const;
  void name_units(RunPlot& plot) const;  // at the axes
  std::string list_;
  Columns columns_;
  std::vector<RunPlot> plots_;
  std::unique_ptr<Manifold> manifold_;
  observers::EnergyMonitor energy_;
  std::vector<double> row_;  // of the table
};

}  // namespace driftless::io

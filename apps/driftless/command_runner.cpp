#include "command_runner.hpp"

#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "experiments/common/entry.hpp"

#include <driftless/core/errors.hpp>
#include <driftless/io/csv.hpp>
#include <driftless/io/run_json.hpp>

#include "command_line.hpp"
#include "execution.hpp"
#include "run_command.hpp"

namespace driftless::app {

namespace {

RunRequest request_of(const std::string& command) {
  std::vector<std::string> words = experiments::words_of(command);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  CommandLine line = parse_command_line(static_cast<int>(pointers.size()), pointers.data());
  if (line.command != CommandLine::Command::run)
    throw InputError(
        fmt::format("'{}' is not a run; an experiment's command begins with driftless run", command));
  return line.run;
}

void append(std::vector<std::vector<double>>& columns, std::size_t& next, const Vector& values) {
  for (const double value : values) columns[next++].push_back(value);
}

// trajectory.csv without the text.
experiments::Table table_of(const io::RunReport& report) {
  const std::vector<State>& states = report.solution.states;
  experiments::Table table;
  table.names = io::column_names(*report.problem, states.empty() ? State{} : states.front());
  table.columns.resize(table.names.size());
  for (const State& state : states) {
    std::size_t next = 0;
    table.columns[next++].push_back(state.t);
    append(table.columns, next, state.z);
    append(table.columns, next, state.lambda);
    append(table.columns, next, state.kappa);
    for (const Extra& extra : state.extras) append(table.columns, next, extra.value);
  }
  return table;
}

}  // namespace

const experiments::RunRecord& CommandRunner::run(const std::string& command) {
  if (const auto known = records_.find(command); known != records_.end()) return known->second;
  const io::RunReport report = execute(experiment_of(request_of(command)), {});
  if (report.solution.end == EndReason::interrupted) throw std::runtime_error("interrupted");
  return records_
      .emplace(command,
               experiments::RunRecord{nlohmann::ordered_json::parse(io::run_json(report)), table_of(report)})
      .first->second;
}

}  // namespace driftless::app

// Outputs of whole runs: what they end with, which expectations of the author they meet, and their files.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>
#include <unordered_map>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <driftless/io/csv.hpp>
#include <driftless/io/model_outputs.hpp>

namespace driftless::io {

namespace {

std::vector<MetExpectation> met_expectations(const Model& model, const Solution& solution) {
  std::vector<MetExpectation> all;
  if (model.expectations.empty()) return all;
  std::vector<std::string> columns;
  for (const Expectation& e : model.expectations) columns.push_back(e.column);
  ModelOutputs outputs(model, columns);
  std::unordered_map<std::string, std::size_t> places;  // of the columns in a row: several may expect of one
  for (std::size_t i = 0; i < outputs.names().size(); ++i) places.emplace(outputs.names()[i], i);
  for (const Expectation& e : model.expectations)
    all.push_back({.name = e.column,
                   .unit = outputs.units()[places.at(e.column)],
                   .why = e.why,
                   .at = e.at,
                   .expected = e.value,
                   .tolerance = e.tolerance});
  // Only states that the run has: between them nothing is known of multipliers.
  const auto there = [&](const State& state, const MetExpectation& e) {
    return std::abs(outputs.time(state) - e.at) <= 1e-9 * (1 + std::abs(e.at));
  };
  for (const State& state : solution.states) {
    const std::vector<double> row = outputs.row(state);
    for (MetExpectation& e : all)
      if (there(state, e)) e.value = row[places.at(e.name)];
  }
  if (std::any_of(all.begin(), all.end(),
                  [&](const auto& e) { return !e.value && there(solution.final, e); })) {
    const std::vector<double> row = outputs.row(solution.final);
    for (MetExpectation& e : all)
      if (!e.value && there(solution.final, e)) e.value = row[places.at(e.name)];
  }
  return all;
}

}  // namespace

NamedResults named_results(const Model& model, const Solution& solution) {
  ModelOutputs outputs(model);
  NamedResults results{.time_unit = outputs.time_unit(), .end = outputs.time(solution.final)};
  std::vector<double> last;
  for (const State& state : solution.states) last = outputs.row(state);  // angles go on
  last = outputs.row(solution.final);
  for (std::size_t i = 0; i < last.size(); ++i)
    results.values.push_back({outputs.names()[i], outputs.units()[i], last[i]});
  results.expectations = met_expectations(model, solution);
  return results;
}

void write_outputs(std::ostream& out, ModelOutputs& outputs, const std::vector<State>& states) {
  out << csv_field(labelled("t", {outputs.time_unit()}));
  for (std::size_t i = 0; i < outputs.names().size(); ++i)
    out << ',' << csv_field(labelled(outputs.names()[i], {outputs.units()[i]}));
  out << '\n';
  fmt::memory_buffer line;
  for (const State& state : states) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{:.17g}", outputs.time(state));
    for (const double value : outputs.row(state)) fmt::format_to(std::back_inserter(line), ",{:.17g}", value);
    line.push_back('\n');
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
}

void write_outputs_json(std::ostream& out, ModelOutputs& outputs, const std::vector<State>& states) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::array({{{"name", "t"}, {"unit", outputs.time_unit()}}});
  for (std::size_t i = 0; i < outputs.names().size(); ++i)
    columns.push_back({{"name", outputs.names()[i]}, {"unit", outputs.units()[i]}});
  out << "{\n  \"columns\": " << columns.dump() << ",\n  \"rows\": [";
  for (std::size_t k = 0; k < states.size(); ++k) {
    Json row = Json::array({outputs.time(states[k])});
    for (const double value : outputs.row(states[k]))
      row.push_back(std::isfinite(value) ? Json(value) : Json());
    out << (k == 0 ? "\n    " : ",\n    ") << row.dump();
  }
  out << "\n  ]\n}\n";
}

}  // namespace driftless::io

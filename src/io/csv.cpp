#include <driftless/io/csv.hpp>

#include <iterator>
#include <ostream>

#include <fmt/format.h>

namespace driftless::io {

namespace {

void append(fmt::memory_buffer& row, const Vector& values) {
  for (const double value : values) fmt::format_to(std::back_inserter(row), ",{:.17g}", value);
}

void append(fmt::memory_buffer& row, const State& state) {
  fmt::format_to(std::back_inserter(row), "{:.17g}", state.t);
  append(row, state.z);
  append(row, state.lambda);
  append(row, state.kappa);
  for (const Extra& extra : state.extras) append(row, extra.value);
}

std::string header(const Problem& problem, const State& state, const StateUnits& units) {
  std::string text;
  const std::vector<std::string> names = column_names(problem, state);
  const std::vector<StateUnits::Unit> of = column_units(problem, state, units);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!text.empty()) text += ',';
    text += csv_field(labelled(names[i], of[i]));
  }
  return text;
}

}  // namespace

std::vector<std::string> column_names(const Problem& problem, const State& state) {
  const Shape& shape = problem.shape();
  std::vector<std::string> names = {"t"};
  for (int i = 0; i < shape.nq; ++i) names.push_back(problem.coordinate_name(i));
  for (int level = 1; level < shape.order; ++level)
    for (int i = 0; i < shape.nv; ++i)
      names.push_back(problem.velocity_name(i) + std::string(static_cast<std::size_t>(level - 1), '\''));
  for (int i = 0; i < shape.ng; ++i) names.push_back(fmt::format("lambda[{}]", i));
  for (int i = 0; i < shape.nk; ++i) names.push_back(fmt::format("kappa[{}]", i));
  for (const Extra& extra : state.extras)
    for (Eigen::Index i = 0; i < extra.value.size(); ++i)
      names.push_back(fmt::format("{}[{}]", extra.name, i));
  return names;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;  // doubled
    quoted += c;
  }
  quoted += '"';
  return quoted;
}

void write_trajectory(std::ostream& out, const Problem& problem, const std::vector<State>& states,
                      const StateUnits& units) {
  out << header(problem, states.empty() ? State{} : states.front(), units) << '\n';
  fmt::memory_buffer row;
  for (const State& state : states) {
    row.clear();
    append(row, units.known() ? units.state(state) : state);
    row.push_back('\n');
    out.write(row.data(), static_cast<std::streamsize>(row.size()));
  }
}

void write_events(std::ostream& out, const Problem& problem, const std::vector<EventRecord>& events,
                  const StateUnits& units) {
  out << "event," << header(problem, events.empty() ? State{} : events.front().state, units) << '\n';
  fmt::memory_buffer row;
  for (const EventRecord& event : events) {
    row.clear();
    fmt::format_to(std::back_inserter(row), "{},", csv_field(event.name));
    append(row, units.known() ? units.state(event.state) : event.state);
    row.push_back('\n');
    out.write(row.data(), static_cast<std::streamsize>(row.size()));
  }
}

void write_steps(std::ostream& out, const std::vector<StepRecord>& steps, const StateUnits& units) {
  out << fmt::format("{},{},order,rejected\n", labelled("t", units.time), labelled("h", units.time));
  for (const StepRecord& step : steps)
    out << fmt::format("{:.17g},{:.17g},{},{}\n", units.t(step.t), units.t(step.h), step.order,
                       step.rejected);
}

}  // namespace driftless::io

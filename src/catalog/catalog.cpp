#include <driftless/catalog/catalog.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::catalog {

namespace {

template <class Entry>
bool has(const std::vector<Named<Entry>>& table, std::string_view name) {
  return std::any_of(table.begin(), table.end(), [&](const auto& row) { return row.name == name; });
}

// Of methods: a word may stand behind the wrong key.
std::string other_kind(std::string_view name) {
  if (has(formulation_table(), name)) return "a formulation";
  if (has(integrator_table(), name)) return "an integrator";
  if (has(stabilizer_table(), name)) return "a stabilizer";
  if (has(controller_table(), name)) return "a controller";
  return {};
}

template <class Entry>
const Entry& find(const std::vector<Named<Entry>>& table, const char* kind, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& row : table) {
    if (row.name == name) return row.entry;
    names.push_back(row.name);
  }
  const std::string known =
      names.empty() ? "there are none yet" : fmt::format("known: {}", fmt::join(names, ", "));
  const std::string other = other_kind(name);
  throw InputError(fmt::format("there is no {} '{}'{}; {}{}", kind, name,
                               other.empty() ? "" : fmt::format(" ({} is the name of {})", name, other),
                               known, suggestion(name, names)));
}

}  // namespace

const FormulationEntry& formulation(std::string_view name) {
  return find(formulation_table(), "formulation", name);
}
const IntegratorEntry& integrator(std::string_view name) {
  return find(integrator_table(), "integrator", name);
}
const StabilizerEntry& stabilizer(std::string_view name) {
  return find(stabilizer_table(), "stabilizer", name);
}
const ControlEntry& control(std::string_view name) {
  return find(control_table(), "control", name);
}
const ControllerEntry& controller(std::string_view name) {
  return find(controller_table(), "controller", name);
}
const ProblemEntry& problem(std::string_view name) {
  return find(problem_table(), "problem", name);
}

ProblemInstance make_problem(std::string_view name,
                             const std::vector<std::pair<std::string, std::string>>& set) {
  const ProblemEntry& entry = problem(name);
  return entry.make(OptionValues(std::string(name), entry.parameters, set, "parameter"));
}

}  // namespace driftless::catalog

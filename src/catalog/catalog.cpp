#include <driftless/catalog/catalog.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::catalog {

namespace {

template <class Entry>
const Entry& find(const std::vector<Named<Entry>>& table, const char* kind, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& row : table) {
    if (row.name == name) return row.entry;
    names.push_back(row.name);
  }
  const std::string known =
      names.empty() ? "there are none yet" : fmt::format("known: {}", fmt::join(names, ", "));
  throw InputError(fmt::format("there is no {} '{}'; {}{}", kind, name, known, suggestion(name, names)));
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

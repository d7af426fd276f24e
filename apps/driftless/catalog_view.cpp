#include "catalog_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/core/errors.hpp>

namespace driftless::app {

namespace {

template <class Entry>
Kind methods(const char* name, const char* usage, const std::vector<Named<Entry>>& table) {
  Kind kind{name, usage, {}};
  for (const auto& row : table)
    kind.items.push_back({row.name, row.entry.summary, row.entry.options, "", nullptr});
  return kind;
}

Kind problems() {
  Kind kind{"problems", "driftless run NAME [--set name=value]...", {}};
  for (const auto& row : catalog::problem_table())
    kind.items.push_back({row.name, row.entry.summary, row.entry.parameters, "", nullptr});
  return kind;
}

Kind integrators() {
  Kind kind = methods("integrators", "--integrator NAME[:option=value,..]", catalog::integrator_table());
  for (std::size_t i = 0; i < kind.items.size(); ++i) {
    const IntegratorEntry& entry = catalog::integrator_table()[i].entry;
    kind.items[i].integrator = &entry;
    kind.items[i].facts = fmt::format(
        "order {}, {}, dense output of order {}", entry.order,
        entry.error_estimate ? "error estimate" : "no error estimate (needs --step)", entry.dense_order);
  }
  return kind;
}

}  // namespace

std::vector<Kind> kinds() {
  return {problems(),
          methods("formulations", "--formulation NAME[:option=value,..]", catalog::formulation_table()),
          integrators(),
          methods("stabilizers", "--stabilizer NAME[:option=value,..]", catalog::stabilizer_table()),
          methods("controls", "--control NAME[:option=value,..]", catalog::control_table()),
          methods("controllers", "--controller NAME[:option=value,..]", catalog::controller_table())};
}

Kind find_kind(const std::string& kind_name) {
  std::vector<std::string> names;
  for (Kind& kind : kinds()) {
    if (kind.name == kind_name) return kind;
    names.push_back(kind.name);
  }
  throw InputError(fmt::format("there is nothing called '{}' to list; known: {}{}", kind_name,
                               fmt::join(names, ", "), suggestion(kind_name, names)));
}

}  // namespace driftless::app

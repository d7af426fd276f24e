#include "catalog_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/mechanics/force.hpp>
#include <driftless/mechanics/joint.hpp>

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
    kind.items[i].facts =
        fmt::format("order {}, {}, dense output of order {}", entry.order,
                    entry.traits.error_estimate ? "error estimate" : "no error estimate (needs --step)",
                    entry.dense_order);
  }
  return kind;
}

std::vector<OptionSpec> options_of(const std::vector<mechanics::SettingSpec>& settings) {
  std::vector<OptionSpec> options;
  for (const auto& setting : settings) {
    OptionSpec option;
    option.name = setting.name;
    option.help = setting.help;
    if (setting.required)
      option.help += " (required)";
    else if (!setting.optional && setting.kind == mechanics::SettingSpec::Kind::number)
      option.fallback = fmt::format("{}", setting.fallback);
    options.push_back(option);
  }
  return options;
}

Kind joints() {
  Kind kind{"joints", "type = \"NAME\" in a model file, mechanism.joint(\"NAME\", ..) in C++", {}};
  for (const auto& [name, entry] : mechanics::joint_table())
    kind.items.push_back({name, entry.summary, options_of(entry.settings),
                          entry.of_joints                 ? "couples two joints"
                          : entry.planar && entry.spatial ? "in the plane and in space"
                          : entry.planar                  ? "in the plane"
                                                          : "in space",
                          nullptr});
  return kind;
}

Kind forces() {
  Kind kind{"forces", "type = \"NAME\" in a model file, mechanism.force(\"NAME\", ..) in C++", {}};
  for (const auto& [name, entry] : mechanics::force_table())
    kind.items.push_back({name, entry.summary, options_of(entry.settings),
                          entry.of_markers && entry.of_joints
                              ? "between two points or along a coordinate of a joint"
                          : entry.of_joints ? "along a coordinate of a joint"
                                            : "between two markers",
                          nullptr});
  return kind;
}

}  // namespace

std::vector<Kind> kinds() {
  std::vector<Kind> all = kinds_of_run();
  all.push_back(joints());
  all.push_back(forces());
  return all;
}

std::vector<Kind> kinds_of_run() {
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

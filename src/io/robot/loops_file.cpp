#include "io/robot/loops_file.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>

#include "io/model/toml_text.hpp"

namespace driftless::io {

namespace {

std::optional<mechanics::Vec3> vector_of(const toml::node& node) {
  const toml::array* numbers = node.as_array();
  if (!numbers || numbers->size() != 3) return {};
  double v[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = numbers->get(i)->value<double>();
    if (!value || !std::isfinite(*value)) return {};
    v[i] = *value;
  }
  return mechanics::Vec3{v[0], v[1], v[2]};
}

std::string_view from_line(std::string_view text, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) {
    const auto end = text.find('\n', at);
    if (end == text.npos) return {};
    at = end + 1;
  }
  return text.substr(at);
}

}  // namespace

LoopsFile read_loops(std::string_view text, const std::filesystem::path& file) {
  const toml::table table = toml_of(text, file);
  LoopsFile loops;
  std::vector<ModelFault> faults;
  std::vector<int> headers;
  // The first header of a table, of [joint.a] too, whose parents stand nowhere.
  const auto look = [&](const auto& self, const toml::table& t) -> void {
    for (const auto& [key, node] : t)
      if (const toml::table* inner = node.as_table(); inner && !inner->is_inline()) {
        if (inner->source().begin.line > 0) headers.push_back(static_cast<int>(inner->source().begin.line));
        self(self, *inner);
      }
  };
  look(look, table);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const auto& at = node.source().begin;
    const auto fault = [&](const std::string& message) {
      faults.push_back({static_cast<int>(at.line), static_cast<int>(at.column), name, message});
    };
    if (const toml::table* inner = node.as_table(); inner && !inner->is_inline()) {
      if (name == "units")
        fault("robot files are in SI units, and so is what is said beside them; leave it out");
      if (name == "parameters") {
        loops.parameters_line = static_cast<int>(at.line);
        for (const auto& [parameter, value] : *inner) loops.parameter_names.emplace_back(parameter.str());
      }
      for (const auto& [entry, value] : *inner)
        if (value.is_table())
          loops.entries.push_back(
              {name, std::string(entry.str()), static_cast<int>(entry.source().begin.line)});
      if (name == "start") loops.start_line = static_cast<int>(at.line);
      if (name == "output") loops.output_line = static_cast<int>(at.line);
      continue;
    }
    if (name == "base") {
      const auto word = node.value<std::string>();
      if (word == "free" || word == "fixed")
        loops.free_base = word == "free";
      else
        fault("base is \"fixed\" or \"free\"");
    } else if (name == "gravity") {
      loops.gravity = vector_of(node);
      if (!loops.gravity) fault("gravity is a list of three numbers, as in [0, 0, -9.81]");
    } else {
      fault(
          "before the first table only base and gravity may stand; write the rest as tables, like "
          "[joint.NAME]");
    }
  }
  if (!faults.empty()) throw ModelError(file, std::move(faults));
  if (headers.empty()) return loops;
  std::sort(headers.begin(), headers.end());
  loops.first_line = headers[0];
  loops.tables = std::string(from_line(text, headers[0]));
  if (loops.parameters_line > 0) {
    const auto next = std::upper_bound(headers.begin(), headers.end(), loops.parameters_line);
    const std::string_view from = from_line(text, loops.parameters_line),
                           behind = next == headers.end() ? std::string_view() : from_line(text, *next);
    const std::string_view block = from.substr(0, from.size() - behind.size());
    loops.parameters = std::string(from_line(block, 2));
    loops.without_parameters =
        loops.tables.substr(0, loops.tables.size() - from.size()) +
        std::string(static_cast<std::size_t>(std::count(block.begin(), block.end(), '\n')), '\n') +
        std::string(behind);
  }
  return loops;
}

}  // namespace driftless::io

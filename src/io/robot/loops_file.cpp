#include "io/robot/loops_file.hpp"

#include <algorithm>
#include <climits>
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
  int first = INT_MAX;
  // The first header of a table, of [joint.a] too, whose parents stand nowhere.
  const auto look = [&](const auto& self, const toml::table& t) -> void {
    for (const auto& [key, node] : t)
      if (const toml::table* inner = node.as_table(); inner && !inner->is_inline()) {
        if (inner->source().begin.line > 0)
          first = std::min(first, static_cast<int>(inner->source().begin.line));
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
  if (first < INT_MAX) {
    loops.first_line = first;
    loops.tables = std::string(from_line(text, first));
  }
  return loops;
}

}  // namespace driftless::io

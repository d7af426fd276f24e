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

std::vector<LoopsStart> numbers_of(const toml::table& start, std::string_view key) {
  std::vector<LoopsStart> all;
  const toml::table* values = start[key].as_table();
  if (!values) return all;
  for (const auto& [coordinate, value] : *values)
    if (value.is_number()) all.push_back({std::string(coordinate.str()), *value.value<double>()});
  return all;
}

class Reader {
 public:
  Reader(std::string_view text, const std::filesystem::path& file)
      : text_(text), table_(toml_of(text, file)) {}

  LoopsFile read(const std::filesystem::path& file) {
    for (const auto& [key, node] : table_) {
      const toml::table* inner = node.as_table();
      if (inner && !inner->is_inline())
        read_table(std::string(key.str()), *inner);
      else
        read_value(std::string(key.str()), node);
    }
    if (!faults_.empty()) throw ModelError(file, std::move(faults_));
    find_headers(table_);
    std::sort(headers_.begin(), headers_.end());
    if (headers_.empty()) return std::move(loops_);
    loops_.first_line = headers_[0];
    loops_.tables = std::string(from_line(text_, headers_[0]));
    if (loops_.parameters_line > 0) take_parameters_out();
    return std::move(loops_);
  }

 private:
  void fault(const toml::node& node, const std::string& name, const std::string& message) {
    const auto& at = node.source().begin;
    faults_.push_back({static_cast<int>(at.line), static_cast<int>(at.column), name, message});
  }

  void read_value(const std::string& name, const toml::node& node) {
    if (name == "base") {
      const auto word = node.value<std::string>();
      loops_.base_line = static_cast<int>(node.source().begin.line);
      if (word == "free" || word == "fixed")
        loops_.free_base = word == "free";
      else
        fault(node, name, "base is \"fixed\" or \"free\"");
    } else if (name == "gravity") {
      loops_.gravity = vector_of(node);
      if (!loops_.gravity) fault(node, name, "gravity is a list of three numbers, as in [0, 0, -9.81]");
    } else {
      fault(node, name,
            "before the first table only base and gravity may stand; write the rest as tables, like "
            "[joint.NAME]");
    }
  }

  void read_table(const std::string& name, const toml::table& table) {
    const int line = static_cast<int>(table.source().begin.line);
    if (!is_header(line)) {
      fault(table, name,
            "the tables of the loops file are put behind those of the robot, so that each needs a header; "
            "write [" +
                name + "] or [" + name + ".NAME] in a line of its own");
      return;
    }
    if (name == "units")
      fault(table, name, "robot files are in SI units, and so is what is said beside them; leave it out");
    for (const auto& [entry, value] : table)
      if (value.is_table())
        loops_.entries.push_back(
            {name, std::string(entry.str()), static_cast<int>(entry.source().begin.line)});
    if (name == "output") loops_.output_line = line;
    if (name == "start") {
      loops_.start_line = line;
      loops_.positions = numbers_of(table, "positions");
      loops_.rates = numbers_of(table, "rates");
    }
    if (name == "parameters") {
      loops_.parameters_line = line;
      for (const auto& [parameter, value] : table) loops_.parameter_names.emplace_back(parameter.str());
    }
  }

  bool is_header(int line) const {
    const std::string_view rest = from_line(text_, line);
    const auto first = rest.find_first_not_of(" \t");
    return line > 0 && first != rest.npos && rest[first] == '[';
  }

  // Of [joint.a] too, whose parents stand nowhere.
  void find_headers(const toml::table& of) {
    for (const auto& [key, node] : of)
      if (const toml::table* inner = node.as_table(); inner && !inner->is_inline()) {
        const int line = static_cast<int>(inner->source().begin.line);
        if (is_header(line)) headers_.push_back(line);
        find_headers(*inner);
      }
  }

  void take_parameters_out() {
    const auto next = std::upper_bound(headers_.begin(), headers_.end(), loops_.parameters_line);
    const std::string_view from = from_line(text_, loops_.parameters_line),
                           behind = next == headers_.end() ? std::string_view() : from_line(text_, *next);
    const std::string_view block = from.substr(0, from.size() - behind.size());
    const auto lines = static_cast<std::size_t>(std::count(block.begin(), block.end(), '\n'));
    loops_.parameters = std::string(from_line(block, 2));
    loops_.without_parameters = loops_.tables.substr(0, loops_.tables.size() - from.size()) +
                                std::string(lines, '\n') + std::string(behind);
  }

  std::string_view text_;
  toml::table table_;
  LoopsFile loops_;
  std::vector<ModelFault> faults_;
  std::vector<int> headers_;
};

}  // namespace

LoopsFile read_loops(std::string_view text, const std::filesystem::path& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return Reader(text, file).read(file);
}

}  // namespace driftless::io

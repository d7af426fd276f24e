#include "list_command.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "catalog_view.hpp"
#include "text.hpp"

namespace driftless::app {

namespace {

using Json = nlohmann::ordered_json;

template <class Rows>
int name_column(const Rows& rows, int indent) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.name.size());
  return indent + static_cast<int>(longest) + 2;
}

std::string brief(const Kind& kind) {
  std::string text = fmt::format("{}\n", kind.name);
  if (kind.items.empty()) text += "  none yet\n";
  for (const Item& item : kind.items)
    text += entry(2, item.name, std::max(20, name_column(kind.items, 2)), item.summary);
  return text;
}

std::string option_lines(const std::vector<OptionSpec>& options) {
  std::string text;
  const int column = name_column(options, 4);
  for (const OptionSpec& option : options) {
    std::string what = option.help;
    if (!option.choices.empty()) what += fmt::format("; one of {}", fmt::join(option.choices, ", "));
    if (!option.fallback.empty()) what += fmt::format(" (default {})", option.fallback);
    text += entry(4, option.name, column, what);
  }
  return text;
}

std::string detailed(const Kind& kind) {
  std::string text = fmt::format("{}: {}\n", kind.name, kind.usage);
  if (kind.items.empty()) text += "\n  none yet\n";
  for (const Item& item : kind.items) {
    text += '\n';
    text += entry(2, item.name, std::max(20, name_column(kind.items, 2)), item.summary);
    if (!item.facts.empty()) text += fmt::format("    {}\n", wrap(item.facts, 4));
    text += option_lines(item.options);
  }
  return text;
}

Json options_json(const std::vector<OptionSpec>& options) {
  Json list = Json::array();
  for (const OptionSpec& option : options)
    list.push_back({{"name", option.name},
                    {"default", option.fallback.empty() ? Json() : Json(option.fallback)},
                    {"help", option.help},
                    {"choices", option.choices}});
  return list;
}

Json kind_json(const Kind& kind) {
  Json list = Json::array();
  for (const Item& item : kind.items) {
    Json json = {{"name", item.name}, {"summary", item.summary}};
    if (item.integrator != nullptr) {
      json["order"] = item.integrator->order;
      json["error_estimate"] = item.integrator->traits.error_estimate;
      json["dense_order"] = item.integrator->dense_order;
    }
    json[kind.name == "problems" ? "parameters" : "options"] = options_json(item.options);
    list.push_back(json);
  }
  return list;
}

}  // namespace

std::string list_text(const ListRequest& request) {
  if (request.kind) return detailed(find_kind(*request.kind));
  std::string text;
  for (const Kind& kind : kinds()) text += brief(kind) + "\n";
  return text + "Their options: driftless list KIND, for instance driftless list problems\n";
}

std::string list_json(const ListRequest& request) {
  Json json = Json::object();
  for (const Kind& kind : request.kind ? std::vector{find_kind(*request.kind)} : kinds())
    json[kind.name] = kind_json(kind);
  return json.dump(2) + "\n";
}

}  // namespace driftless::app

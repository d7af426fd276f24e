#include <nlohmann/json.hpp>

#include "reproduce_view.hpp"

namespace driftless::app {

namespace {

using Json = nlohmann::ordered_json;
using experiments::Entry;
using experiments::Result;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

// Numbers as numbers; anything else ("(1.6)", ".001 pi") as text.
Json number_or_text(const std::string& text) {
  const std::string whole = text.starts_with('.') ? "0" + text : text;
  const Json number = Json::parse(whole, nullptr, /*allow_exceptions=*/false);
  return number.is_number() ? number : Json(text);
}

Json json_of(const Result& result) {
  const Entry& entry = result.entry;
  Json parameters = Json::object();
  for (const auto& [name, value] : entry.parameters) parameters[name] = number_or_text(value);
  const std::string& found = entry.expected.digits;
  return {{"paper", entry.paper},
          {"item", entry.item},
          {"quantity", entry.quantity},
          {"parameters", parameters},
          {"printed", text_or_null(entry.printed)},
          {"value", result.value ? Json(*result.value) : Json()},
          {"verdict", result.verdict},
          {"note", result.note},
          {"command", text_or_null(entry.command)},
          {"reference_command", text_or_null(entry.reference_command)},
          {"baseline_command", text_or_null(entry.baseline_command)},
          {"read", entry.reading.text},
          {"recomputed", found.empty() ? Json() : Json(std::stod(found))},
          {"agreement", rule_text(entry.expected)},
          {"agrees", result.agrees}};
}

}  // namespace

std::string reproduce_json(const Reproduction& found) {
  Json entries = Json::array();
  for (const Result& result : found.results) entries.push_back(json_of(result));
  const Json json = {
      {"entries", entries}, {"folder", text_or_null(found.folder)}, {"figures", found.figures}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless::app

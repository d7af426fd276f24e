#include "joint_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/method_options.hpp>

namespace driftless::mechanics {

namespace {

// "Universal_Joint" and "universal joint" are "universal".
std::string plain(std::string_view word) {
  std::string text;
  for (const char c : word)
    text += c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view end : {"-joint", "joint"})
    if (text.size() > end.size() && text.ends_with(end)) {
      text.resize(text.size() - end.size());
      break;
    }
  return text;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& joint_synonyms() {
  static const std::vector<std::pair<std::string, std::string>> words = {{"hinge", "revolute"},
                                                                         {"pin", "revolute"},
                                                                         {"pivot", "revolute"},
                                                                         {"rotary", "revolute"},
                                                                         {"rotational", "revolute"},
                                                                         {"rotation", "revolute"},
                                                                         {"continuous", "revolute"},
                                                                         {"turning", "revolute"},
                                                                         {"bearing", "revolute"},
                                                                         {"slider", "prismatic"},
                                                                         {"prism", "prismatic"},
                                                                         {"sliding", "prismatic"},
                                                                         {"slide", "prismatic"},
                                                                         {"translational", "prismatic"},
                                                                         {"translation", "prismatic"},
                                                                         {"linear", "prismatic"},
                                                                         {"rail", "prismatic"},
                                                                         {"ball", "spherical"},
                                                                         {"ball-and-socket", "spherical"},
                                                                         {"socket", "spherical"},
                                                                         {"sphere", "spherical"},
                                                                         {"weld", "fixed"},
                                                                         {"welded", "fixed"},
                                                                         {"rigid", "fixed"},
                                                                         {"lock", "fixed"},
                                                                         {"locked", "fixed"},
                                                                         {"glue", "fixed"},
                                                                         {"clamp", "fixed"},
                                                                         {"cylinder", "cylindrical"},
                                                                         {"cardan", "universal"},
                                                                         {"hooke", "universal"},
                                                                         {"u", "universal"},
                                                                         {"gimbal", "universal"},
                                                                         {"helical", "screw"},
                                                                         {"lead-screw", "screw"},
                                                                         {"helix", "screw"},
                                                                         {"plane", "planar"},
                                                                         {"rod", "distance"},
                                                                         {"rope", "distance"},
                                                                         {"massless-rod", "distance"},
                                                                         {"slot", "point-on-line"},
                                                                         {"pin-in-slot", "point-on-line"},
                                                                         {"inline", "point-on-line"},
                                                                         {"cam", "point-on-curve"},
                                                                         {"curve", "point-on-curve"},
                                                                         {"wheel", "rolling"},
                                                                         {"roll", "rolling"},
                                                                         {"rack", "rack-and-pinion"},
                                                                         {"pinion", "rack-and-pinion"},
                                                                         {"gears", "gear"},
                                                                         {"skate", "knife-edge"},
                                                                         {"blade", "knife-edge"},
                                                                         {"parallel", "parallel-axes"}};
  return words;
}

std::string joint_suggestion(std::string_view wrong, const std::vector<std::string>& types) {
  constexpr std::size_t longest = 100;
  if (wrong.size() > longest) return {};
  const std::string word = plain(wrong);
  const auto means = [&](const std::string& type) { return fmt::format(" (did you mean {}?)", type); };
  if (std::find(types.begin(), types.end(), word) != types.end()) return means(word);
  for (const auto& [other, type] : joint_synonyms())
    if (other == word) return means(type);
  return suggestion(wrong, types);
}

}  // namespace driftless::mechanics

#include "io/robot/xacro_macros.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

bool is_of_xacro(std::string_view name) {
  return name.starts_with("xacro:");
}

bool has_formula(std::string_view value) {
  for (const auto& [begin, end] : {std::pair{"${", '}'}, std::pair{"$(", ')'}})
    if (const auto at = value.find(begin); at != value.npos && value.find(end, at) != value.npos) return true;
  return false;
}

// The first element that is a macro or has one in its attributes, and how it looks. Elements that stand deeper than one document holds are none that
// URDF has.
struct Macro {
  const tinyxml2::XMLElement* element = nullptr;
  std::string text = {};
};
Macro macro_in(const tinyxml2::XMLElement& e) {
  if (is_of_xacro(e.Name())) return {&e, fmt::format("<{}>", mechanics::shown(e.Name(), 60))};
  for (const auto* a = e.FirstAttribute(); a; a = a->Next())
    if (is_of_xacro(a->Name()) || has_formula(a->Value()))
      return {&e,
              fmt::format("{}=\"{}\"", mechanics::shown(a->Name(), 60), mechanics::shown(a->Value(), 60))};
  for (const auto* child = e.FirstChildElement(); child; child = child->NextSiblingElement())
    if (const Macro found = macro_in(*child); found.element) return found;
  return {};
}

}  // namespace

bool has_macros(const XmlElement& root) {
  const Macro macro = macro_in(root.node());
  if (!macro.element) return false;
  XmlElement(*macro.element, root.reading())
      .fault(
          fmt::format("this file has macros of xacro ({} in line {}): expand them first: xacro {} > NEW.urdf",
                      macro.text, macro.element->GetLineNum(), root.reading().file().filename().string()));
  return true;
}

}  // namespace driftless::io

#include "io/robot/xml_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "io/common/file_text.hpp"
#include "io/robot/xml_layers.hpp"
#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

constexpr std::size_t largest_file = 16 << 20;  // a tree of elements takes thirty times as much
constexpr std::size_t most_files = 200;
constexpr std::size_t most_faults = 100;
constexpr int most_deep = 2500;  // a chain of 1000 bodies, each in a frame, and what is in the last one
constexpr const char* space = " \t\r\n";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(space);
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(space) - first + 1));
}

std::string quoted(const std::string& text) {
  return fmt::format("'{}'", mechanics::shown(text, 40));
}

std::string reason(tinyxml2::XMLError error) {
  using namespace tinyxml2;
  switch (error) {
    case XML_ERROR_PARSING:
    case XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or another one is closed here";
    case XML_ERROR_EMPTY_DOCUMENT:
      return "there is nothing in it";
    case XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\"";
    case XML_ERROR_PARSING_ELEMENT:
      return "an element cannot be read";
    case XML_ERROR_PARSING_COMMENT:
      return "a comment does not end";
    case XML_ERROR_PARSING_CDATA:
      return "a CDATA section does not end";
    case XML_ERROR_PARSING_TEXT:
      return "a text does not end";
    default:
      return fmt::format("it cannot be read ({})", XMLDocument::ErrorIDToName(error));
  }
}

void add_at_level(const tinyxml2::XMLElement& e, int level, std::vector<const tinyxml2::XMLElement*>& all) {
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
    if (level == 1)
      all.push_back(c);
    else
      add_at_level(*c, level - 1, all);
}

}  // namespace

// --- files -----------------------------------------------------------------------------------------------------------------------

XmlElement XmlReading::parse(std::string_view text) {
  return {*parse(text, file_), *this};
}

const tinyxml2::XMLElement* XmlReading::parse(std::string_view text, const std::filesystem::path& file) {
  const auto refuse = [&](int line, const std::string& why) { throw ModelError(file, {{line, 1, "", why}}); };
  read_ += text.size();
  if (read_ > largest_file)
    refuse(0, fmt::format("this is more than {} MB of XML; make a smaller file", largest_file >> 20));
  if (const auto at = text.find('\0'); at != text.npos)
    refuse(
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
        "this is not XML: it contains a character of code 0");
  const XmlLayers layers = xml_layers(text);
  if (layers.depth > most_deep)
    refuse(layers.deepest_line,
           fmt::format("elements stand in each other {} deep (at most {}); make shorter chains", layers.depth,
                       most_deep));
  Open& open = open_.emplace_back(Open{file});
  const auto read = [&](std::string_view layer) {
    open.layers.push_back(std::make_unique<tinyxml2::XMLDocument>());
    tinyxml2::XMLDocument& document = *open.layers.back();
    if (const auto error = document.Parse(layer.data(), layer.size()); error != tinyxml2::XML_SUCCESS)
      refuse(std::max(document.ErrorLineNum(), 1), "this is not XML: " + reason(error));
    for (const tinyxml2::XMLNode* node = document.FirstChild(); node; node = node->NextSibling())
      if (const auto* unknown = node->ToUnknown())
        refuse(
            unknown->GetLineNum(),
            fmt::format("<!{}..> is not read: what document types define, entities, can grow without bound; "
                        "take it out and write out what it stands for",
                        mechanics::shown(trimmed(unknown->Value()), 10)));
  };
  if (layers.texts.empty()) read(text);
  for (const std::string& layer : layers.texts) read(layer);
  const tinyxml2::XMLElement* root = open.layers.front()->RootElement();
  if (!root) refuse(1, "this is not XML: there is no element in it");
  // Placeholders and what they stand for come in the same order.
  for (std::size_t i = 0; i + 1 < open.layers.size(); ++i) {
    std::vector<const tinyxml2::XMLElement*> places;
    add_at_level(*open.layers[i]->RootElement(), xml_layer_levels + (i > 0 ? 1 : 0), places);
    std::size_t found = 0;
    for (const auto* e = open.layers[i + 1]->RootElement()->FirstChildElement(); e;
         e = e->NextSiblingElement())
      if (found++ < places.size()) deeper_.emplace(places[found - 1], e);
    if (found != places.size()) refuse(1, "this is not XML: elements are closed that were not opened");
  }
  return root;
}

const tinyxml2::XMLElement* XmlReading::real(const tinyxml2::XMLElement* element) const {
  if (!element || deeper_.empty()) return element;
  const auto found = deeper_.find(element);
  return found == deeper_.end() ? element : found->second;
}

std::optional<XmlElement> XmlReading::include(XmlElement& from, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path base = fs::weakly_canonical(file_.parent_path().empty() ? "." : file_.parent_path(), error);
  const fs::path wanted = fs::weakly_canonical(base / name, error);
  const fs::path seen = wanted.lexically_relative(base);
  if (inside_ && (seen.empty() || *seen.begin() == "..")) {
    from.fault(
        fmt::format("the file {} lies outside of the folder of {}; move it there, or allow it with "
                    "--allow-outside",
                    quoted(name), file_.filename().string()));
    return {};
  }
  for (const Open& open : open_)
    if (fs::weakly_canonical(open.file, error) == wanted) {
      from.fault(fmt::format("the file {} is included twice, or by itself", quoted(name)));
      return {};
    }
  if (open_.size() >= most_files) {
    from.fault(fmt::format("more than {} files are included; put them together", most_files));
    return {};
  }
  try {
    return XmlElement(*parse(text_of_file(wanted, "included file", largest_file), wanted), *this);
  } catch (const InputError& refused) {
    from.fault(refused.what());
    return {};
  }
}

const XmlReading::Open& XmlReading::open_with(const tinyxml2::XMLNode& node) const {
  for (const Open& open : open_)
    for (const auto& layer : open.layers)
      if (layer.get() == node.GetDocument()) return open;
  return open_.front();
}

// --- what is wrong, and what is left ---------------------------------------------------------------------------------------------

void XmlReading::fault(int line, const std::string& path, const std::string& message) {
  if (faults_.size() < most_faults)
    faults_.push_back({line, 1, path, message});
  else
    ++untold_;
}

void XmlReading::fault(const tinyxml2::XMLNode& at, const std::string& path, const std::string& message) {
  const Open& open = open_with(at);
  if (&open == &open_.front())
    fault(at.GetLineNum(), path, message);
  else
    fault(0, fmt::format("{}:{}: {}", open.file.filename().string(), at.GetLineNum(), path), message);
}

void XmlReading::omit(const tinyxml2::XMLNode& at, const std::string& what, const std::string& effect) {
  const auto [known, is_new] = known_omissions_.emplace(what, omissions_.size());
  if (is_new)
    omissions_.push_back(
        {.what = what,
         .effect = effect,
         .where = fmt::format("{}:{}", open_with(at).file.filename().string(), at.GetLineNum())});
  else
    ++omissions_[known->second].count;
}

void XmlReading::finish() {
  for (const Open& open : open_)
    if (const auto* root = open.layers.front()->RootElement()) finish(*root);
}

void XmlReading::finish(const tinyxml2::XMLElement& element) {
  const Asked& asked = asked_[&element];
  if (asked.all) return;
  for (const auto* a = element.FirstAttribute(); a; a = a->Next())
    if (!asked.attributes.count(a->Name()))
      omit(element, fmt::format("attribute {} of <{}>", a->Name(), element.Name()), "it is not known here");
  for (const auto* place = element.FirstChildElement(); place; place = place->NextSiblingElement()) {
    const auto* child = real(place);
    if (asked.children.count(child->Name()))
      finish(*child);
    else
      omit(*child, fmt::format("<{}> in <{}>", child->Name(), element.Name()), "it is not known here");
  }
}

// --- elements --------------------------------------------------------------------------------------------------------------------

std::optional<XmlElement> XmlElement::child(const char* name) const {
  const auto all = children(name);
  if (all.size() > 1) all[1].fault(fmt::format("there is a second <{}>; keep one of them", name));
  return all.empty() ? std::nullopt : std::optional(all[0]);
}

std::vector<XmlElement> XmlElement::children(const char* name) const {
  reading_->asked_[e_].children.insert(name);
  std::vector<XmlElement> all;
  for (const auto* c = e_->FirstChildElement(); c; c = c->NextSiblingElement())
    if (const auto* child = reading_->real(c); std::string_view(child->Name()) == name)
      all.emplace_back(*child, *reading_);
  return all;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> all;
  auto& asked = reading_->asked_[e_].children;
  for (const auto* c = e_->FirstChildElement(); c; c = c->NextSiblingElement()) {
    const auto* child = reading_->real(c);
    asked.insert(child->Name());
    all.emplace_back(*child, *reading_);
  }
  return all;
}

std::optional<std::string> XmlElement::word(const char* attribute) const {
  reading_->asked_[e_].attributes.insert(attribute);
  const char* value = e_->Attribute(attribute);
  return value ? std::optional(trimmed(value)) : std::nullopt;
}

std::optional<std::string> XmlElement::need(const char* attribute, const char* what) const {
  const auto value = word(attribute);
  if (!value || value->empty()) {
    fault(fmt::format("{} is missing: {}", attribute, what));
    return {};
  }
  return value;
}

std::optional<std::vector<double>> XmlElement::parsed(const std::string& text, const std::string& what,
                                                      std::size_t least, std::size_t most) const {
  std::vector<double> values;
  const std::string path = what.empty() ? called() : called() + " " + what;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    while (at < end && std::string_view(space).find(*at) != std::string_view::npos) ++at;
    if (at == end) break;
    const char* stop = std::find_if(
        at, end, [](char c) { return std::string_view(space).find(c) != std::string_view::npos; });
    double value = 0;
    const char* from = *at == '+' ? at + 1 : at;
    const auto [read, error] = std::from_chars(from, stop, value);
    const std::string shown = quoted(std::string(at, stop));
    if (error == std::errc::result_out_of_range) {
      reading_->fault(*e_, path, fmt::format("{} is beyond the range of numbers", shown));
      return {};
    }
    if (error != std::errc() || read != stop) {
      reading_->fault(*e_, path, fmt::format("{} is no number", shown));
      return {};
    }
    if (!std::isfinite(value)) {
      reading_->fault(*e_, path, fmt::format("{} is not finite", shown));
      return {};
    }
    values.push_back(value);
    if (values.size() > most) break;
    at = stop;
  }
  if (values.size() < least || values.size() > most) {
    const std::string count = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
    reading_->fault(*e_, path,
                    fmt::format("{} has {} numbers; {} are needed", quoted(text),
                                values.size() > most ? "too many" : std::to_string(values.size()), count));
    return {};
  }
  return values;
}

std::optional<std::vector<double>> XmlElement::numbers(const char* attribute, std::size_t least,
                                                       std::size_t most) const {
  const auto text = word(attribute);
  return text ? parsed(*text, attribute, least, most) : std::nullopt;
}

std::optional<double> XmlElement::number(const char* attribute) const {
  const auto values = numbers(attribute, 1, 1);
  return values ? std::optional((*values)[0]) : std::nullopt;
}

std::optional<mechanics::Vec3> XmlElement::vector(const char* attribute) const {
  const auto values = numbers(attribute, 3, 3);
  if (!values) return {};
  return mechanics::Vec3{(*values)[0], (*values)[1], (*values)[2]};
}

namespace {
std::optional<bool> flag_of(const std::string& text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return {};
}
}  // namespace

std::optional<bool> XmlElement::flag(const char* attribute) const {
  const auto text = word(attribute);
  if (!text) return {};
  const auto value = flag_of(*text);
  if (!value) fault(attribute, fmt::format("{} is neither true nor false", quoted(*text)));
  return value;
}

std::optional<std::string> XmlElement::own_word() const {
  const char* text = e_->GetText();
  return text ? std::optional(trimmed(text)) : std::nullopt;
}

std::optional<std::vector<double>> XmlElement::own_numbers(std::size_t least, std::size_t most) const {
  return parsed(own_word().value_or(""), "", least, most);
}

std::optional<double> XmlElement::own_number() const {
  const auto values = own_numbers(1, 1);
  return values ? std::optional((*values)[0]) : std::nullopt;
}

std::optional<bool> XmlElement::own_flag() const {
  const std::string text = own_word().value_or("");
  const auto value = flag_of(text);
  if (!value) fault(fmt::format("{} is neither true nor false", quoted(text)));
  return value;
}

std::string XmlElement::called() const {
  const char* name = e_->Attribute("name");
  return name ? fmt::format("<{} {}>", e_->Name(), quoted(trimmed(name))) : fmt::format("<{}>", e_->Name());
}

void XmlElement::fault(const std::string& message) const {
  reading_->fault(*e_, called(), message);
}

void XmlElement::fault(const char* attribute, const std::string& message) const {
  reading_->fault(*e_, called() + " " + attribute, message);
}

void XmlElement::omit(const std::string& what, const std::string& effect) const {
  reading_->omit(*e_, what, effect);
}

void XmlElement::ignore() const {
  reading_->asked_[e_].all = true;
}

}  // namespace driftless::io

#include "io/robot/xml_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "io/common/file_text.hpp"

namespace driftless::io {

namespace {

constexpr std::size_t largest_file = 16 << 20;  // a tree of elements takes thirty times as much
constexpr std::size_t most_files = 200;
constexpr std::size_t most_faults = 100;
constexpr const char* space = " \t\r\n";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(space);
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(space) - first + 1));
}

std::string quoted(const std::string& text) {
  constexpr std::size_t longest = 40;
  std::string shown;
  for (const char c : text.substr(0, longest)) shown += static_cast<unsigned char>(c) < 32 ? '?' : c;
  return fmt::format("'{}{}'", shown, text.size() > longest ? ".." : "");
}

std::string reason(tinyxml2::XMLError error) {
  using namespace tinyxml2;
  switch (error) {
    case XML_ERROR_PARSING:
    case XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or another one is closed here";
    case XML_ERROR_EMPTY_DOCUMENT:
      return "there is nothing in it";
    case XML_ELEMENT_DEPTH_EXCEEDED:
      return fmt::format("elements stand in each other more than {} deep", TINYXML2_MAX_ELEMENT_DEPTH);
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
  Open& open = open_.emplace_back(Open{file, std::make_unique<tinyxml2::XMLDocument>()});
  if (const auto error = open.document->Parse(text.data(), text.size()); error != tinyxml2::XML_SUCCESS)
    refuse(std::max(open.document->ErrorLineNum(), 1), "this is not XML: " + reason(error));
  for (const tinyxml2::XMLNode* node = open.document->FirstChild(); node; node = node->NextSibling())
    if (const auto* unknown = node->ToUnknown())
      refuse(unknown->GetLineNum(),
             fmt::format("<!{}..> is not read: what document types define, entities, can grow without bound; "
                         "take it out and write out what it stands for",
                         trimmed(unknown->Value()).substr(0, 10)));
  const tinyxml2::XMLElement* root = open.document->RootElement();
  if (!root) refuse(1, "this is not XML: there is no element in it");
  return root;
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

std::string XmlReading::file_of(const tinyxml2::XMLNode& node) const {
  for (const Open& open : open_)
    if (open.document.get() == node.GetDocument()) return open.file.filename().string();
  return file_.filename().string();
}

// --- what is wrong, and what is left ---------------------------------------------------------------------------------------------

void XmlReading::fault(int line, const std::string& path, const std::string& message) {
  if (faults_.size() < most_faults)
    faults_.push_back({line, 1, path, message});
  else
    ++untold_;
}

void XmlReading::fault(const tinyxml2::XMLNode& at, const std::string& path, const std::string& message) {
  const bool first = open_.empty() || at.GetDocument() == open_.front().document.get();
  if (first)
    fault(at.GetLineNum(), path, message);
  else
    fault(0, fmt::format("{}:{}: {}", file_of(at), at.GetLineNum(), path), message);
}

void XmlReading::omit(const tinyxml2::XMLNode& at, const std::string& what, const std::string& effect) {
  const auto [known, is_new] = known_omissions_.emplace(what, omissions_.size());
  if (is_new)
    omissions_.push_back(
        {.what = what, .effect = effect, .where = fmt::format("{}:{}", file_of(at), at.GetLineNum())});
  else
    ++omissions_[known->second].count;
}

void XmlReading::finish() {
  for (const Open& open : open_)
    if (const auto* root = open.document->RootElement()) finish(*root);
}

void XmlReading::finish(const tinyxml2::XMLElement& element) {
  const Asked& asked = asked_[&element];
  if (asked.all) return;
  for (const auto* a = element.FirstAttribute(); a; a = a->Next())
    if (!asked.attributes.count(a->Name()))
      omit(element, fmt::format("attribute {} of <{}>", a->Name(), element.Name()), "it is not known here");
  for (const auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
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
  for (const auto* c = e_->FirstChildElement(name); c; c = c->NextSiblingElement(name))
    all.emplace_back(*c, *reading_);
  return all;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> all;
  auto& asked = reading_->asked_[e_].children;
  for (const auto* c = e_->FirstChildElement(); c; c = c->NextSiblingElement()) {
    asked.insert(c->Name());
    all.emplace_back(*c, *reading_);
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

// What one element says: its attributes and its text as words and numbers, with what is wrong about them.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "io/robot/xml_file.hpp"
#include "io/robot/xml_words.hpp"

namespace driftless::io {

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
    while (at < end && std::string_view(xml_space).find(*at) != std::string_view::npos) ++at;
    if (at == end) break;
    const char* stop = std::find_if(
        at, end, [](char c) { return std::string_view(xml_space).find(c) != std::string_view::npos; });
    double value = 0;
    const char* from = *at == '+' ? at + 1 : at;
    const auto [read, error] = std::from_chars(from, stop, value);
    const std::string shown = in_quotes(std::string(at, stop));
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
                    fmt::format("{} has {} numbers; {} are needed", in_quotes(text),
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
  if (!value) fault(attribute, fmt::format("{} is neither true nor false", in_quotes(*text)));
  return value;
}

std::optional<std::string> XmlElement::own_word() const {
  // GetText() ends at the first comment, and 1<!-- kg -->0 is ten.
  std::optional<std::string> text;
  int between = 0;  // what stands between this piece of text and the one before
  for (const auto* node = e_->FirstChild(); node; node = node->NextSibling()) {
    if (!node->ToText()) {
      between += node->ToElement() ? 2 : 1;
      continue;
    }
    if (!text)
      text.emplace();
    else if (between > 1)
      *text += ' ';  // elements part words; and the parser drops the space between two comments
    *text += node->Value();
    between = 0;
  }
  return text ? std::optional(trimmed(*text)) : std::nullopt;
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
  if (!value) fault(fmt::format("{} is neither true nor false", in_quotes(text)));
  return value;
}

std::string XmlElement::called() const {
  const char* name = e_->Attribute("name");
  return name ? fmt::format("<{} {}>", e_->Name(), in_quotes(trimmed(name)))
              : fmt::format("<{}>", e_->Name());
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

void XmlElement::leave_out(const std::string& what, const std::string& effect) const {
  reading_->omit(*e_, what, effect, false);
}

void XmlElement::ignore() const {
  reading_->asked_[e_].all = true;
}

}  // namespace driftless::io

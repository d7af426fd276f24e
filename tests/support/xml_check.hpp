// Is a text well-formed XML? Enough of the rules for what the library writes: one root, tags closed in order,
// attributes quoted and given once, '<' and '&' escaped, no control characters.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::tests {

class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : rest_(text) {}

  // What is wrong; empty: nothing.
  std::string fault() {
    while (!rest_.empty() && fault_.empty()) {
      if (rest_.starts_with("</"))
        closing_tag();
      else if (rest_.front() == '<')
        opening_tag();
      else
        character(!open_.empty());
    }
    if (fault_.empty() && !open_.empty()) fault_ = "<" + open_.back() + "> is not closed";
    if (fault_.empty() && !had_root_) fault_ = "there is no root";
    return fault_;
  }

 private:
  void complain(const std::string& what) { fault_ = what + " at: " + std::string(rest_.substr(0, 60)); }

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  std::string name() {
    std::size_t length = 0;
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == ':';
    };
    while (length < rest_.size() && belongs(rest_[length])) ++length;
    const std::string result(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (result.empty()) complain("no name");
    return result;
  }

  void character(bool allowed) {
    if (!allowed && rest_.front() != '\n') return complain("text outside of the root");
    if (rest_.front() == '<') return complain("'<' where it must be escaped");
    if (static_cast<unsigned char>(rest_.front()) < 0x20 && rest_.front() != '\n')
      return complain("a control character");
    if (rest_.front() != '&') return rest_.remove_prefix(1);
    for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
      if (take(entity)) return;
    complain("an unknown entity");
  }

  void closing_tag() {
    take("</");
    const std::string tag = name();
    if (!take(">") || open_.empty() || open_.back() != tag) return complain("</" + tag + "> closes nothing");
    open_.pop_back();
  }

  void opening_tag() {
    if (open_.empty() && had_root_) return complain("a second root");
    had_root_ = true;
    take("<");
    const std::string tag = name();
    std::set<std::string> seen;
    while (fault_.empty() && take(" ")) {
      if (!seen.insert(name()).second) return complain("an attribute for the second time");
      if (!take("=\"")) return complain("an attribute without a quoted value");
      while (fault_.empty() && !rest_.empty() && rest_.front() != '"') character(true);
      if (!take("\"")) return complain("an attribute that does not end");
    }
    if (take("/>")) return;
    if (!take(">")) return complain("a tag that does not end");
    open_.push_back(tag);
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::string fault_;
  bool had_root_ = false;
};

inline std::string xml_fault(std::string_view text) {
  return XmlCheck(text).fault();
}

}  // namespace driftless::tests

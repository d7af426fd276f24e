// XML files read with care: of bounded size and depth, without document types and so without entities; every element and attribute knows whether
// somebody asked for it, so that the rest can be told. What is wrong goes to a common list with its line, and reading goes on.
#pragma once

#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tinyxml2.h>

#include <driftless/core/method_options.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/vector3.hpp>

#include "io/robot/robot.hpp"

namespace driftless::io {

constexpr std::size_t largest_xml_file = 16 << 20;  // a tree of elements takes thirty times as much

class XmlElement;

// All files that one robot is read from.
class XmlReading {
 public:
  // `inside`: files outside of the folder of the first one are refused.
  XmlReading(const std::filesystem::path& file, bool inside) : file_(file), inside_(inside) {}

  // The root element. Throws ModelError for what is no XML.
  XmlElement parse(std::string_view text);
  // Of another file that an element names; nothing: a fault of that element.
  std::optional<XmlElement> include(XmlElement& from, const std::string& name);

  void fault(const tinyxml2::XMLNode& at, const std::string& path, const std::string& message);
  void fault(int line, const std::string& path, const std::string& message);
  // `acts`: it could change the motion.
  void omit(const tinyxml2::XMLNode& at, const std::string& what, const std::string& effect,
            bool acts = true);
  // Everything that nobody asked for becomes an omission.
  void finish();

  const std::filesystem::path& file() const { return file_; }
  std::vector<ModelFault>& faults() { return faults_; }
  std::size_t untold() const { return untold_; }
  // " (did you mean ..?)" for a name that is not among the keys of a map. Comparing all with all would take long where there are many faults: of those
  // that are not told nobody asks.
  template <class Map>
  std::string near(const std::string& wrong, const Map& known) const {
    std::vector<std::string> names;
    if (untold_ == 0)
      for (const auto& [name, value] : known) names.push_back(name);
    return suggestion(wrong, names);
  }
  std::vector<RobotOmission>& omissions() { return omissions_; }

 private:
  friend class XmlElement;
  struct Asked {
    std::set<std::string> attributes, children;
    bool all = false;  // with everything in it
  };
  struct Open {
    std::filesystem::path file;
    std::vector<std::unique_ptr<tinyxml2::XMLDocument>> layers = {};  // one, where elements do not stand deep
  };
  const tinyxml2::XMLElement* parse(std::string_view text, const std::filesystem::path& file);
  // The element itself, or the one that it keeps the place of.
  const tinyxml2::XMLElement* real(const tinyxml2::XMLElement* element) const;
  void finish(const tinyxml2::XMLElement& element);
  const Open& open_with(const tinyxml2::XMLNode& node) const;

  std::filesystem::path file_;
  bool inside_;
  std::list<Open> open_;
  std::size_t read_ = 0;  // characters of all of them
  std::map<const tinyxml2::XMLElement*, const tinyxml2::XMLElement*>
      deeper_;  // by placeholders (xml_layers.hpp)
  std::map<const tinyxml2::XMLNode*, Asked> asked_;
  std::vector<ModelFault> faults_;
  std::size_t untold_ = 0;
  std::vector<RobotOmission> omissions_;
  std::map<std::string, std::size_t> known_omissions_;
};

class XmlElement {
 public:
  XmlElement(const tinyxml2::XMLElement& element, XmlReading& reading) : e_(&element), reading_(&reading) {}

  std::string name() const { return e_->Name(); }
  int line() const { return e_->GetLineNum(); }
  const tinyxml2::XMLElement& node() const { return *e_; }
  XmlReading& reading() const { return *reading_; }
  bool in_file_of(const XmlElement& other) const {
    return &reading_->open_with(*e_) == &reading_->open_with(*other.e_);
  }

  // The only one of that name; more of them are a fault.
  std::optional<XmlElement> child(const char* name) const;
  std::vector<XmlElement> children(const char* name) const;
  // All, whatever they are called; each counts as asked for.
  std::vector<XmlElement> children() const;

  bool has(const char* attribute) const { return e_->Attribute(attribute) != nullptr; }
  // Nothing where there is none, or none that can be used (which is a fault). Spaces around are left out.
  std::optional<std::string> word(const char* attribute) const;
  std::optional<double> number(const char* attribute) const;
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least,
                                             std::size_t most) const;
  std::optional<mechanics::Vec3> vector(const char* attribute) const;
  std::optional<bool> flag(const char* attribute) const;
  // A fault where there is none.
  std::optional<std::string> need(const char* attribute, const char* what) const;
  // The same of the text of the element itself, as SDFormat has it.
  std::optional<std::string> own_word() const;
  std::optional<double> own_number() const;
  std::optional<std::vector<double>> own_numbers(std::size_t least, std::size_t most) const;
  std::optional<bool> own_flag() const;

  // What is wrong, by "joint 'hip'" and, for one of its attributes, that name.
  void fault(const std::string& message) const;
  void fault(const char* attribute, const std::string& message) const;
  // It is read, and not simulated; or it has no part in the motion.
  void omit(const std::string& what, const std::string& effect) const;
  void leave_out(const std::string& what, const std::string& effect) const;
  // With all that is in it, it counts as asked for.
  void ignore() const;
  // "<joint 'hip'>"
  std::string called() const;

 private:
  std::optional<std::vector<double>> parsed(const std::string& text, const std::string& what,
                                            std::size_t least, std::size_t most) const;

  const tinyxml2::XMLElement* e_;
  XmlReading* reading_;
};

}  // namespace driftless::io

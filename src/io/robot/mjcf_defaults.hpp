// What elements of MJCF say: <include> puts the elements of another file in its place, and <default> gives values to elements of a class where
// they give none themselves.
//   An element's class is its own `class`, else the nearest `childclass` around it, else main.
//   An inner <default> begins with what the outer one has. Several <default> at the top go on with class main; classes that were read before do
//   not see what comes later.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/robot/xml_file.hpp"

namespace driftless::io {

// The elements of all files together.
class MjcfFile {
 public:
  explicit MjcfFile(const XmlElement& root) : root_(root) {}

  const XmlElement& root() const { return root_; }
  // What is in an element, with what is included there.
  const std::vector<XmlElement>& children(const XmlElement& of);
  // All <name> of the root, which may be several.
  std::vector<XmlElement> sections(const std::string& name);

 private:
  void add(const XmlElement& from, std::vector<XmlElement>& all, int depth);

  XmlElement root_;
  std::map<const tinyxml2::XMLNode*, std::vector<XmlElement>> children_;
};

// Elements of classes are read by many; what is wrong with them is told once.
struct MjcfShared {
  using Key = std::pair<const tinyxml2::XMLNode*, std::string>;
  std::map<Key, std::optional<std::vector<double>>> numbers;
  std::set<Key> told;
};

// An element, and behind it those of its class and of the classes around that, the outermost first.
class MjcfElement {
 public:
  explicit MjcfElement(const XmlElement& own) : own_(own) {}
  MjcfElement(const XmlElement& own, const std::vector<XmlElement>& classes, MjcfShared& shared)
      : own_(own), classes_(&classes), shared_(&shared) {}

  const XmlElement& own() const { return own_; }
  // Of the given attributes the one that stands nearest: in the element itself, or in the innermost class; nullptr: none does.
  const char* nearest(std::initializer_list<const char*> attributes) const;
  bool has(const char* attribute) const { return nearest({attribute}) != nullptr; }

  std::optional<std::string> word(const char* attribute) const { return from(attribute).word(attribute); }
  std::optional<double> number(const char* attribute) const;
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least,
                                             std::size_t most) const;
  std::optional<mechanics::Vec3> vector(const char* attribute) const;
  std::optional<int> whole(const char* attribute) const;
  // The number of the word among those that there are.
  std::optional<std::size_t> one_of(const char* attribute, const std::vector<std::string>& words) const;
  bool flag(const char* attribute, bool otherwise) const;
  // A short list replaces the first numbers of an outer class's only.
  std::vector<double> overlaid(const char* attribute, std::vector<double> values) const;

  void fault(const char* attribute, const std::string& message) const;

 private:
  const XmlElement& from(const char* attribute) const;
  std::optional<std::vector<double>> parsed(const XmlElement& e, const char* attribute, std::size_t least,
                                            std::size_t most) const;

  XmlElement own_;
  const std::vector<XmlElement>* classes_ = nullptr;
  MjcfShared* shared_ = nullptr;
};

class MjcfClasses {
 public:
  // All <default> of the file.
  void read(MjcfFile& file);
  // By name; a fault of that attribute where there is none. `otherwise` where the element does not name one.
  int named(const XmlElement& e, const char* attribute, int otherwise) const;
  int main() const { return main_; }
  // `kind` as in <default>: joint, geom, site, equality, actuator (which are of several names).
  MjcfElement of(const XmlElement& e, const std::string& kind, int inherited);
  // Of a class itself: all of that kind, the outermost first.
  const std::vector<XmlElement>& elements(int named, const std::string& kind);

 private:
  struct Class {
    int parent = -1, depth = 0;
    std::map<std::string, std::vector<XmlElement>> own = {};
  };
  int add(const XmlElement& section, int parent);
  void read(MjcfFile& file, const XmlElement& section, int into);

  std::vector<Class> classes_ = {{}};
  std::map<std::string, int> names_ = {{"main", 0}};
  int main_ = 0;
  std::map<std::pair<int, std::string>, std::vector<XmlElement>> chains_;
  MjcfShared shared_;
};

// Kind in <default> of an actuator's element: "actuator", of others their own name.
std::string kind_of(const std::string& element);
// Attributes that the format has for an element of this kind count as asked for: those that are not used here act on contacts, limits or
// pictures, of which other omissions tell.
void know(const XmlElement& e, const std::string& kind);
void know(const XmlElement& e, std::initializer_list<const char*> attributes);

}  // namespace driftless::io

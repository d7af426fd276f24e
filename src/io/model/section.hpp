// Section: a table of a model file with its path. It hands out values by their keys and remembers which were asked for, so that the rest can be
// refused by name; what is wrong goes to a common list, and reading goes on.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

#include <driftless/mechanics/units.hpp>
#include <driftless/mechanics/vector3.hpp>

#include "io/model/model_numbers.hpp"

namespace driftless::io {

// What is wrong, and what is needed to read a number.
struct Reading {
  ModelNumbers numbers;
  std::vector<ModelFault> faults = {};
  std::size_t untold = 0;             // faults beyond those that are kept
  std::set<std::string> broken = {};  // paths with faults, and those above them

  void fault(const toml::source_region& where, const std::string& path, const std::string& message);
};

bool has_control_characters(const std::string& text);

class Section {
 public:
  Section(const toml::table& table, std::string path, Reading& reading)
      : table_(table), path_(std::move(path)), reading_(reading) {}

  const std::string& path() const { return path_; }
  bool has(const std::string& key) const { return table_.contains(key); }
  bool broken() const;  // something in it is wrong

  // Nothing where there is none, or none that can be used (which is a fault). Numbers become SI.
  std::optional<double> number(const std::string& key, const mechanics::Dimension& d = {});
  std::optional<double> positive(const std::string& key, const mechanics::Dimension& d = {});
  std::optional<long> whole(const std::string& key);
  // In the plane two numbers; who reads three of which the last is not 0 says what to do with it. In space three.
  enum class Room { plane, space, either };
  std::optional<mechanics::Vec3> vector(const std::string& key, const mechanics::Dimension& d = {},
                                        Room room = Room::either);
  std::optional<std::vector<double>> numbers(const std::string& key, std::size_t count,
                                             const mechanics::Dimension& d = {});
  std::optional<std::string> text(const std::string& key);
  std::optional<std::vector<std::string>> texts(const std::string& key);
  std::optional<bool> flag(const std::string& key);
  std::optional<Section> section(const std::string& key);
  std::vector<Section> list(const std::string& key);  // of tables
  // Points of two numbers each.
  std::optional<std::vector<std::pair<double, double>>> points(const std::string& key,
                                                               const mechanics::Dimension& x,
                                                               const mechanics::Dimension& y);
  // All entries that are tables, in the order of the file.
  std::vector<std::pair<std::string, Section>> entries();
  // All keys, in the order of the file.
  std::vector<std::string> keys() const;

  const toml::node* node(const std::string& key);  // counts as asked for
  void knows(std::initializer_list<const char*> keys) { asked_.insert(keys.begin(), keys.end()); }
  bool need(const std::string& key, const std::string& what);  // false and a fault where there is none

  void fault(const std::string& message) const;                          // about the section
  void fault(const std::string& key, const std::string& message) const;  // about one of its values
  // All keys that nobody asked for are faults.
  void finish();

 private:
  std::string path_of(const std::string& key) const;
  std::optional<double> value(const toml::node& node, const std::string& path, const mechanics::Dimension& d);
  bool fits(const toml::array& list, const double (&numbers)[3], const std::string& key, Room room) const;
  void wrong_type(const toml::node& node, const std::string& path, const std::string& expected);

  const toml::table& table_;
  std::string path_;
  Reading& reading_;
  std::set<std::string> asked_;
};

}  // namespace driftless::io

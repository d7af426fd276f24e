// Which unknowns count in a norm: levels of z by name (q, v, then x2, x3, ..) or single entries of them
// (q[0], v[3]), and lambda for every multiplier among the unknowns.
//   auto   all of z
// Weights make a sum of squares the mean square of those that count.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/system.hpp>

namespace driftless::integrators {

class CountedEntries {
 public:
  CountedEntries(const std::string& option, const std::string& words);  // throws InputError

  // For the entries of z, then multipliers, if they count: 0, or as large as makes up in a mean over all
  // entries for those that do not count. Throws InputError for what there is not.
  Vector error_weights(const DaeSystem& system, const State& state) const;
  bool multipliers() const { return multipliers_; }
  bool automatic() const { return parts_.empty() && !multipliers_; }
  // For the unknowns y: 0, or 1/sqrt(how many count).
  Vector corrector_weights(const DaeSystem& system, const State& state) const;

 private:
  struct Part {
    std::string name;
    int level;
    int entry;  // -1: all of the level
  };
  static Part part_of(const std::string& word);  // level -1: the word names none

  void check(const DaeSystem& system, const State& state) const;
  void mark_parts(const State& state, Vector& counts) const;

  std::string option_;
  std::vector<Part> parts_;
  bool multipliers_ = false;
};

}  // namespace driftless::integrators

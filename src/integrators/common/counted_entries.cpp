#include "counted_entries.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/method_options.hpp>

namespace driftless::integrators {

namespace {

std::string name_of_level(int level) {
  return level == 0 ? "q" : level == 1 ? "v" : fmt::format("x{}", level);
}

int level_of(const std::string& word) {
  if (word == "q") return 0;
  if (word == "v") return 1;
  return word.size() == 2 && word[0] == 'x' && word[1] >= '0' && word[1] <= '9' ? word[1] - '0' : -1;
}

int multipliers_of(const DaeSystem& system) {
  return static_cast<int>(system.index_of_unknowns().size()) - system.differential_unknowns();
}

}  // namespace

CountedEntries::CountedEntries(const std::string& option, const std::string& words) : option_(option) {
  if (words == "auto") return;
  for (const std::string& word : split_list(words)) {
    const int level = level_of(word);
    if (word == "lambda")
      multipliers_ = true;
    else if (level >= 0)
      levels_.push_back(level);
    else
      throw InputError(
          fmt::format("{} of bdf names '{}' (must be auto, or among q, v, x2, x3, .. and lambda, "
                      "separated by ';')",
                      option, word));
  }
  if (levels_.empty())
    throw InputError(
        fmt::format("{} of bdf is '{}' and names no level; name q, v or both, or auto", option, words));
}

void CountedEntries::check(const DaeSystem& system, const State& state) const {
  for (const int level : levels_)
    if (level >= state.layout.order)
      throw InputError(fmt::format("{} of bdf names {} and the problem has order {}; leave it out", option_,
                                   name_of_level(level), state.layout.order));
  if (multipliers_ && multipliers_of(system) == 0)
    throw InputError(fmt::format(
        "{} of bdf names lambda, which is no unknown of this formulation; leave it out", option_));
}

void CountedEntries::mark_levels(const State& state, Vector& counts) const {
  for (const int level : levels_)
    counts.segment(state.layout.offset(level), state.layout.width(level)).setOnes();
}

Vector CountedEntries::error_weights(const DaeSystem& system, const State& state) const {
  check(system, state);
  const auto nz = state.z.size();
  const auto differential = std::min<Eigen::Index>(nz, system.differential_unknowns());
  const auto inherits = [&](Eigen::Index i) {
    return i < differential && system.index_of_unknowns()[static_cast<std::size_t>(i)] > 0;
  };
  // Differences of what inherits errors divided by h do not become small with the step.
  for (const int level : levels_)
    if (inherits(state.layout.offset(level)))
      throw InputError(
          fmt::format("{} of bdf names {}, which is of index 2 in this formulation: no step would be small "
                      "enough for it; leave it out, or use another formulation",
                      option_, name_of_level(level)));
  const auto& index = system.index_of_unknowns();
  if (multipliers_ && *std::max_element(index.begin(), index.end()) > 1)
    throw InputError(fmt::format(
        "{} of bdf names lambda, which is of index 2 or 3 in this formulation: no step would be small enough "
        "for it; leave it out, lambda follows q and v",
        option_));
  Vector counts = Vector::Zero(nz + (multipliers_ ? multipliers_of(system) : 0));
  mark_levels(state, counts);
  if (multipliers_) counts.tail(counts.size() - nz).setOnes();
  if (automatic()) {
    counts.setOnes();
    for (Eigen::Index i = 0; i < nz; ++i)
      if (inherits(i)) counts[i] = 0;
  }
  return counts * std::sqrt(static_cast<double>(counts.size()) / counts.sum());
}

Vector CountedEntries::corrector_weights(const DaeSystem& system, const State& state) const {
  check(system, state);
  Vector counts = Vector::Zero(static_cast<Eigen::Index>(system.index_of_unknowns().size()));
  if (automatic()) {
    counts.head(system.differential_unknowns()).setOnes();
  } else {
    if (system.differential_unknowns() < state.z.size())
      throw InputError(fmt::format(
          "{} of bdf names levels, and the unknowns here are local coordinates; use auto", option_));
    mark_levels(state, counts);
    if (multipliers_) counts.tail(multipliers_of(system)).setOnes();
  }
  return counts / std::sqrt(counts.sum());
}

}  // namespace driftless::integrators

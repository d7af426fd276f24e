#include "counted_entries.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/method_options.hpp>

namespace driftless::integrators {

namespace {

int level_of(const std::string& word) {
  if (word == "q") return 0;
  if (word == "v") return 1;
  return word.size() == 2 && word[0] == 'x' && word[1] >= '0' && word[1] <= '9' ? word[1] - '0' : -1;
}

int multipliers_of(const DaeSystem& system) {
  return static_cast<int>(system.index_of_unknowns().size()) - system.differential_unknowns();
}

}  // namespace

CountedEntries::Part CountedEntries::part_of(const std::string& word) {
  const auto bracket = word.find('[');
  if (bracket == std::string::npos) return {word, level_of(word), -1};
  const std::string number = word.substr(bracket + 1, word.size() - bracket - 2);
  const bool is_entry = word.back() == ']' && !number.empty() && number.size() < 6 &&
                        number.find_first_not_of("0123456789") == std::string::npos;
  return is_entry ? Part{word, level_of(word.substr(0, bracket)), std::stoi(number)} : Part{word, -1, -1};
}

CountedEntries::CountedEntries(const std::string& option, const std::string& words) : option_(option) {
  if (words == "auto") return;
  for (const std::string& word : split_list(words)) {
    const Part part = part_of(word);
    if (word == "lambda")
      multipliers_ = true;
    else if (part.level >= 0)
      parts_.push_back(part);
    else
      throw InputError(
          fmt::format("{} of bdf names '{}' (must be auto, or among q, v, x2, x3, .., entries of these as in "
                      "q[0], and lambda, separated by ';')",
                      option, word));
  }
  if (parts_.empty())
    throw InputError(
        fmt::format("{} of bdf is '{}' and names no level; name q, v or both, or auto", option, words));
}

void CountedEntries::check(const DaeSystem& system, const State& state) const {
  for (const Part& part : parts_) {
    if (part.level >= state.layout.order)
      throw InputError(fmt::format("{} of bdf names {} and the problem has order {}; leave it out", option_,
                                   part.name, state.layout.order));
    const int width = state.layout.width(part.level);
    if (part.entry >= width)
      throw InputError(fmt::format("{} of bdf names {} and there are {} entries; name one from 0 to {}",
                                   option_, part.name, width, width - 1));
  }
  if (multipliers_ && multipliers_of(system) == 0)
    throw InputError(fmt::format(
        "{} of bdf names lambda, which is no unknown of this formulation; leave it out", option_));
}

void CountedEntries::mark_parts(const State& state, Vector& counts) const {
  for (const auto& [name, level, entry] : parts_)
    if (entry < 0)
      counts.segment(state.layout.offset(level), state.layout.width(level)).setOnes();
    else
      counts[state.layout.offset(level) + entry] = 1;
}

Vector CountedEntries::error_weights(const DaeSystem& system, const State& state) const {
  check(system, state);
  const auto nz = state.z.size();
  const auto differential = std::min<Eigen::Index>(nz, system.differential_unknowns());
  const auto inherits = [&](Eigen::Index i) {
    return i < differential && system.index_of_unknowns()[static_cast<std::size_t>(i)] > 0;
  };
  // Differences of what inherits errors divided by h do not become small with the step.
  for (const Part& part : parts_)
    if (inherits(state.layout.offset(part.level)))
      throw InputError(
          fmt::format("{} of bdf names {}, which is of index 2 in this formulation: no step would be small "
                      "enough for it; leave it out, or use another formulation",
                      option_, part.name));
  const auto& index = system.index_of_unknowns();
  if (multipliers_ && *std::max_element(index.begin(), index.end()) > 1)
    throw InputError(fmt::format(
        "{} of bdf names lambda, which is of index 2 or 3 in this formulation: no step would be small enough "
        "for it; leave it out, lambda follows q and v",
        option_));
  Vector counts = Vector::Zero(nz + (multipliers_ ? multipliers_of(system) : 0));
  mark_parts(state, counts);
  if (multipliers_) counts.tail(counts.size() - nz).setOnes();
  if (automatic()) counts.setOnes();
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
          "{} of bdf names entries of z, and the unknowns here are local coordinates; use auto", option_));
    mark_parts(state, counts);
    if (multipliers_) counts.tail(multipliers_of(system)).setOnes();
  }
  return counts / std::sqrt(counts.sum());
}

}  // namespace driftless::integrators

#include <driftless/core/invariants_option.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/power.hpp>

namespace driftless {

OptionSpec invariants_option() {
  return {.name = "invariants",
          .fallback = "none",
          .help =
              "kept like constraints: energy, names of the problem's own, or all; separated by ';' (not with "
              "F=block, split or input)",
          .text = true};
}

std::vector<std::string> invariant_names(const OptionValues& options) {
  const std::string& text = options.word("invariants");
  return text == "none" ? std::vector<std::string>{} : split_list(text);
}

Invariants choose_invariants(const Problem& problem, const std::vector<std::string>& names) {
  const Shape& shape = problem.shape();
  std::vector<std::string> known;
  if (shape.has_energy) known.push_back("energy");
  for (int i = 0; i < shape.ni; ++i) known.push_back(problem.invariant_name(i));
  const bool conserved = shape.has_energy && !Power::any(shape) && !shape.moving;
  Invariants chosen;
  for (const auto& name : names) {
    if (name == "energy" && shape.has_energy) {
      if (!conserved)
        throw InputError(
            "the energy of this problem is no invariant, power goes in and out; leave it out of "
            "`invariants`");
      chosen.energy = true;
      continue;
    }
    bool found = name == "all" && !known.empty();
    if (name == "all") chosen.energy = conserved;
    if (name == "all" && !conserved && shape.ni == 0 && found)
      throw InputError(
          "`invariants=all` finds only the energy, which is no invariant here, power goes in and out; leave "
          "it out");
    for (int i = 0; i < shape.ni; ++i)
      if (name == "all" || name == problem.invariant_name(i)) {
        if (std::find(chosen.numbers.begin(), chosen.numbers.end(), i) == chosen.numbers.end())
          chosen.numbers.push_back(i);
        found = true;
      }
    if (!found)
      throw InputError(
          fmt::format("the problem has no invariant '{}'; {}{}", name,
                      known.empty() ? "it has none" : fmt::format("it has: {}", fmt::join(known, ", ")),
                      suggestion(name, known)));
  }
  return chosen;
}

}  // namespace driftless

// For tables of formulations that are written by hand: what the catalog has beside them, so that nothing new goes
// untested.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <driftless/driftless.hpp>

namespace driftless::tests {

// Names of the catalog's formulations that none of those listed (with options, as on the command line) has.
inline std::vector<std::string> unlisted_formulations(const std::vector<std::string>& listed) {
  std::vector<std::string> names;
  for (const auto& entry : catalog::formulation_table())
    if (std::none_of(listed.begin(), listed.end(),
                     [&](const auto& choice) { return parse_choice(choice).name == entry.name; }))
      names.push_back(entry.name);
  return names;
}

}  // namespace driftless::tests

// References that are tables: states known at certain times.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <driftless/core/entries.hpp>

namespace driftless::problems {

// An entry that is not known, among others that are.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct KnownState {
  double t;
  std::vector<double> q, v, lambda;  // empty: not known
};

Reference table_reference(std::string source, std::vector<KnownState> states);

}  // namespace driftless::problems

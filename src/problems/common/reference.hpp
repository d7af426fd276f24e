// References that are tables: states known at certain times.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/entries.hpp>

namespace driftless::problems {

struct KnownState {
  double t;
  std::vector<double> q, v, lambda;  // empty: not known
};

Reference table_reference(std::string source, std::vector<KnownState> states);

}  // namespace driftless::problems

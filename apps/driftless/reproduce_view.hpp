// What `driftless reproduce` found: as tables for a terminal and as the JSON document that scripts rely on
// (fields may be added, none is ever renamed).
#pragma once

#include <string>
#include <vector>

#include "experiments/papers.hpp"

namespace driftless::app {

struct Reproduction {
  std::vector<experiments::Result> results;
  std::vector<std::string> figures;  // files in the folder
  std::string folder;                // empty: nothing could be written
};

std::string reproduce_json(const Reproduction& found);
std::string reproduce_text(const Reproduction& found);

// The entries that do not agree, one line each; empty where all do.
std::string disagreements(const Reproduction& found);

}  // namespace driftless::app

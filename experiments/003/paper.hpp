// Paper 003: its numbers and its figures.
#pragma once

#include <vector>

#include "experiments/common/entry.hpp"
#include "experiments/common/figure_file.hpp"

namespace driftless::experiments::paper003 {

std::vector<Entry> entries();
std::vector<FigureFile> figures(Runner& runner);

}  // namespace driftless::experiments::paper003

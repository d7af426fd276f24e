// The figures of Example 4, which have a file of their own.
#pragma once

#include <vector>

#include "experiments/common/figure_file.hpp"
#include "experiments/common/runner.hpp"

namespace driftless::experiments::paper001 {

std::vector<FigureFile> slider_crank_figures(Runner& runner);  // 4.2 to 4.13

}  // namespace driftless::experiments::paper001

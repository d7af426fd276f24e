// The papers that `driftless reproduce` knows, one folder each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <driftless/io/svg_plot.hpp>

#include "experiments/common/entry.hpp"
#include "experiments/common/figure_file.hpp"

namespace driftless::experiments {

struct Paper {
  std::string name;   // "001"
  std::string title;  // authors, year, what it is about
  std::function<std::vector<Entry>()> entries;
  std::function<std::vector<FigureFile>(Runner&)> figures;
};

const std::vector<Paper>& papers();
const Paper& find_paper(const std::string& name);  // throws InputError that names the known ones

}  // namespace driftless::experiments

// The items of a plot list, with their names looked up.
#pragma once

#include <string_view>
#include <vector>

#include <driftless/io/run_plots.hpp>

namespace driftless::io {

// `columns` are the names of the table's columns, time first. Figures have titles and labels but no data yet.
// Throws InputError for what cannot be drawn.
std::vector<RunPlot> parse_plot_list(std::string_view list, const Problem& problem,
                                     const std::vector<std::string>& columns);

}  // namespace driftless::io

// The runs of Example 4 and what is measured on them.
#pragma once

#include <string>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper001 {

std::string slider_crank_command(const std::string& stabilizer, const std::string& t_end,
                                 const std::string& step = "0.1", const std::string& start = "forward-euler");
std::string exact_slider_crank(const std::string& t_end);  // with output every 0.1

enum class Slider { angles, rod };
RowFunction slider(Slider formula);
const char* text_of(Slider formula);

}  // namespace driftless::experiments::paper001

// What the comparison shows, as text, as a page in markdown, as JSON and as diagrams.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "comparison.hpp"

namespace driftless::benchmarks {

std::string text_of(const Comparison& comparison);  // 150 columns
std::string scans_text(
    const Comparison& comparison);  // the settings tried; failures of defaults are seen there
std::string markdown_of(const std::vector<Comparison>& comparisons);
std::string json_of(const std::vector<Comparison>& comparisons);
// Error in q against milliseconds and against right-hand sides: peers-NAME.svg and peers-NAME-rhs.svg.
void write_diagrams(const std::filesystem::path& folder, const Comparison& comparison);

// "best of Driftless .. best of the others .. factor"
std::vector<std::string> verdict(const Comparison& comparison);

}  // namespace driftless::benchmarks

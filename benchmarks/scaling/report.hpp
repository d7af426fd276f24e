// What was measured, as text, as a page in Markdown, as JSON and as diagrams.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "choices.hpp"
#include "growth.hpp"
#include "others.hpp"

namespace driftless::benchmarks::scaling {

struct Report {
  std::vector<GrowthLine> growth;  // empty: was not asked for
  Others others;                   // without comparisons: was not asked for
  Choices choices;                 // empty: was not asked for
  double seconds_limit = 0;
};

enum class Form { text, markdown };
std::string growth_section(const std::vector<GrowthLine>& growth, Form form);
std::string others_section(const Others& others, Form form);
std::string choices_section(const Choices& choices, Form form);

std::string heading_of(const Report& report);  // of the text
std::string markdown_of(const Report& report);
std::string json_of(const Report& report);
// scaling-n-four-bar.svg and scaling-chain-loop.svg: seconds per step over N; scaling-work.svg: time over error.
void write_diagrams(const std::filesystem::path& folder, const Report& report);

}  // namespace driftless::benchmarks::scaling

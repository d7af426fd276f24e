#include <cmath>
#include <set>

#include <fmt/format.h>

#include "report.hpp"
#include "table.hpp"

namespace driftless::benchmarks::scaling {

namespace {

bool has_limit(Mechanism mechanism, const Quantity& quantity) {
  return !(quantity.steps_of_the_chain_count && mechanism == Mechanism::chain_loop);
}

std::string slope_text(const GrowthLine& line, const Quantity& quantity) {
  const double value = slope(line, quantity);
  if (std::isnan(value)) return "-";
  const bool above = has_limit(line.mechanism, quantity) && value > largest_slope;
  return fmt::format("{:.2f}{}", value, above ? " above" : "");
}

Table table_of(const std::vector<const GrowthLine*>& lines, const Quantity& quantity) {
  Table table;
  table.head = {fmt::format("{} [{}]", quantity.name, quantity.unit)};
  for (const GrowthPoint& point : lines.front()->points) table.head.push_back(fmt::format("N = {}", point.N));
  table.head.push_back("slope");
  for (const GrowthLine* line : lines) {
    std::vector<std::string> row = {line->program};
    for (const GrowthPoint& point : line->points)
      row.push_back(shown(quantity.value(point)) + (point.run.outcome.completed ? "" : "*"));
    row.push_back(slope_text(*line, quantity));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string remarks_of(const std::vector<const GrowthLine*>& lines, Form form) {
  std::string text;
  for (const GrowthLine* line : lines)
    for (const GrowthPoint& point : line->points)
      for (const std::string& remark : point.remarks)
        text += fmt::format("{} {}, N = {}: {}\n", form == Form::text ? "  *" : "- \\*", line->program,
                            point.N, in_short(remark));
  return text;
}

}  // namespace

std::string growth_section(const std::vector<GrowthLine>& growth, Form form) {
  std::string out;
  for (const Mechanism mechanism : {Mechanism::n_four_bar, Mechanism::chain_loop}) {
    std::vector<const GrowthLine*> lines;
    for (const GrowthLine& line : growth)
      if (line.mechanism == mechanism) lines.push_back(&line);
    if (lines.empty()) continue;
    std::string times;
    for (const GrowthPoint& point : lines.front()->points)
      times += fmt::format("{}{} s at N = {}", times.empty() ? "" : ", ", point.t_end, point.N);
    out += form == Form::markdown
               ? fmt::format("\n### {0}\n\nRuns over {1}.\n\n![seconds per step over N](scaling-{0}.svg)\n",
                             name(mechanism), times)
               : fmt::format("\nGrowth of {}, runs over {}\n", name(mechanism), times);
    for (const Quantity& quantity : quantities()) {
      const Table table = table_of(lines, quantity);
      out += fmt::format("\n{}", form == Form::markdown ? table.markdown() : table.text());
    }
    if (const std::string remarks = remarks_of(lines, form); !remarks.empty())
      out += fmt::format("\n{}", remarks);
  }
  return out;
}

}  // namespace driftless::benchmarks::scaling

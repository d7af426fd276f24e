#include "comparison.hpp"

#include <algorithm>
#include <cmath>

#include <unistd.h>

#include <fmt/format.h>

namespace driftless::benchmarks {

namespace {

Row measured(const std::string& problem, std::size_t who, const Contestant& contestant) {
  Row row;
  row.who = who;
  row.program = contestant.program;
  row.method = contestant.method;
  row.setting = contestant.setting;
  row.rhs_of_driftless = contestant.rhs_of_driftless;
  const auto [tolerance, why_not] = loosest_tolerance(problem, who, target_error);
  row.why_not = why_not;
  if (!tolerance) return row;
  row.at = figures(problem, who, *tolerance, Purpose::timed);
  row.at->drift = figures(problem, who, *tolerance, Purpose::observed).drift;
  row.million = million_instructions(problem, who, *tolerance).value_or(std::nan(""));
  return row;
}

// Those that reach the target before those that do not, then by instructions.
bool cheaper(const Row& a, const Row& b) {
  if (a.at.has_value() != b.at.has_value()) return a.at.has_value();
  return a.at && a.million < b.million;
}

void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r{}   ", text);
}

bool same_scan(const Row& a, const Row& b) {
  return a.program == b.program && a.method == b.method && a.rhs_of_driftless == b.rhs_of_driftless;
}

}  // namespace

std::string Row::name() const {
  return setting.empty() ? method : fmt::format("{} ({})", method, setting);
}

const Row* Comparison::best(bool (Row::*kind)() const) const {
  const Row* found = nullptr;
  for (const Row& row : rows)
    if (row.at && (row.*kind)() && (!found || cheaper(row, *found))) found = &row;
  return found;
}

Comparison compare(const std::string& problem, bool with_points) {
  Comparison comparison{peer_problem(problem), {}, {}};
  const auto list = contestants(problem);
  for (std::size_t i = 0; i < list.size(); ++i) {
    show_progress(fmt::format("{}: {} of {}", problem, i + 1, list.size()));
    Row row = measured(problem, i, list[i]);
    if (!row.setting.empty()) comparison.scans.push_back(row);
    const auto other = std::find_if(comparison.rows.begin(), comparison.rows.end(),
                                    [&](const Row& r) { return same_scan(r, row); });
    if (other == comparison.rows.end())
      comparison.rows.push_back(std::move(row));
    else if (cheaper(row, *other))
      *other = std::move(row);
  }
  for (std::size_t i = 0; with_points && i < comparison.rows.size(); ++i) {
    show_progress(fmt::format("{}: diagram {} of {}", problem, i + 1, comparison.rows.size()));
    Row& row = comparison.rows[i];
    for (int k = 3; k <= 10; ++k)
      row.points.push_back(figures(problem, row.who, std::pow(10, -k), Purpose::timed));
  }
  show_progress("\n");
  return comparison;
}

}  // namespace driftless::benchmarks

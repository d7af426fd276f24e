// JSON and the work-precision diagrams.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include <driftless/io/svg_plot.hpp>

#include "report.hpp"

namespace driftless::benchmarks {

namespace {

using nlohmann::json;

json number(double x) {
  return std::isfinite(x) ? json(x) : json(nullptr);
}

json json_of(const Figures& f) {
  return {{"tolerance", f.tolerance},
          {"error", {{"q", number(f.q)}, {"v", number(f.v)}, {"lambda", number(f.lambda)}}},
          {"steps", f.steps},
          {"rhs", f.rhs},
          {"factorizations", f.factorizations},
          {"seconds", f.seconds},
          {"failure", f.failure}};
}

json json_of(const Row& row) {
  json out = {{"program", row.program}, {"method", row.method},
              {"setting", row.setting}, {"rhs_of_driftless", row.rhs_of_driftless},
              {"at_target", nullptr},   {"not_reached", row.why_not},
              {"points", json::array()}};
  if (row.at) {
    out["at_target"] = json_of(*row.at);
    out["at_target"]["drift"] = {{"position", number(row.at->drift.position)},
                                 {"velocity", number(row.at->drift.velocity)}};
    out["at_target"]["million_instructions"] = number(row.million);
  }
  for (const Figures& point : row.points) out["points"].push_back(json_of(point));
  return out;
}

constexpr std::size_t most_curves = 7;  // of a kind: as many as there are colours

bool cheaper(const Row* a, const Row* b) {
  return a->million < b->million;
}

// The cheapest at the target error; of the others first one of each program, then a second one.
std::vector<const Row*> shown(const Comparison& comparison, bool (Row::*kind)() const) {
  std::vector<const Row*> rows, chosen;
  for (const Row& row : comparison.rows)
    if (row.at && (row.*kind)()) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), cheaper);
  for (std::ptrdiff_t round = 1; !rows.empty(); ++round)
    for (auto row = rows.begin(); row != rows.end();) {
      const auto before = std::count_if(chosen.begin(), chosen.end(),
                                        [&](const Row* c) { return c->program == (*row)->program; });
      if (before < round && chosen.size() < most_curves) chosen.push_back(*row);
      if (before < round)
        row = rows.erase(row);
      else
        ++row;
    }
  std::stable_sort(chosen.begin(), chosen.end(), cheaper);
  return chosen;
}

// Short enough for a legend: the diagram says which lines are whose.
std::string short_name(const Row& row) {
  std::string name = row.own() ? row.method : row.program + " " + row.method;
  for (const auto& [text, shorter] : std::vector<std::pair<std::string, std::string>>{
           {" + post:F=block", ""}, {" + post", ""}, {":gain=auto", ""}, {"Dormand-Prince", "DP"}})
    if (const auto at = name.find(text); at != std::string::npos) name.replace(at, text.size(), shorter);
  return name;
}

io::Figure figure(const Comparison& comparison, const char* y_label, double (*work)(const Figures&)) {
  io::Figure picture{
      .title = comparison.problem.title,
      .subtitle = comparison.problem.source + "; full lines: Driftless",
      .x_label = comparison.problem.relative ? "relative error in q at the end" : "error in q at the end",
      .y_label = y_label,
      .logarithmic = true,
      .series = {},
      .logarithmic_x = true};
  for (const auto kind : {&Row::own, &Row::peer}) {
    int colour =
        kind == &Row::own ? 0 : static_cast<int>(most_curves);  // the second round of colours has dashes
    for (const Row* row : shown(comparison, kind)) {
      io::Series curve{.name = short_name(*row), .x = {}, .y = {}, .like = colour++};
      for (const Figures& point : row->points) {
        if (!point.failure.empty() || !(point.q > 0 && point.q < 10)) continue;
        curve.x.push_back(point.q);
        curve.y.push_back(work(point));
      }
      picture.series.push_back(std::move(curve));
    }
  }
  return picture;
}

}  // namespace

std::string json_of(const std::vector<Comparison>& comparisons) {
  json out = {{"target_error", target_error}, {"problems", json::array()}};
  for (const Comparison& c : comparisons) {
    json problem = {{"name", c.problem.name},     {"title", c.problem.title},
                    {"source", c.problem.source}, {"error", c.problem.relative ? "relative" : "absolute"},
                    {"verdict", verdict(c)},      {"rows", json::array()},
                    {"scans", json::array()}};
    for (const Row& row : c.rows) problem["rows"].push_back(json_of(row));
    for (const Row& row : c.scans) problem["scans"].push_back(json_of(row));
    out["problems"].push_back(std::move(problem));
  }
  return out.dump(1) + "\n";
}

void write_diagrams(const std::filesystem::path& folder, const Comparison& comparison) {
  std::ofstream times(folder / ("peers-" + comparison.problem.name + ".svg"));
  io::write_svg(
      times, figure(comparison, "milliseconds (median)", [](const Figures& f) { return 1e3 * f.seconds; }));
  std::ofstream calls(folder / ("peers-" + comparison.problem.name + "-rhs.svg"));
  io::write_svg(calls, figure(comparison, "right-hand sides or residuals",
                              [](const Figures& f) { return static_cast<double>(f.rhs); }));
}

}  // namespace driftless::benchmarks

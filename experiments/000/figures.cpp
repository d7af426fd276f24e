// The paper has no figures for its tables; these draw what they are samples of:
//   examples-1-2     the error over gamma, Tables 4.1 and 4.2 with every gamma between
//   example-4-p, -v  the errors over h, Table 4.9 with every h between
#include <cmath>

#include <fmt/format.h>

#include "experiments/000/paper.hpp"
#include "experiments/000/runs.hpp"

namespace driftless::experiments::paper000 {

namespace {

using io::Figure;
using io::Series;

// Not a number where the run did not reach its end: a gap.
double read(Runner& runner, const Run& run, const Reading& reading) {
  const RunRecord& record = runner.run(command(run));
  return record.json["end"]["reason"] == "reached-end" ? reading.value(record, record) : std::nan("");
}

FigureFile over_gamma(Runner& runner) {
  Figure figure{
      .title = "Examples 1 and 2: error over γ, ν = 1000",
      .subtitle = "Baumgarte with backward Euler, h = 0.01, at t = 1; dashed: (4.7), which has no γ",
      .x_label = "γ",
      .y_label = "error of x",
      .logarithmic = true,
      .series = {},
      .logarithmic_x = true};
  std::vector<Series> limits;
  for (const auto& [name, problem] :
       {std::pair{"Example 1", example1("1000")}, std::pair{"Example 2", example2()}}) {
    Series errors{.name = fmt::format("{}, Baumgarte", name), .x = {}, .y = {}};
    for (int k = -8; k <= 48; ++k) {
      const double gamma = std::pow(10, k / 8.0);
      errors.x.push_back(gamma);
      errors.y.push_back(
          read(runner, {.problem = problem, .formulation = fmt::format("baumgarte:gamma={:.4g}", gamma)},
               error_p));
    }
    const double kept = read(runner, {.problem = problem, .formulation = projected("C^T")}, error_p);
    limits.push_back({.name = fmt::format("{}, (4.7)", name),
                      .x = {errors.x.front(), errors.x.back()},
                      .y = {kept, kept},
                      .dashed = true,
                      .like = static_cast<int>(figure.series.size())});
    figure.series.push_back(errors);
  }
  figure.series.insert(figure.series.end(), limits.begin(), limits.end());
  return {"examples-1-2.svg", figure};
}

// Curves that coincide are drawn once and named together.
struct Curve {
  const char* name;
  std::string formulation;
  bool dashed = false;
};

FigureFile over_h(Runner& runner, const char* file, const Figure& like, const Reading& error,
                  const std::vector<Curve>& curves) {
  Figure figure = like;
  for (const Curve& curve : curves) {
    Series series{.name = curve.name, .x = {}, .y = {}, .dashed = curve.dashed};
    for (const int steps :
         {10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000}) {
      const Run run{
          .problem = example4("100"), .formulation = curve.formulation, .step = text_of(1.0 / steps)};
      series.x.push_back(1.0 / steps);
      series.y.push_back(read(runner, run, error));
    }
    figure.series.push_back(series);
  }
  return {file, figure};
}

std::vector<FigureFile> example4_over_h(Runner& runner) {
  Figure figure{
      .title = "Example 4: error of p over h, ν = 100",
      .subtitle = "backward Euler, at t = 1; above h = 0.02 the constraint turns by more than 2 in a step",
      .x_label = "h",
      .y_label = "error of p",
      .logarithmic = true,
      .series = {},
      .logarithmic_x = true};
  const std::string a = projected("C^T"), b = projected("C^T", 'b'), c = projected("C^T", 'c');
  const FigureFile p =
      over_h(runner, "example-4-p.svg", figure, error_p, {{"Pb, S, nearly Pa", b}, {"Pc", c}});
  figure.title = "Example 4: error of v over h, ν = 100";
  figure.y_label = "error of v";
  const FigureFile v = over_h(runner, "example-4-v.svg", figure, error_v,
                              {{"Pb, S, Pa with v projected", b}, {"Pa", a}, {"Pc", c, true}});
  return {p, v};
}

}  // namespace

std::vector<FigureFile> figures(Runner& runner) {
  std::vector<FigureFile> files = example4_over_h(runner);
  files.insert(files.begin(), over_gamma(runner));
  return files;
}

}  // namespace driftless::experiments::paper000

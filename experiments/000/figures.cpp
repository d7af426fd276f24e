// The paper has no figures for its tables; these draw what they are samples of:
//   examples-1-2     the error over gamma, Tables 4.1 and 4.2 with every gamma between
//   example-4-p, -v  the errors over h, Table 4.9 with every h between, and Pa followed by a projection of v
#include <array>
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

struct Method {
  const char* name;
  std::string formulation, stabilizer;
  bool dashed;  // to be seen where two curves are the same
};

std::vector<FigureFile> over_h(Runner& runner) {
  const std::array<Method, 4> methods = {
      {{"Pa", projected("C^T"), "none", false},
       {"Pb", projected("C^T", 'b'), "none", false},
       {"Pc", projected("C^T", 'c'), "none", false},
       {"Pa, v projected", projected("C^T"), "projection:F=velocity", true}}};
  Figure p{.title = "Example 4: error of p over h, ν = 100",
           .subtitle = "backward Euler, at t = 1; S has the errors of Pb, and Pa differs little from it",
           .x_label = "h",
           .y_label = "error of p",
           .logarithmic = true,
           .series = {},
           .logarithmic_x = true};
  Figure v = p;
  v.title = "Example 4: error of v over h, ν = 100";
  v.subtitle = "backward Euler, at t = 1; S has the errors of Pb, and Pa nearly those of Pc";
  v.y_label = "error of v";
  for (const Method& method : methods) {
    Series of_p{.name = method.name, .x = {}, .y = {}, .dashed = method.dashed}, of_v = of_p;
    for (const int steps :
         {10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000}) {
      const Run run{.problem = example4("100"),
                    .formulation = method.formulation,
                    .step = text_of(1.0 / steps),
                    .stabilizer = method.stabilizer};
      of_p.x.push_back(1.0 / steps);
      of_v.x.push_back(1.0 / steps);
      of_p.y.push_back(read(runner, run, error_p));
      of_v.y.push_back(read(runner, run, error_v));
    }
    p.series.push_back(of_p);
    v.series.push_back(of_v);
  }
  return {{"example-4-p.svg", p}, {"example-4-v.svg", v}};
}

}  // namespace

std::vector<FigureFile> figures(Runner& runner) {
  std::vector<FigureFile> files = over_h(runner);
  files.insert(files.begin(), over_gamma(runner));
  return files;
}

}  // namespace driftless::experiments::paper000

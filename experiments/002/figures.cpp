// The paper's only figure is a sketch of the mechanism. These draw what its tables are samples of:
//   example-21   steps over the error of x, Table 1 with every tolerance between
//   andrews      error of positions over steps, Tables 2 and 3 with every tolerance between
#include <cmath>

#include <fmt/format.h>

#include "experiments/002/andrews.hpp"
#include "experiments/002/example21.hpp"
#include "experiments/002/paper.hpp"
#include "experiments/common/loop.hpp"

namespace driftless::experiments::paper002 {

namespace {

using io::Figure;
using io::Series;

// A run that did not reach its end is a gap.
Series curve(Runner& runner, const std::string& name, const std::string& commands, const Reading& x,
             const Reading& y) {
  Series series{.name = name, .x = {}, .y = {}};
  for (const std::string& command : commands_of(commands)) {
    const RunRecord& run = runner.run(command);
    const bool complete = run.json.at("end").at("reason") == "reached-end";
    series.x.push_back(complete ? x.value(run, run) : std::nan(""));
    series.y.push_back(complete ? y.value(run, run) : std::nan(""));
  }
  return series;
}

FigureFile example(Runner& runner) {
  Figure figure{.title = "Example 2.1: error of x over steps",
                .subtitle = "bdf in setting (a), tolerances in steps of a tenth of a decade",
                .x_label = "steps",
                .y_label = "error of x at 10π",
                .logarithmic = true,
                .series = {},
                .logarithmic_x = true};
  for (const Form& form : {form_10, form_ssf, form_11, form_10_both})
    figure.series.push_back(curve(runner, form.name, scan(form, setting_a), steps, error_x));
  return {"example-21.svg", figure};
}

FigureFile mechanism(Runner& runner) {
  Figure figure{.title = "Andrews' mechanism: error of positions over steps",
                .subtitle = "solid: corrector iterated to the end (c); dashed: corrector constant 0.33 (a)",
                .x_label = "steps",
                .y_label = "relative error of positions",
                .logarithmic = true,
                .series = {},
                .logarithmic_x = true};
  const std::vector<std::string> all = tolerances(4, 7, 13);
  for (const Setting& setting : {setting_c, setting_a}) {
    int number = 0;
    for (const Mechanism& form : {stabilized_1, stabilized_2, plain_2}) {
      Series series = curve(runner, fmt::format("{} {}", form.name, setting.name),
                            over(all, command(form, setting)), steps, error_p);
      series.dashed = figure.series.size() >= 3;
      if (series.dashed) series.like = number++;
      figure.series.push_back(series);
    }
  }
  return {"andrews.svg", figure};
}

}  // namespace

std::vector<FigureFile> figures(Runner& runner) {
  return {example(runner), mechanism(runner)};
}

}  // namespace driftless::experiments::paper002

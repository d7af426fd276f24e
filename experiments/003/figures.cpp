// Figures 5.2 to 5.4 and 5.6 to 5.8, redrawn: the error of Example 5.1 around its singularity, and th1 of Example 5.2 for one release.
#include <cmath>

#include <fmt/format.h>

#include "experiments/003/paper.hpp"
#include "experiments/003/slider_crank.hpp"

namespace driftless::experiments::paper003 {

namespace {

using io::Figure;
using io::Series;

FigureFile example51(Runner& runner) {
  Figure figure{.title = "Example 5.1: error of x",
                .subtitle = "gamma = 1000, bdf with steps of at most 0.001",
                .x_label = "t",
                .y_label = "x - t - 1",
                .series = {}};
  for (const auto& [name, form] : {std::pair("trust region, 1e-6", "trust-region:epsilon=1e-6"),
                                   std::pair("trust region, 1e-9", "trust-region:epsilon=1e-9"),
                                   std::pair("direct, 1e-6", "direct-regularization:epsilon=1e-6")}) {
    const Table& table =
        runner
            .run(fmt::format("driftless run 003-example51 --formulation {},gamma=1000 --integrator bdf "
                             "--stabilizer none --rtol 1e-5 --atol 1e-5 --hmax 0.001",
                             form))
            .trajectory;
    const std::vector<double>&t = table.column("t"), &x = table.column("x");
    Series series{.name = name, .x = {}, .y = {}};
    for (std::size_t i = 0; i < t.size(); ++i)
      if (std::abs(t[i]) < 0.15) {
        series.x.push_back(t[i]);
        series.y.push_back(x[i] - t[i] - 1);
      }
    figure.series.push_back(series);
  }
  return {"figure-5.3.svg", figure};
}

FigureFile example52(Runner& runner) {
  Figure figure{.title = "Example 5.2: angle of the first link",
                .subtitle = "index 2, gamma = 1000, tolerance 1e-5, let go at th1 = 1; th1 = 0 is singular",
                .x_label = "t",
                .y_label = "th1",
                .series = {}};
  for (const auto& [name, form] :
       {std::pair("trust region, 1e-6", "trust-region:epsilon=1e-6,gamma=1000,feedback=velocity"),
        std::pair("Baumgarte", "baumgarte:form=coupled,alpha=1000,beta=0"),
        std::pair("direct, 1e-6", "direct-regularization:epsilon=1e-6,gamma=1000,feedback=velocity")}) {
    const Table& table =
        runner
            .run(fmt::format("driftless run 003-slider-crank --set theta0=1 --formulation {} "
                             "--integrator {} --stabilizer none --rtol 1e-5 --atol 1e-5 --t-end 10",
                             form, without_multipliers))
            .trajectory;
    figure.series.push_back({.name = name, .x = table.column("t"), .y = table.column("th1")});
  }
  return {"figure-5.6.svg", figure};
}

}  // namespace

std::vector<FigureFile> figures(Runner& runner) {
  return {example51(runner), example52(runner)};
}

}  // namespace driftless::experiments::paper003

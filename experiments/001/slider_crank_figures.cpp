// Figures 4.2 to 4.13: Example 4, the slider-crank. Error of the slider, drift of positions and velocities,
// with (4.8), without stabilization, with velocities only and positions only; ab2, h = 0.1, the error against
// (4.8) with h = 0.01. The paper does not give the time span; [0, 100] shows what its text describes. (4.1 is
// a drawing of the mechanism.)
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiments/001/figures.hpp"
#include "experiments/001/slider_crank.hpp"

namespace driftless::experiments::paper001 {

namespace {

using io::Series;
using Values = std::vector<double>;

struct Drift {
  Values position, velocity;  // largest entries of |g| and |G v|
};

Drift drift_of(const Table& table) {
  const auto column = [&](const char* name) -> const Values& { return table.column(name); };
  const Values &theta = column("theta"), &x2 = column("x2"), &y2 = column("y2"), &psi = column("psi"),
               &w = column("theta'"), &vx = column("x2'"), &vy = column("y2'"), &u = column("psi'");
  Drift drift;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double st = std::sin(theta[i]), ct = std::cos(theta[i]), sp = std::sin(psi[i]),
                 cp = std::cos(psi[i]);
    drift.position.push_back(
        std::max({std::abs(x2[i] - ct - 2 * cp), std::abs(st - 3 * sp), std::abs(y2[i] - sp)}));
    drift.velocity.push_back(std::max({std::abs(st * w[i] + vx[i] + 2 * sp * u[i]),
                                       std::abs(ct * w[i] - 3 * cp * u[i]), std::abs(vy[i] - cp * u[i])}));
  }
  return drift;
}

struct CrankRun {
  int first;  // number of the first of its three figures
  const char *stabilizer, *words;
  bool off;  // off the position constraints the two formulas for the slider differ
};
constexpr std::array crank_runs{CrankRun{2, "post:F=split", "with stabilization (4.8)", false},
                                CrankRun{5, "none", "without stabilization", true},
                                CrankRun{8, "post:F=velocity", "with velocity stabilization", true},
                                CrankRun{11, "post:F=position", "with coordinate stabilization", false}};

}  // namespace

std::vector<FigureFile> slider_crank_figures(Runner& runner) {
  std::vector<FigureFile> files;
  const Table& reference = runner.run(slider_crank_command("post:F=split", "100", "0.01")).trajectory;
  for (const CrankRun& r : crank_runs) {
    const Table& table = runner.run(slider_crank_command(r.stabilizer, "100")).trajectory;
    const Values& t = table.column("t");
    const auto add = [&](int number, const std::string& what, const char* y_label,
                         std::vector<Series> series) {
      files.push_back({fmt::format("figure-4.{}.svg", number),
                       {.title = fmt::format("Figure 4.{}: {}", number, what),
                        .subtitle = fmt::format("slider-crank, {}; AB2, h = 0.1", r.words),
                        .x_label = "t",
                        .y_label = y_label,
                        .logarithmic = false,
                        .series = std::move(series)}});
    };
    const auto error = [&](const char* name, Slider formula) {
      return Series{.name = name, .x = t, .y = differences(table, reference, slider(formula))};
    };
    std::vector<Series> errors = {error("r cos θ + l cos ψ", Slider::angles)};
    if (r.off) errors.push_back(error("x₂ + (l − l₁) cos ψ", Slider::rod));
    const Drift drift = drift_of(table);
    add(r.first, "error in the position of the slider", "error", errors);
    add(r.first + 1, "drift in the position constraints", "max |g|",
        {{.name = "", .x = t, .y = drift.position}});
    add(r.first + 2, "drift in the velocity constraints", "max |G v|",
        {{.name = "", .x = t, .y = drift.velocity}});
  }
  return files;
}

}  // namespace driftless::experiments::paper001

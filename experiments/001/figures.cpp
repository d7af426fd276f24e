// The figures of Ascher, Chin, Reich (1992), redrawn from runs, and its examples without one:
//   1.1         errors of Example 1 over gamma; the paper draws it as a sketch, here it is computed
//   4.2 - 4.13  Example 4, in slider_crank_figures.cpp
//   Example 2, its continuation (3.8), Remark 1 of section 2
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "experiments/001/example1.hpp"
#include "experiments/001/example2.hpp"
#include "experiments/001/figures.hpp"
#include "experiments/001/paper.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper001 {

namespace {

using io::Figure;
using io::Series;
using Values = std::vector<double>;

// ---- Figure 1.1: Example 1 ----

struct Stabilization {
  const char *F, *name;
  bool dashed;  // as in the paper
};
constexpr std::array stabilizations{Stabilization{"input", "Baumgarte (1.6)", true},
                                    Stabilization{"full", "(1.7), F = G⁺", false},
                                    Stabilization{"transpose", "(1.8), F = Gᵀ", false}};

constexpr double top = 1e3;  // of the pictures; Baumgarte's errors go on to 1e74
constexpr double roundoff = 1e-16;

// The last point is drawn at the edge, what is beyond is left out.
Values cut(Values values) {
  bool outside = false;
  for (double& value : values) {
    const bool above = !(value <= top);
    if (above) value = outside ? std::numeric_limits<double>::quiet_NaN() : top;
    outside = above;
  }
  return values;
}

std::vector<FigureFile> over_gamma(Runner& runner) {
  Figure errors{.title = "Figure 1.1: error over γ, Example 1, ν = 1000",
                .subtitle = "backward Euler, h = 0.01, at t = 1; Baumgarte's error reaches 10⁷⁴",
                .x_label = "γ",
                .y_label = "error of x",
                .logarithmic = true,
                .series = {},
                .logarithmic_x = true};
  Figure drifts = errors;
  drifts.title = "Drift over γ, Example 1, ν = 1000";
  drifts.subtitle =
      "backward Euler, h = 0.01, at t = 1; drawn from 10⁻¹⁶ on (roundoff), Baumgarte's reaches 10⁶⁶";
  drifts.y_label = "|g|";
  for (const Stabilization& s : stabilizations) {
    Series error{.name = s.name, .x = {}, .y = {}, .dashed = s.dashed}, drift = error;
    for (int k = -8; k <= 64; ++k) {
      const double gamma = std::pow(10, k / 8.0);
      const auto& run = runner.run(
          example1_command(fmt::format("invariant-stabilized:gamma={:.4g},F={}", gamma, s.F), "none"));
      error.x.push_back(gamma);
      error.y.push_back(run.json["error"]["q"].get<double>());
      drift.x.push_back(gamma);
      drift.y.push_back(std::max(run.json["final"]["drift"]["position"].get<double>(), roundoff));
    }
    error.y = cut(error.y);
    drift.y = cut(drift.y);
    errors.series.push_back(error);
    drifts.series.push_back(drift);
  }
  return {{"figure-1.1.svg", errors}, {"figure-1.1-drift.svg", drifts}};
}

// ---- Example 2 and (3.8) ----

// z - t^3 at the steps.
Values drift_from_curve(const Table& table) {
  Values drift = table.column("z");
  const Values& t = table.column("t");
  for (std::size_t n = 0; n < drift.size(); ++n) drift[n] -= std::pow(t[n], 3);
  return drift;
}

FigureFile example2(Runner& runner) {
  Figure figure{.title = "Example 2: z' = 3 t², kept on z = t³",
                .subtitle = "explicit midpoint rule, h = 0.1; steady states: −h³/(4α) by (3.4), 0 by (3.9)",
                .x_label = "t",
                .y_label = "z − t³",
                .logarithmic = false,
                .series = {}};
  const std::array<std::pair<const char*, std::string>, 4> schemes{
      {{"no stabilization", keeping_h("forward", "0")},
       {"(3.4), α = 0.5", keeping_h("forward", "0.5")},
       {"(3.4), α = 1", keeping_h("forward", "1")},
       {"(3.9), α = 1", keeping_h("post", "1")}}};
  for (const auto& [name, stabilizer] : schemes) {
    const Table& table = runner.run(example2_command("0", stabilizer, "0.1", "2")).trajectory;
    figure.series.push_back({.name = name, .x = table.column("t"), .y = drift_from_curve(table)});
  }
  return {"example-2.svg", figure};
}

// y' = -(1 + nu (z - t^3)) y with the coefficient at the steps, where (3.4) leaves it at 1 - nu h^3/4.
FigureFile continuation(Runner& runner) {
  const double nu = 1000, limit = std::cbrt(4 / nu);
  Figure figure{
      .title = "(3.8): y' = −(1 + ν (z − t³)) y with ν = 1000",
      .subtitle = "400 steps; z by the midpoint rule and (3.4) with α = 1 is stable for h < (4/ν)^(1/3)",
      .x_label = "step n",
      .y_label = "y",
      .logarithmic = true,
      .series = {}};
  const auto add = [&](double part, const char* scheme, const char* number) {
    const double h = part * limit;
    const auto& run = runner.run(example2_command("0", keeping_h(scheme, "1"), text_of(h), text_of(400 * h)));
    Series y{.name = fmt::format("{}, h = {:.2f} (4/ν)^(1/3)", number, part), .x = {}, .y = {}};
    for (const double value : continued(run.trajectory, nu)) {
      if (value < roundoff) break;
      y.x.push_back(static_cast<double>(y.x.size()));
      y.y.push_back(value);
    }
    figure.series.push_back(y);
  };
  for (const double part : {0.5, 0.99, 1.01, 1.1}) add(part, "forward", "(3.4)");
  add(1.1, "post", "(3.9)");
  return {"continuation-3.8.svg", figure};
}

// ---- Remark 1 ----

FigureFile remark1(Runner& runner) {
  Figure figure{.title = "Remark 1: h' = 2 h^(1/3) − γ h does not return to 0",
                .subtitle = "h = r² − 1 from r = 1 + 10⁻⁶; the limits are (2/γ)^(3/2)",
                .x_label = "t",
                .y_label = "h",
                .logarithmic = true,
                .series = {}};
  std::vector<Series> limits;
  for (const double gamma : {1.0, 10.0, 100.0}) {
    const Table& table =
        runner
            .run(fmt::format("driftless run 001-remark1 --formulation "
                             "invariant-stabilized:F=full,invariants=h,gamma={} --integrator dop853 "
                             "--stabilizer none --rtol 1e-10 --atol 1e-10 --t-end 8 --output every=0.02",
                             gamma))
            .trajectory;
    const Values &x = table.column("z1"), &y = table.column("z2");
    Series h{.name = fmt::format("γ = {}", gamma), .x = table.column("t"), .y = {}};
    for (std::size_t i = 0; i < x.size(); ++i) h.y.push_back(x[i] * x[i] + y[i] * y[i] - 1);
    const double limit = std::pow(2 / gamma, 1.5);
    limits.push_back({.name = fmt::format("limit {:.3g}", limit),
                      .x = {0, h.x.back()},
                      .y = {limit, limit},
                      .dashed = true});
    figure.series.push_back(h);
  }
  figure.series.insert(figure.series.end(), limits.begin(), limits.end());
  return {"remark-1.svg", figure};
}

}  // namespace

std::vector<FigureFile> figures(Runner& runner) {
  std::vector<FigureFile> files = over_gamma(runner);
  files.push_back(remark1(runner));
  files.push_back(example2(runner));
  files.push_back(continuation(runner));
  for (FigureFile& file : slider_crank_figures(runner)) files.push_back(std::move(file));
  return files;
}

}  // namespace driftless::experiments::paper001

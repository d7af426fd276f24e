// The figures of Ascher, Chin, Reich (1992), redrawn from runs, and its examples without one:
//   1.1         errors of Example 1 over gamma; the paper draws it as a sketch, here it is computed
//   4.2 - 4.13  Example 4, the slider-crank: error of the slider, drift of positions and velocities, with (4.8),
//               without stabilization, with velocities only and positions only; ab2, h = 0.1, the error against
//               (4.8) with h = 0.01. The paper does not give the time span; [0, 100] shows what its text describes
//   Example 2, its continuation (3.8), Remark 1 of section 2
// 4.1 is a drawing of the mechanism.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "experiments/001/paper.hpp"

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
      const auto& run = runner.run(fmt::format(
          "driftless run 001-example1 --formulation invariant-stabilized:gamma={:.4g},F={} --integrator "
          "backward-euler:jacobian=fresh --step 0.01 --stabilizer none",
          gamma, s.F));
      const auto& x = run.json["final"]["q"];
      error.x.push_back(gamma);
      error.y.push_back(run.json["error"]["q"].get<double>());
      drift.x.push_back(gamma);
      const double g = 3 * std::abs(x[0].get<double>() - x[1].get<double>());  // at t = 1
      drift.y.push_back(std::max(g, roundoff));
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
  const std::array<std::pair<const char*, const char*>, 4> schemes{
      {{"no stabilization", "none"},
       {"(3.4), α = 0.5", "forward:F=full,invariants=h,alpha=0.5"},
       {"(3.4), α = 1", "forward:F=full,invariants=h,alpha=1"},
       {"(3.9), α = 1", "post:F=full,invariants=h,alpha=1"}}};
  for (const auto& [name, stabilizer] : schemes) {
    const Table& table =
        runner
            .run(fmt::format("driftless run 001-example2 --integrator explicit-midpoint --step 0.1 --t-end 2 "
                             "--stabilizer {}",
                             stabilizer))
            .trajectory;
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
    const Table& table =
        runner
            .run(fmt::format("driftless run 001-example2 --integrator explicit-midpoint --step {:.17g} "
                             "--t-end {:.17g} --stabilizer {}:F=full,invariants=h,alpha=1",
                             h, 400 * h, scheme))
            .trajectory;
    const Values drift = drift_from_curve(table);
    Series y{.name = fmt::format("{}, h = {:.2f} (4/ν)^(1/3)", number, part), .x = {0}, .y = {1}};
    for (std::size_t n = 0; n + 1 < drift.size(); ++n) {
      const double next = y.y.back() * std::exp(-h * (1 + nu * drift[n]));
      if (next < roundoff) break;
      y.x.push_back(static_cast<double>(n + 1));
      y.y.push_back(next);
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

// ---- Example 4 ----

struct Crank {
  Values t, by_angles, by_rod;  // the slider's position: cos theta + 3 cos psi, x2 + cos psi
  Values position, velocity;    // largest entries of |g| and |G v|
};

Crank slider_crank(Runner& runner, const char* stabilizer, double h) {
  const Table& table =
      runner
          .run(fmt::format(
              "driftless run 001-slider-crank --integrator ab2:start=forward-euler --step {} --t-end "
              "100 --stabilizer {}",
              h, stabilizer))
          .trajectory;
  const auto column = [&](const char* name) -> const Values& { return table.column(name); };
  const Values &theta = column("theta"), &x2 = column("x2"), &y2 = column("y2"), &psi = column("psi"),
               &w = column("theta'"), &vx = column("x2'"), &vy = column("y2'"), &u = column("psi'");
  Crank c;
  c.t = column("t");
  for (std::size_t i = 0; i < c.t.size(); ++i) {
    const double st = std::sin(theta[i]), ct = std::cos(theta[i]), sp = std::sin(psi[i]),
                 cp = std::cos(psi[i]);
    c.by_angles.push_back(ct + 3 * cp);
    c.by_rod.push_back(x2[i] + cp);
    c.position.push_back(
        std::max({std::abs(x2[i] - ct - 2 * cp), std::abs(st - 3 * sp), std::abs(y2[i] - sp)}));
    c.velocity.push_back(std::max({std::abs(st * w[i] + vx[i] + 2 * sp * u[i]),
                                   std::abs(ct * w[i] - 3 * cp * u[i]), std::abs(vy[i] - cp * u[i])}));
  }
  return c;
}

// Against every tenth state of the reference.
Values difference(const Values& values, const Values& reference) {
  Values error;
  for (std::size_t i = 0; i < values.size() && 10 * i < reference.size(); ++i)
    error.push_back(values[i] - reference[10 * i]);
  return error;
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

void add_slider_crank(Runner& runner, std::vector<FigureFile>& files) {
  const Crank reference = slider_crank(runner, "post:F=split", 0.01);
  for (const CrankRun& r : crank_runs) {
    const Crank c = slider_crank(runner, r.stabilizer, 0.1);
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
    std::vector<Series> error = {
        {.name = "r cos θ + l cos ψ", .x = c.t, .y = difference(c.by_angles, reference.by_angles)}};
    if (r.off)
      error.push_back({.name = "x₂ + (l − l₁) cos ψ", .x = c.t, .y = difference(c.by_rod, reference.by_rod)});
    add(r.first, "error in the position of the slider", "error", error);
    add(r.first + 1, "drift in the position constraints", "max |g|",
        {{.name = "", .x = c.t, .y = c.position}});
    add(r.first + 2, "drift in the velocity constraints", "max |G v|",
        {{.name = "", .x = c.t, .y = c.velocity}});
  }
}

}  // namespace

std::vector<FigureFile> figures(Runner& runner) {
  std::vector<FigureFile> files = over_gamma(runner);
  files.push_back(remark1(runner));
  files.push_back(example2(runner));
  files.push_back(continuation(runner));
  add_slider_crank(runner, files);
  return files;
}

}  // namespace driftless::experiments::paper001

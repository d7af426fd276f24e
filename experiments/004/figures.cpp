// The figures of Yoon, Howe, Greenwood, redrawn from runs of `004-circle`:
//   2           X and Y over time
//   Examples 1 (Euler) and 2 (AB-2): Phi, Phi' and psi over time with the steady states that the paper's
//   truncation-error model predicts, (62) to (67); psi without energy control
// Phi = (X^2 + Y^2 - 1)/2, Phi' = X Vx + Y Vy, psi = (Vx^2 + Vy^2 - 1)/2.
#include <cmath>

#include <fmt/format.h>

#include <driftless/analysis/energy_equilibrium.hpp>

#include "experiments/004/circle.hpp"
#include "experiments/004/paper.hpp"

namespace driftless::experiments::paper004 {

namespace {

using io::Figure;
using io::Series;
using Values = std::vector<double>;

constexpr double h = 0.01;

struct Errors {
  Values t, X, Y, Phi, Phi_rate, psi;
};

Errors circle(Runner& runner, CircleRun run, double t_end) {
  run.t_end = t_end;
  const Table& table = runner.run(command(run)).trajectory;
  const Values &x = table.column("x"), &y = table.column("y"), &vx = table.column("vx"),
               &vy = table.column("vy");
  Errors e{table.column("t"), x, y, {}, {}, {}};
  for (std::size_t i = 0; i < x.size(); ++i) {
    e.Phi.push_back((x[i] * x[i] + y[i] * y[i] - 1) / 2);
    e.Phi_rate.push_back(x[i] * vx[i] + y[i] * vy[i]);
    e.psi.push_back((vx[i] * vx[i] + vy[i] * vy[i] - 1) / 2);
  }
  return e;
}

Series level(const std::string& name, double value, const Values& t) {
  return {.name = name, .x = {t.front(), t.back()}, .y = {value, value}, .dashed = true};
}

Figure over_time(const std::string& title, const std::string& subtitle, const char* y_label) {
  return {.title = title,
          .subtitle = subtitle,
          .x_label = "t",
          .y_label = y_label,
          .logarithmic = false,
          .series = {}};
}

FigureFile motion(Runner& runner) {
  const Errors e = circle(runner, by_ab2(h, 0.5), 20);
  Figure figure = over_time("Fig. 2: Problem 1, time histories of X and Y",
                            "AB-2 as in Example 2; X = cos t, Y = sin t", "X, Y");
  figure.series = {{.name = "X", .x = e.t, .y = e.X}, {.name = "Y", .x = e.t, .y = e.Y}};
  return {"figure-2.svg", figure};
}

// Euler's errors come to their steady state at once.
void add_example1(Runner& runner, std::vector<FigureFile>& files) {
  const CircleRun run = by_euler(h, 5);
  const Errors e = circle(runner, run, 1);
  const analysis::CircleEquilibrium predicted =
      analysis::predicted_equilibrium(analysis::forward_euler(), h, run.gains);
  const char* setup = "Euler, α = 200, β = 10000, μᵥ = 5, h = 0.01";
  const auto add = [&](const char* file, const char* symbol, const char* number, const Values& values,
                       double steady) {
    Figure figure =
        over_time(fmt::format("Example 1: {} and its predicted steady state", symbol), setup, symbol);
    figure.series = {{.name = "simulated", .x = e.t, .y = values},
                     level(fmt::format("predicted, {}: {:.4g}", number, steady), steady, e.t)};
    files.push_back({file, figure});
  };
  add("example-1-Phi.svg", "Φ", "(64)", e.Phi, predicted.Phi);
  add("example-1-Phi-rate.svg", "Φ'", "(63)", e.Phi_rate, predicted.Phi_rate);
  add("example-1-psi.svg", "ψ", "(62)", e.psi, predicted.psi);
}

// |values| to t_end, for a logarithmic axis: zeros are left out, at the start and, of Phi', after Euler's first step.
Series absolute(const Errors& e, const Values& values, double t_end) {
  Series series{.name = "simulated", .x = {}, .y = {}};
  for (std::size_t i = 1; i < e.t.size() && e.t[i] <= t_end; ++i) {
    if (std::abs(values[i]) < 1e-15) continue;
    series.x.push_back(e.t[i]);
    series.y.push_back(std::abs(values[i]));
  }
  return series;
}

// The first step, by Euler, leaves errors that take their time to decay: psi at the rate 2 mu_v = 1. The printed
// coefficient a3 = 0.18 is drawn beside 1/4.
void add_example2(Runner& runner, std::vector<FigureFile>& files) {
  const CircleRun run = by_ab2(h, 0.5);
  const Errors e = circle(runner, run, 20);
  const analysis::CircleEquilibrium predicted =
      analysis::predicted_equilibrium(analysis::adams_bashforth(2), h, run.gains);
  const double printed = 0.18 / 0.25;
  const char* setup = "AB-2, first step by Euler; α = (4/3)/h, β = (2/3)/h², μᵥ = 0.5, h = 0.01";
  const auto add = [&](const char* file, const char* symbol, const char* number, const Values& values,
                       double steady, double t_end) {
    Figure figure =
        over_time(fmt::format("Example 2: |{}| and its predicted steady state", symbol), setup, "");
    figure.y_label = fmt::format("|{}|", symbol);
    figure.logarithmic = true;
    const Series simulated = absolute(e, values, t_end);
    figure.series = {
        simulated,
        level(fmt::format("predicted, {}: {:.3g}", number, std::abs(steady)), std::abs(steady), simulated.x),
        level(fmt::format("with a₃ = 0.18 as printed: {:.3g}", std::abs(printed * steady)),
              std::abs(printed * steady), simulated.x)};
    files.push_back({file, figure});
  };
  add("example-2-Phi.svg", "Φ", "(65)", e.Phi, predicted.Phi, 1);
  add("example-2-Phi-rate.svg", "Φ'", "(66)", e.Phi_rate, predicted.Phi_rate, 1);
  add("example-2-psi.svg", "ψ", "(67)", e.psi, predicted.psi, 20);
}

// V^2 = 1/(1 - 2 h t) for Euler; psi' = 2 a3 h^3 for AB-2, on top of what the first step leaves.
void add_without_control(Runner& runner, std::vector<FigureFile>& files) {
  const Errors e = circle(runner, by_euler(h, 0), 49);
  Figure euler = over_time("Baumgarte's feedback without energy control: ψ by Euler",
                           "α = 200, β = 10000, h = 0.01; the model has its pole at t = 1/(2h) = 50", "ψ");
  euler.logarithmic = true;
  const Series simulated = absolute(e, e.psi, e.t.back());
  Series model{.name = "(1/(1 − 2ht) − 1)/2", .x = simulated.x, .y = {}, .dashed = true};
  for (const double t : model.x) model.y.push_back((1 / (1 - 2 * h * t) - 1) / 2);
  euler.series = {simulated, model};
  files.push_back({"without-control-euler.svg", euler});

  const Errors a = circle(runner, by_ab2(h, 0), 300);
  Figure ab2 = over_time("Baumgarte's feedback without energy control: ψ by AB-2",
                         "α = (4/3)/h, β = (2/3)/h², h = 0.01; the first step by Euler leaves 10⁻⁴", "ψ");
  const double slope = 2 * analysis::truncation_coefficients(analysis::adams_bashforth(2), 3)[3] * h * h * h;
  ab2.series = {{.name = "simulated", .x = a.t, .y = a.psi},
                {.name = "10⁻⁴ + 2 a₃ h³ t", .x = {0, 300}, .y = {1e-4, 1e-4 + 300 * slope}, .dashed = true}};
  files.push_back({"without-control-ab2.svg", ab2});
}

}  // namespace

std::vector<FigureFile> figures(Runner& runner) {
  std::vector<FigureFile> files = {motion(runner)};
  add_example1(runner, files);
  add_example2(runner, files);
  add_without_control(runner, files);
  return files;
}

}  // namespace driftless::experiments::paper004

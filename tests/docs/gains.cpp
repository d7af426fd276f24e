// Prints docs/gains.md, or with --figure its picture: automatic gains of every integrator, and drift over gamma.
#include <cmath>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include <driftless/core/feedback_gains.hpp>
#include <driftless/io/svg_plot.hpp>

#include "../../benchmarks/common/gain_scan.hpp"

namespace driftless::tests {
namespace {

const char* const head = R"(# Gains that choose themselves

Baumgarte's stabilization feeds a violation back: g'' = U, U = -alpha g' - beta g. What alpha and beta should be has been asked since 1972.
Too small, and drift stays; too large, and the discretised equations answer their own errors, or explode. The right ones depend on
the integrator and on the step, and both are known here:

    driftless run pendulum --formulation baumgarte:gain=auto --integrator rk4 --step 0.01 --stabilizer none

![largest |g| over gamma for four integrators, with automatic gains as dashed lines](drift-over-gamma.svg)

The picture shows the largest |g| of the unit pendulum (`pendulum`, t = 0 to 10, step 0.01) over gamma times the step, alpha = 2 gamma and
beta = gamma^2; dashed, what `gain=auto` reaches. Every curve falls, has a narrow best place, each at another gamma, and rises again or
ends where the run breaks down (`forward-euler` ends at its best, with gains that a little more would ruin). It is the dashed curve of Figure 1.1 of Ascher, Chin, Reich (1992), "finding a good value for gamma is obviously a more
difficult task"; with automatic gains there is nothing to find.

## How they are chosen

**Forward Euler and multistep methods** evaluate the feedback at every step. With d/dt replaced by what the method makes of it, the loop is
linear, and its spectral radius says how fast drift decays. The gains (d/dt + s/h)^m with the s that makes one factor decay fastest have
the least radius of all: every root of the loop stands for itself, and the best place for one is the best for all. Forward Euler comes
out deadbeat, 2/h and 1/h^2. For `ab2` a whole family reaches 0.577, from (4/9)/h, (4/9)/h^2 to the double root (4/3)/h, (4/9)/h^2; the double
root suffers least when h changes, and is taken. (Yoon, Howe, Greenwood's (4/3)/h, (2/3)/h^2 has 0.776.)

**Methods with stages** would answer the errors of their own stages, which are far larger than the drift of a whole step: the same gains
evaluated in every stage make drift worse than none. So U is sampled at the step's start and held over the step. g, g' then obey a
linear recursion with known coefficients, and the gains make it deadbeat: a violation is gone after m steps (Ackermann's formula). The same
for implicit one-step methods, with their own coefficients.

While a starter makes the first steps of a multistep method, feedback waits: it would spoil the history. Gains follow the step; after a
sudden short step, such as the last one of a run, the step that they belong to shrinks by a tenth per step at most. Reported multipliers are those of the mechanism,
without U, so that they keep the method's order. With `invariant-stabilized:gain=auto` the same holds for gamma in z' = f - gamma F h, a loop
of order 1; for F = `transpose` gamma is divided by the largest eigenvalue of H H^T.

The energy controls have it too: `energy-baumgarte:gain=auto` and `energy-descent:gain=auto` let the energy error decay like a violation of
order 1, at the rate s/h or, held, 1/h, which is inside the integrator's stability interval whatever masses and speeds are.

Beside automatic gains a stabilizer has nothing left to do; `post` and `projection` of all levels are allowed. Those that leave part of a
violation, one of its levels, or answer it a second time (`forward`, `backward`, F = `transpose`, `position` or `velocity`, alpha other than 1) are
refused: together with full feedback they may make it grow.

## The gains

The gain of g^(j) is the number times h^(j - m); for m = 2 beta = b/h^2 and alpha = a/h. The radius belongs to m = 2, as do the last two
columns: the radius when a step is 30 % smaller or larger than the one that the gains were made for. (Gains follow the step, so that this
happens only to the history of multistep methods, and after a sudden short step.)

| integrator | feedback | m = 1 | m = 2: b, a | m = 3 | radius | h 30 % smaller | h 30 % larger |
|---|---|---|---|---|---|---|---|
)";

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + fmt::format("{:.4g}", value);
  return text;
}

void print_gains() {
  for (const auto& row : catalog::integrator_table()) {
    if (row.entry.shapes.front() != SystemShape::ode) continue;  // nothing has feedback that they take
    const auto integrator = row.entry.make(OptionValues(row.name, row.entry.options, {}));
    const Discretization by = integrator->discretization();
    const std::vector<double> gains = feedback_gains(by, 2);
    const auto with_step = [&](double h) {  // gains for step 1, taken with another one
      return feedback_radius(by, {gains[0] * h * h, gains[1] * h});
    };
    fmt::print("| `{}` | {} | {} | {} | {} | {:.3f} | {:.3f} | {:.3f} |\n", row.name,
               holds_feedback(by) ? "held" : "at every step", numbers(feedback_gains(by, 1)), numbers(gains),
               numbers(feedback_gains(by, 3)), feedback_radius(by, gains), with_step(0.7), with_step(1.3));
  }
}

const char* const middle = R"(
## What they reach

The largest |g| of a run: without feedback, with the best constant gamma of a scan (29 values of gamma h from 1e-3 to 3.2), and with automatic
gains. `./dev bench gains` prints more: `pendulum`, `001-slider-crank`, `andrews`, every step from the stability limit down to a hundredth.

| problem | integrator | step | none | best constant gamma | its gamma h | `gain=auto` |
|---|---|---|---|---|---|---|
)";

struct Shown {
  const char* problem;
  double t_end, steps[4];  // forward-euler, ab2, rk4, dopri5
};
const char* const integrators[] = {"forward-euler", "ab2", "rk4", "dopri5"};

const Shown shown[] = {{"pendulum", 10, {0.005, 0.01, 0.05, 0.1}},
                       {"001-slider-crank", 10, {0.02, 0.05, 0.1, 0.25}},
                       {"andrews", 0.03, {2e-5, 5e-5, 2e-4, 3e-4}}};

void print_scans() {
  for (const Shown& c : shown) {
    const ProblemInstance instance = catalog::make_problem(c.problem);
    for (std::size_t i = 0; i < 4; ++i) {
      const bench::GainScan scan = bench::scan_gains(instance, integrators[i], c.t_end, c.steps[i]);
      const auto best = scan.best(&bench::LargestDrift::position);
      fmt::print("| `{}` | `{}` | {} | {:.2e} | {:.2e} | {:.2f} | {:.2e} |\n", c.problem, integrators[i],
                 c.steps[i], scan.none.position, best.drift.position, best.gamma_h, scan.automatic.position);
    }
  }
}

const char* const energy_head = R"(
The energy controls: error of the coordinates and energy balance at the end, with `baumgarte:gain=auto` and the same steps; `none`: no control.

| problem | integrator | step | none | `energy-baumgarte:gain=auto` | `energy-descent:gain=auto` |
|---|---|---|---|---|---|
)";

const char* const last = R"(
Velocities tell another story: |G v| of a deadbeat loop contains the position drift of a step over h. For `dopri5` at small steps, where a
constant gamma gains almost nothing over none, it is some 25 times larger than with that (`./dev bench gains`). Where velocities matter most, use
`invariant-stabilized:gain=auto`, which feeds them back by themselves, or `index1` with `post`.

`./dev docs` writes this page and its picture.
)";

void print_energies() {
  for (const Shown& c : shown) {
    const ProblemInstance instance = catalog::make_problem(c.problem);
    for (std::size_t i = 0; i < 4; ++i) {
      fmt::print("| `{}` | `{}` | {} |", c.problem, integrators[i], c.steps[i]);
      for (const char* control : {"", "energy-baumgarte:gain=auto", "energy-descent:gain=auto"}) {
        Method method{
            .formulation = "baumgarte:gain=auto", .integrator = integrators[i], .stabilizer = "none"};
        if (*control) method.controls = {control};
        const Solution s =
            solve(*instance.problem, instance.start, method, {.t_end = c.t_end, .step = c.steps[i]});
        const double error = (s.final.q() - instance.reference.at(c.t_end)->q()).cwiseAbs().maxCoeff();
        fmt::print(" {:.2e}, {:.2e} |", error, std::abs(s.energy->balance));
      }
      fmt::print("\n");
    }
  }
}

void draw() {
  const ProblemInstance instance = catalog::make_problem("pendulum");
  const double t_end = 10, h = 0.01;
  io::Figure figure{.title = "Drift over gamma",
                    .subtitle = "pendulum, step 0.01 to t = 10, no stabilizer; dashed: gain=auto",
                    .x_label = "gamma times step",
                    .y_label = "largest |g|",
                    .logarithmic = true,
                    .series = {}};
  figure.logarithmic_x = true;
  std::vector<io::Series> dashed;
  for (const char* name : integrators) {
    const bench::GainScan scan = bench::scan_gains(instance, name, t_end, h, 16);
    io::Series curve{.name = name, .x = {}, .y = {}};
    for (const auto& point : scan.constant)
      if (point.drift.position < 1) {  // beyond that the run has broken down
        curve.x.push_back(point.gamma_h);
        curve.y.push_back(point.drift.position);
      }
    figure.series.push_back(curve);
    io::Series line{.name = std::string(name) + ", auto",
                    .x = {scan.constant.front().gamma_h, scan.constant.back().gamma_h},
                    .y = {scan.automatic.position, scan.automatic.position}};
    line.dashed = true;
    line.like = static_cast<int>(dashed.size());
    dashed.push_back(line);
  }
  figure.series.insert(figure.series.end(), dashed.begin(), dashed.end());
  io::write_svg(std::cout, figure);
}

}  // namespace

int print(bool figure) {
  if (figure) {
    draw();
    return 0;
  }
  fmt::print("{}", head);
  print_gains();
  fmt::print("{}", middle);
  print_scans();
  fmt::print("{}", energy_head);
  print_energies();
  fmt::print("{}", last);
  return 0;
}

}  // namespace driftless::tests

int main(int argc, char** argv) {
  return driftless::tests::print(argc > 1 && std::string_view(argv[1]) == "--figure");
}

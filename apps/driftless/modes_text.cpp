#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "modes_command.hpp"
#include "text.hpp"

namespace driftless::app {

namespace {

using analysis::Mode;

constexpr int label_column = 12, shape_column = 60;
constexpr int most_rows = 24;      // of the state, and of the modes; --json has all
constexpr double in_phase = 0.02;  // rad: below it a phase is not worth saying
constexpr std::size_t most_names = 3;
constexpr double least_share = 0.2;  // of the largest coordinate, for a coordinate to be named

std::string line(std::string_view label, std::string_view text) {
  return entry(0, label, label_column, text);
}

std::string more(int rows) {
  return rows > most_rows ? fmt::format("  .. and {} more, with --json\n", rows - most_rows) : "";
}

std::string unit_behind(const std::vector<io::StateUnits::Unit>& units, int i) {
  const auto k = static_cast<std::size_t>(i);
  return k < units.size() ? io::behind(units[k]) : "";
}

std::string state_table(const ModesReport& report) {
  const io::StateUnits& units = report.units;
  const State state = units.state(report.found.linearization.state);
  const bool speeds = !report.found.linearization.equilibrium && state.layout.order > 1;
  std::string text;
  const int rows = std::max(state.layout.nq, speeds ? state.layout.nv : 0);
  for (int i = 0; i < std::min(rows, most_rows); ++i) {
    std::string row;
    if (i < state.layout.nq)
      row = fmt::format("{:<12} {:< .12g}{}", report.problem->coordinate_name(i), state.q()(i),
                        unit_behind(units.z, i));
    if (speeds && i < state.layout.nv)
      row = fmt::format("{:{}}{:<12} {:< .12g}{}", row, units.known() ? 42 : 34,
                        report.problem->velocity_name(i), state.v()(i),
                        unit_behind(units.z, state.layout.nq + i));
    text += "  " + row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  text += more(rows);
  const auto ng = static_cast<int>(state.lambda.size()), all = ng + static_cast<int>(state.kappa.size());
  for (int i = 0; i < std::min(all, most_rows); ++i)
    text += fmt::format("  {:<12} {:<20} of {}\n",
                        i < ng ? fmt::format("lambda[{}]", i) : fmt::format("kappa[{}]", i - ng),
                        fmt::format("{: .12g}{}", i < ng ? state.lambda(i) : state.kappa(i - ng),
                                    i < ng ? unit_behind(units.lambda, i) : unit_behind(units.kappa, i - ng)),
                        report.problem->constraint_name(i));
  return text + more(all);
}

std::string share(const std::complex<double>& value) {
  const double phase = std::arg(value);
  if (std::abs(phase) < in_phase) return fmt::format("{:.2g}", std::abs(value));
  if (std::abs(phase) > std::numbers::pi - in_phase) return fmt::format("-{:.2g}", std::abs(value));
  return fmt::format("{:.2g}@{:.0f}", std::abs(value), phase * 180 / std::numbers::pi);
}

// "angle1 1, x2 -0.4": the coordinates that move most.
std::string shape_text(const ModesReport& report, const Mode& mode) {
  const bool still = mode.coordinates.cwiseAbs().maxCoeff() == 0;
  const Eigen::VectorXcd& values = still ? mode.velocities : mode.coordinates;
  std::vector<int> order(static_cast<std::size_t>(values.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(values(a)) > (1 + 1e-9) * std::abs(values(b)); });
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), most_names); ++i) {
    if (std::abs(values(order[i])) < least_share) break;
    const int width = report.problem->shape().nv;
    const std::string name =
        still ? report.problem->velocity_name(order[i] % width) : report.problem->coordinate_name(order[i]);
    text += fmt::format("{}{} {}", i > 0 ? ", " : "", name, share(values(order[i])));
  }
  return text;
}

std::string eigenvalue_text(const Mode& mode) {
  if (mode.value == 0.0) return mode.count > 1 ? fmt::format("0 ({} times)", mode.count) : "0";
  if (mode.value.imag() == 0) return fmt::format("{:+.6g}", mode.value.real());
  if (mode.kind == Mode::Kind::undamped) return fmt::format("+-{:.5g}i", mode.value.imag());
  return fmt::format("{:+.4g} +-{:.5g}i", mode.value.real(), mode.value.imag());
}

// Frequencies of what oscillates; real eigenvalues have none.
std::string mode_table(const ModesReport& report) {
  std::string text = fmt::format("{:>4}  {:>10}  {:>10}  {:>8}  {:<20}{}\n", "mode", "Hz", "rad/s", "damping",
                                 report.units.known() ? "eigenvalue, 1/s" : "eigenvalue",
                                 report.units.known() ? "moves most (in m and rad)" : "moves most");
  const auto rows = static_cast<int>(report.found.modes.size());
  for (int i = 0; i < std::min(rows, most_rows); ++i) {
    const Mode& mode = report.found.modes[static_cast<std::size_t>(i)];
    const bool oscillates = mode.value.imag() > 0;
    const auto figure = [&](double value) { return oscillates ? fmt::format("{:.6g}", value) : "-"; };
    const std::string row =
        fmt::format("{:>4}  {:>10}  {:>10}  {:>8}  {}", i + 1, figure(mode.hertz()), figure(mode.frequency()),
                    oscillates ? fmt::format("{:.4g}", mode.damping()) : "-", eigenvalue_text(mode));
    text += entry(0, row, shape_column, shape_text(report, mode));
  }
  return text + more(rows);
}

}  // namespace

std::string modes_text(const ModesReport& report, const std::string& problem_summary) {
  const analysis::Modes& found = report.found;
  std::string text = line("problem", report.name + ", " + problem_summary), parameters;
  for (const auto& [name, value] : report.parameters)
    parameters += fmt::format("{}{} = {}", parameters.empty() ? "" : ", ", name, value);
  if (!parameters.empty()) text += line("parameters", parameters);
  text += fmt::format(
      "\n{} at t = {:.10g}{}\n{}\n", found.linearization.equilibrium ? "equilibrium" : "state",
      report.units.t(found.linearization.state.t), io::behind(report.units.time), state_table(report));
  if (!found.modes.empty()) text += mode_table(report) + "\n";
  text += line("verdict",
               fmt::format("{}{} {}", name_of(found.verdict),
                           found.verdict == analysis::Verdict::undecided ? "" : ":", found.explanation));
  text += line("residual", fmt::format("{:.2e}{}, largest unbalanced force", found.linearization.residual,
                                       report.units.known() ? " N or N m" : ""));
  for (const std::string& note : report.notes) text += line("note", note);
  return text;
}

}  // namespace driftless::app

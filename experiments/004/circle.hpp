// Runs of Problem 1, the mass on the unit circle, and its three errors.
#pragma once

#include <string>

#include <fmt/format.h>

#include <driftless/analysis/energy_equilibrium.hpp>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper004 {

struct CircleRun {
  std::string method;      // Euler, AB-2, AB-3
  std::string integrator;  // as on the command line
  int steps;               // of the Adams-Bashforth method
  double h;
  analysis::CircleGains gains;  // alpha = 0: no control at all
  double t_end = 50;
};

inline CircleRun by_euler(double h, double mu_v) {
  return {"Euler", "forward-euler", 1, h, {2 / h, 1 / (h * h), mu_v}};
}
inline CircleRun by_ab2(double h, double mu_v) {
  return {"AB-2", "ab2:start=forward-euler", 2, h, {4 / (3 * h), 2 / (3 * h * h), mu_v}};
}

inline std::string command(const CircleRun& run) {
  const bool controlled = run.gains.alpha != 0;
  const std::string formulation =
      controlled ? fmt::format("baumgarte:alpha={},beta={}", run.gains.alpha, run.gains.beta) : "index1";
  const std::string control =
      controlled ? fmt::format(" --control energy-descent:mu_v={}", run.gains.mu_v) : "";
  return fmt::format(
      "driftless run 004-circle --formulation {} --integrator {} --stabilizer none{} --step {} --t-end {}",
      formulation, run.integrator, control, run.h, run.t_end);
}

// Phi = g, Phi' = g', psi = E - E(start) since nothing does work.
inline const Reading Phi = pointer("/final/g/0"), Phi_rate = pointer("/final/g_rate/0"),
                     psi = pointer("/energy/balance");

}  // namespace driftless::experiments::paper004

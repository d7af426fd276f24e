// The table of stabilizers: on the slider-crank of Ascher, Chin, Reich (1992), to t = 2, every scheme with every F
// and Runge-Kutta methods of order p = 1 to 4: the order of the error at the end and of the largest drift over
// all steps. Its data serve the test that holds the measured orders against theory and the program that writes
// docs/stabilizers.md.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "support/run.hpp"

namespace driftless::tests {

// How the order of a drift grows with p.
enum class DriftOrder { p, p_plus_1, p_plus_2, twice_p_plus_2, none };  // none: roundoff at every step

struct StabilizerRow {
  std::string stabilizer;  // as on the command line
  DriftOrder position, velocity;
  // For p = 1 to 4: all steps are divided by it, where the leading terms show later.
  std::array<int, 4> refine = {1, 1, 1, 1};
};
const std::vector<StabilizerRow>& stabilizer_rows();

inline constexpr std::array<const char*, 4> stabilizer_integrators = {"forward-euler", "explicit-midpoint",
                                                                      "kutta3", "rk4"};
inline constexpr std::array<double, 4> stabilizer_steps = {0.05, 0.025, 0.0125, 0.00625};

struct StabilizerRun {
  double error, position, velocity;
};
StabilizerRun run_stabilizer(const std::string& stabilizer, int p, double step);

// The order between the two finest steps at which the finer value is above `roundoff`; NaN where there is none.
double measured_order(const std::array<double, 4>& values, double roundoff);

struct StabilizerOrders {
  double error, position, velocity;
};
StabilizerOrders stabilizer_orders(const StabilizerRow& row, int p);

int expected_order(DriftOrder order, int p);

}  // namespace driftless::tests

#include "convergence/stabilizer_table.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace driftless::tests {

const std::vector<StabilizerRow>& stabilizer_rows() {
  using enum DriftOrder;
  // `transpose` takes some ten steps to remove a drift, which shows as a term of the next order.
  constexpr std::array<int, 4> slow = {4, 4, 4, 1};
  static const std::vector<StabilizerRow> rows = {{"none", p, p},
                                                  {"forward:F=full", p_plus_1, p_plus_1},
                                                  {"forward:F=block", p_plus_1, p_plus_1},
                                                  {"forward:F=split", p_plus_1, p_plus_1},
                                                  {"forward:F=transpose", p_plus_1, p_plus_1, slow},
                                                  {"forward:F=position", p_plus_1, p},
                                                  {"forward:F=velocity", p, p_plus_1},
                                                  {"backward:F=full", p_plus_1, p_plus_1},
                                                  {"backward:F=full,alpha=10", p_plus_1, p_plus_1},
                                                  {"backward:F=full,alpha=100", p_plus_1, p_plus_1},
                                                  {"backward:F=block", p_plus_1, p_plus_1},
                                                  {"backward:F=split", p_plus_1, p_plus_1},
                                                  {"backward:F=transpose", p_plus_1, p_plus_1, slow},
                                                  {"backward:F=transpose,alpha=100", p_plus_1, p_plus_1},
                                                  {"backward:F=position", p_plus_1, p},
                                                  {"backward:F=velocity", p, p_plus_1},
                                                  {"post:F=full", twice_p_plus_2, twice_p_plus_2},
                                                  {"post:F=block", twice_p_plus_2, twice_p_plus_2},
                                                  {"post:F=split", twice_p_plus_2, p_plus_1},
                                                  {"post:F=full,alpha=0.5", p_plus_1, p_plus_1},
                                                  {"post:F=split,alpha=0.5", p_plus_1, p_plus_1},
                                                  {"post:F=full,alpha=1.5", p_plus_1, p_plus_1},
                                                  {"post:F=transpose", p_plus_1, p_plus_1, slow},
                                                  {"post:F=position", twice_p_plus_2, p},
                                                  {"post:F=velocity", p, none},
                                                  {"post:F=block,renew=5", p_plus_2, p_plus_2},
                                                  {"projection:F=full", none, none},
                                                  {"projection:F=block", none, none}};
  return rows;
}

namespace {

const State& exact_end() {
  static const State state = [] {
    const auto instance = catalog::make_problem("001-slider-crank");
    return solve(*instance.problem, instance.start, {.integrator = "dop853", .stabilizer = "projection"},
                 {.t_end = 2, .rtol = 1e-13, .atol = 1e-13})
        .final;
  }();
  return state;
}

}  // namespace

StabilizerRun run_stabilizer(const std::string& stabilizer, int p, double step) {
  const auto instance = catalog::make_problem("001-slider-crank");
  const Method method{.integrator = stabilizer_integrators.at(static_cast<std::size_t>(p - 1)),
                      .stabilizer = stabilizer};
  const Solution s = solve(*instance.problem, instance.start, method, {.t_end = 2, .step = step});
  if (!s.complete()) throw std::runtime_error(stabilizer + ": " + s.end_message);
  return {(s.final.z - exact_end().z).cwiseAbs().maxCoeff(), s.drift->position, s.drift->velocity};
}

double measured_order(const std::array<double, 4>& values, double roundoff) {
  for (std::size_t i = values.size() - 1; i > 0; --i)
    if (values[i] > roundoff) return std::log2(values[i - 1] / values[i]);
  return std::numeric_limits<double>::quiet_NaN();
}

StabilizerOrders stabilizer_orders(const StabilizerRow& row, int p) {
  std::array<double, 4> error{}, position{}, velocity{};
  for (std::size_t i = 0; i < stabilizer_steps.size(); ++i) {
    const StabilizerRun run = run_stabilizer(
        row.stabilizer, p, stabilizer_steps[i] / row.refine.at(static_cast<std::size_t>(p - 1)));
    error[i] = run.error;
    position[i] = run.position;
    velocity[i] = run.velocity;
  }
  constexpr double roundoff = 1e-14;
  return {measured_order(error, roundoff), measured_order(position, roundoff),
          measured_order(velocity, roundoff)};
}

int expected_order(DriftOrder order, int p) {
  switch (order) {
    case DriftOrder::p:
      return p;
    case DriftOrder::p_plus_1:
      return p + 1;
    case DriftOrder::p_plus_2:
      return p + 2;
    case DriftOrder::twice_p_plus_2:
      return 2 * p + 2;
    case DriftOrder::none:
      return 0;
  }
  return 0;
}

}  // namespace driftless::tests

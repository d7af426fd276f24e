#include "convergence/order_table.hpp"

namespace driftless::tests {

// Parameters are chosen so that all integrators show their leading error term at some number of steps; for
// the small terms of dopri5 and dop853 that takes a motion on which they do not nearly cancel.
const std::vector<OrderProblem>& order_problems() {
  static const std::vector<OrderProblem> problems = {
      {"pendulum", "position constraint", {{"x", "0.6"}, {"y", "-0.8"}, {"vx", "0.8"}, {"vy", "0.6"}}, 8},
      {"arevalo", "position constraint, driven, not from t = 0", {{"t0", "0.5"}}, 2},
      {"000-example4", "position constraint that moves, damping", {{"nu", "4"}}, 1.25},
      {"chaplygin-sleigh", "velocity constraint, its multiplier is kappa", {{"w", "1"}}, 4},
      {"heavy-top",
       "unit quaternions, q' = N(q) v",
       {{"gravity", "0"}, {"spin", "2"}, {"wx", "1"}, {"wz", "-1"}},
       4}};
  return problems;
}

const std::vector<OrderRow>& order_rows() {
  static const std::vector<OrderRow> rows = {// pendulum, arevalo, 000-example4, chaplygin-sleigh, heavy-top
                                             {"forward-euler", {2048, 512, 512, 512, 1024}},
                                             {"explicit-midpoint", {512, 256, 256, 256, 512}},
                                             {"heun", {512, 256, 256, 256, 512}},
                                             {"kutta3", {256, 256, 128, 256, 256}},
                                             {"rk4", {512, 256, 128, 128, 256}},
                                             {"dopri5", {256, 256, 128, 128, 256}},
                                             {"dop853", {32, 24, 16, 16, 16}},
                                             {"ab2", {512, 256, 256, 256, 512}},
                                             {"ab3", {512, 512, 256, 256, 256}},
                                             {"ab4", {1024, 256, 256, 256, 512}},
                                             {"ab5", {1024, 512, 128, 256, 512}},
                                             {"backward-euler", {2048, 512, 512, 512, 1024}},
                                             {"bdf:tolerance=1e-13", {512, 512, 64, 256, 256}},
                                             {"implicit-midpoint:tolerance=1e-13", {256, 256, 256, 256, 256}},
                                             {"radau5:tolerance=1e-14", {64, 64, 48, 64, 64}}};
  return rows;
}

namespace {

// lambda of arevalo is the squared speed. Let q = 1 and v = i w in the complex plane; the exact speed after a
// step is w - 2h. Up to h^3, and before stabilization,
//   heun               q x v = w - 2h - h^3 w^2,      |q| = 1 - h^3 w
//   implicit-midpoint  q x v = w - 2h + h^3 w^2/2,    |q| = 1 + h^3 w/2
// and the stabilizer leaves the component of v across q, (q x v)/|q| = w - 2h: the terms with h^3 cancel
// whatever w is, an h^4 remains in each step, and lambda has order 3.
bool lambda_gains_an_order(const std::string& integrator, const std::string& problem) {
  return problem == "arevalo" && (integrator == "heun" || integrator == "implicit-midpoint");
}

}  // namespace

OrderCase order_case(const OrderRow& row, std::size_t problem) {
  const OrderProblem& p = order_problems().at(problem);
  const std::string integrator = parse_choice(row.integrator).name;
  const int order = catalog::integrator(integrator).order;
  return {.run = {.problem = p.name,
                  .set = p.set,
                  .span = p.span,
                  .method = {.integrator = row.integrator},
                  .steps = row.steps.at(problem)},
          .order = order,
          .multiplier_order = lambda_gains_an_order(integrator, p.name) ? order + 1 : order};
}

}  // namespace driftless::tests

#include "problems.hpp"

#include <cmath>
#include <stdexcept>

namespace driftless::benchmarks {

namespace {

struct Entry {
  const char *name, *problem, *title, *source;
  std::vector<std::pair<std::string, std::string>> set = {};
  bool relative = false;
  double t_end = 0;  // 0: the problem's own
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      {.name = "andrews",
       .problem = "andrews",
       .title = "Andrews' squeezing mechanism",
       .source = "T1: IVP Test Set, 7 coordinates, 6 constraints, to t = 0.03",
       .relative = true},
      {.name = "car-axis",
       .problem = "car-axis",
       .title = "Car axis",
       .source = "T2: IVP Test Set, 4 coordinates, 2 moving constraints, to t = 3"},
      {.name = "flyball",
       .problem = "flyball",
       .title = "Stiff flyball governor",
       .source = "B5: IFToMM A05, 3 coordinates, no constraints, to t = 10"},
      {.name = "heavy-top",
       .problem = "heavy-top",
       .title = "Heavy top",
       .source = "C1: Bruls, Cardona, Arnold, 7 coordinates with a quaternion, 3 constraints, to t = 2"},
      {.name = "sundials-slider-crank",
       .problem = "sundials-slider-crank",
       .title = "Slider-crank of SUNDIALS",
       .source = "C2: idaSlCrank, 3 coordinates, 2 constraints, to t = 10"},
      {.name = "pendulum",
       .problem = "pendulum",
       .title = "Unit pendulum",
       .source = "T9: 2 coordinates, 1 constraint, gravity 1, to t = 10",
       .t_end = 10},
      {.name = "pendulum-A01",
       .problem = "pendulum",
       .title = "Pendulum of 1 m",
       .source = "IFToMM A01: the same with gravity 9.81, from rest at (-1, 0), to t = 10",
       .set = {{"case", "A01"}}}};
  return table;
}

// Positions are the problem's own reference. Velocities and multipliers, which it has not, were computed at tolerances of 1e-12 and
// 1e-13 by dop853 and radau5 of Driftless and by odeint's Fehlberg 7(8), which agree to 1e-11.
Reference complete_slider_crank(const Reference& own) {
  const auto at = [own](double t) -> std::optional<State> {
    const auto known = own.at(t);
    if (!known || t != 10) return known;
    State state({2, 3, 3}, 2, 0);
    state.t = t;
    state.q() = known->q();
    state.v() << -0.23991499720, 0.13377828322, 0.03973149599;
    state.lambda << 1.11375615826, 0.76250727511;
    return state;
  };
  return {.at = at, .source = own.source};
}

}  // namespace

std::vector<std::string> peer_problem_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

PeerProblem peer_problem(const std::string& name) {
  for (const Entry& entry : entries()) {
    if (entry.name != name) continue;
    PeerProblem problem{name, entry.title, entry.source, catalog::make_problem(entry.problem, entry.set),
                        entry.relative};
    if (entry.t_end > 0) problem.instance.t_end = entry.t_end;
    if (name == "sundials-slider-crank")
      problem.instance.reference = complete_slider_crank(problem.instance.reference);
    return problem;
  }
  throw std::runtime_error("there is no problem '" + name + "' in this comparison");
}

Errors errors(const PeerProblem& problem, const State& final) {
  const auto known = problem.instance.reference.at(problem.instance.t_end);
  if (!known) throw std::runtime_error("no reference at the end of " + problem.name);
  const auto largest = [&](VectorIn exact, VectorIn value) {
    double error = std::nan("");
    for (Eigen::Index i = 0; i < exact.size(); ++i) {
      if (std::isnan(exact(i))) continue;
      const double e = std::abs(value(i) - exact(i)) / (problem.relative ? std::abs(exact(i)) : 1);
      error = std::isnan(e) ? HUGE_VAL : std::fmax(error, e);
    }
    return error;
  };
  return {largest(known->q(), final.q()), largest(known->v(), final.v()),
          largest(known->lambda, final.lambda)};
}

}  // namespace driftless::benchmarks

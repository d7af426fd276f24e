// Whether baumgarte:gain=auto keeps its word: the largest drift of a run against the best that any constant gamma of a scan reaches, for
// every step from the stability limit down to a hundredth of it.
//   stability limit   the largest step T 2^(-k/4) at which some gamma of the scan keeps |g| below |G|/100, |G| the largest entry at the
//                     start: coordinates are off by about a hundredth. Where even the best does worse, nothing is simulated any more
//   scan              gamma h = 10^(k/8) from 1e-3 to 3.2, and gamma = 0
// All with fixed steps and without a stabilizer. `ratio` is drift with auto over the least drift of the scan, for positions |g| and for
// velocities |G v| apart, each with its own best gamma; roundoff (below 1e-13 |G|) counts as equal.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

using namespace driftless;

namespace {

struct Case {
  std::string problem;
  double t_end;
};

struct DriftPair {
  double position = INFINITY, velocity = INFINITY;
};

DriftPair drift_of(const ProblemInstance& instance, const std::string& formulation,
                   const std::string& integrator, double t_end, double h) {
  const Solution solution =
      solve(*instance.problem, instance.start,
            {.formulation = formulation, .integrator = integrator, .stabilizer = "none"},
            {.t_end = t_end, .step = h, .output = {.kind = Output::Kind::at, .times = {t_end}}});
  if (!solution.complete() || !solution.drift) return {};
  const auto finite = [](double x) { return std::isfinite(x) ? x : INFINITY; };
  return {finite(solution.drift->position), finite(solution.drift->velocity)};
}

struct Best {
  DriftPair drift;
  double gamma_position = 0, gamma_velocity = 0;
};

Best scan(const ProblemInstance& instance, const std::string& integrator, double t_end, double h) {
  Best best{drift_of(instance, "index1", integrator, t_end, h)};
  for (int k = -24; k <= 4; ++k) {
    const double gamma = std::pow(10, k / 8.) / h;
    const DriftPair drift =
        drift_of(instance, fmt::format("baumgarte:gamma={:.17g}", gamma), integrator, t_end, h);
    if (drift.position < best.drift.position) best.gamma_position = gamma;
    if (drift.velocity < best.drift.velocity) best.gamma_velocity = gamma;
    best.drift = {std::min(best.drift.position, drift.position),
                  std::min(best.drift.velocity, drift.velocity)};
  }
  return best;
}

double ratio(double ours, double best, double roundoff) {
  return std::max(ours, roundoff) / std::max(best, roundoff);
}

// Returns the largest ratio in positions.
double print_case(const Case& c, const std::string& integrator) {
  const ProblemInstance instance = catalog::make_problem(c.problem);
  Evaluation parts;
  instance.problem->evaluate(Part::jacobian, Point(instance.start.t, instance.start.z), parts);
  const double size = parts.G.cwiseAbs().maxCoeff();
  double h = c.t_end / 4;
  while (!(scan(instance, integrator, c.t_end, h).drift.position < 0.01 * size)) h *= std::pow(2, -0.25);
  fmt::print("\n{}, {}, to t = {}; stability limit h = {:.3g}\n", c.problem, integrator, c.t_end, h);
  fmt::print("{:>10} {:>9} {:>9} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>9} {:>6}\n", "h", "|g| none", "best",
             "gamma h", "auto", "ratio", "|Gv| best", "gamma h", "auto", "ratio");
  double worst = 0;
  for (const double part : {1., 0.7, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02, 0.01}) {
    const double step = h * part;
    const DriftPair none = drift_of(instance, "index1", integrator, c.t_end, step),
                    ours = drift_of(instance, "baumgarte:gain=auto", integrator, c.t_end, step);
    const Best best = scan(instance, integrator, c.t_end, step);
    const double q = ratio(ours.position, best.drift.position, 1e-13 * size),
                 v = ratio(ours.velocity, best.drift.velocity, 1e-13 * size);
    worst = std::max(worst, q);
    fmt::print("{:10.3g} {:9.1e} {:9.1e} {:9.2g} {:9.1e} {:6.2f}   {:9.1e} {:9.2g} {:9.1e} {:6.2f}\n", step,
               none.position, best.drift.position, best.gamma_position * step, ours.position, q,
               best.drift.velocity, best.gamma_velocity * step, ours.velocity, v);
  }
  return worst;
}

}  // namespace

int main() {
  double worst = 0;
  for (const Case& c : {Case{"pendulum", 10}, {"001-slider-crank", 10}, {"andrews", 0.03}})
    for (const char* integrator : {"forward-euler", "ab2", "rk4", "dopri5"})
      worst = std::max(worst, print_case(c, integrator));
  fmt::print("\nlargest ratio in |g|: {:.2f}\n", worst);
}

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

#include <fmt/format.h>

#include <driftless/driftless.hpp>

#include "common/gain_scan.hpp"

using namespace driftless;
using namespace driftless::bench;

namespace {

struct Case {
  std::string problem;
  double t_end;
};

struct Ratios {
  double position = 0, velocity = 0;
};

double largest_of_G(const ProblemInstance& instance) {
  Evaluation parts;
  instance.problem->evaluate(Part::jacobian, Point(instance.start.t, instance.start.z), parts);
  return parts.G.cwiseAbs().maxCoeff();
}

// The largest ratios over all steps.
Ratios print_case(const Case& c, const std::string& integrator) {
  const ProblemInstance instance = catalog::make_problem(c.problem);
  const double size = largest_of_G(instance), roundoff = 1e-13 * size;
  double limit = c.t_end / 4;
  while (!(scan_gains(instance, integrator, c.t_end, limit).best(&LargestDrift::position).drift.position <
           0.01 * size))
    limit *= std::pow(2, -0.25);
  fmt::print("\n{}, {}, to t = {}; stability limit h = {:.3g}\n", c.problem, integrator, c.t_end, limit);
  fmt::print("{:>10} {:>9} {:>9} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>9} {:>6}\n", "h", "|g| none", "best",
             "gamma h", "auto", "ratio", "|Gv| best", "gamma h", "auto", "ratio");
  Ratios worst;
  for (const double part : {1., 0.7, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02, 0.01}) {
    const GainScan scan = scan_gains(instance, integrator, c.t_end, limit * part);
    const auto position = scan.best(&LargestDrift::position), velocity = scan.best(&LargestDrift::velocity);
    const auto ratio = [&](double ours, double best) {
      return std::max(ours, roundoff) / std::max(best, roundoff);
    };
    const double q = ratio(scan.automatic.position, position.drift.position),
                 v = ratio(scan.automatic.velocity, velocity.drift.velocity);
    worst = {std::max(worst.position, q), std::max(worst.velocity, v)};
    fmt::print("{:10.3g} {:9.1e} {:9.1e} {:9.2g} {:9.1e} {:6.2f}   {:9.1e} {:9.2g} {:9.1e} {:6.2f}\n",
               limit * part, scan.none.position, position.drift.position, position.gamma_h,
               scan.automatic.position, q, velocity.drift.velocity, velocity.gamma_h, scan.automatic.velocity,
               v);
  }
  return worst;
}

}  // namespace

int main() {
  std::string summary = "\nlargest ratio, auto over the best constant gamma\n";
  for (const Case& c : {Case{"pendulum", 10}, {"001-slider-crank", 10}, {"andrews", 0.03}})
    for (const char* integrator : {"forward-euler", "ab2", "rk4", "dopri5"}) {
      const Ratios worst = print_case(c, integrator);
      summary += fmt::format("{:<18} {:<14} |g| {:5.2f}   |G v| {:6.2f}\n", c.problem, integrator,
                             worst.position, worst.velocity);
    }
  fmt::print("{}", summary);
}

// The largest drift of a run with fixed steps and no stabilizer, for every gain of Baumgarte's stabilization on a scan.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

namespace driftless::bench {

struct LargestDrift {
  double position = INFINITY, velocity = INFINITY;  // infinite where the run does not reach its end
};

inline LargestDrift largest_drift(const ProblemInstance& instance, const std::string& formulation,
                                  const std::string& integrator, double t_end, double h) {
  const Solution solution =
      solve(*instance.problem, instance.start,
            {.formulation = formulation, .integrator = integrator, .stabilizer = "none"},
            {.t_end = t_end, .step = h, .output = {.kind = Output::Kind::at, .times = {t_end}}});
  if (!solution.complete() || !solution.drift) return {};
  const auto finite = [](double x) { return std::isfinite(x) ? x : INFINITY; };
  return {finite(solution.drift->position), finite(solution.drift->velocity)};
}

struct GainScan {
  struct Point {
    double gamma_h;
    LargestDrift drift;
  };
  LargestDrift none, automatic;
  std::vector<Point> constant;  // gamma h = 10^(k/per_decade)

  // The least drift of a level, `none` included, and its gamma h.
  Point best(double LargestDrift::*level) const {
    Point least{0, none};
    for (const Point& point : constant)
      if (point.drift.*level < least.drift.*level) least = point;
    return least;
  }
};

inline GainScan scan_gains(const ProblemInstance& instance, const std::string& integrator, double t_end,
                           double h, int per_decade = 8) {
  GainScan scan{largest_drift(instance, "index1", integrator, t_end, h),
                largest_drift(instance, "baumgarte:gain=auto", integrator, t_end, h),
                {}};
  for (int k = -3 * per_decade; k <= per_decade / 2; ++k) {
    const double gamma_h = std::pow(10, static_cast<double>(k) / per_decade);
    scan.constant.push_back(
        {gamma_h,
         largest_drift(instance, fmt::format("baumgarte:gamma={:.17g}", gamma_h / h), integrator, t_end, h)});
  }
  return scan;
}

}  // namespace driftless::bench

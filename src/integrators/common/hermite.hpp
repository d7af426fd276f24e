// Hermite's cubic over a step of length h, theta in [0, 1] of the way:
//   y(theta) = from y_0 + to y_1 + slope_from y_0' + slope_to y_1'
#pragma once

namespace driftless::integrators {

struct HermiteCubic {
  HermiteCubic(double theta, double h)
      : from((1 - theta) * (1 - theta) * (1 + 2 * theta)),
        to(theta * theta * (3 - 2 * theta)),
        slope_from(theta * (1 - theta) * (1 - theta) * h),
        slope_to(-(theta * theta * (1 - theta) * h)) {}
  double from, to, slope_from, slope_to;
};

}  // namespace driftless::integrators

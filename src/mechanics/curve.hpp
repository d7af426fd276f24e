// The second derivatives of a point on a planar curve (Measure::Kind::curve): y = phi(xi, eta), the signed distance from the profile, of
// xi = (R_a ua) . d and eta = (R_a xa) . d, both measures of the kind `along`:
//   y' = phi_1 xi' + phi_2 eta',   curvature  phi_1 c_xi + phi_2 c_eta + phi_11 xi'^2 + 2 phi_12 xi' eta' + phi_22 eta'^2
#pragma once

#include <driftless/mechanics/measure.hpp>

namespace driftless::mechanics {

double curve_curvature(const Measure& m, const Pose& a, const Pose& b);
Pulls curve_rate_gradient(const Measure& m, const Pose& a, const Pose& b);
Stiffness curve_stiffness(const Measure& m, const Pose& a, const Pose& b);

}  // namespace driftless::mechanics

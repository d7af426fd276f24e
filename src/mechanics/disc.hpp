// The second derivatives of a disc on a plane (Measure::Kind::height, disc_slip). With the normal n of the plane, the axis u of the disc,
// s = n . u, c = sqrt(1 - s^2), e = (n - s u)/c, the arm from the mass centre of b to the contact, arm = R_b pb - radius e, and
// y = r_b + arm - r_a:
//   height = h - radius c      h = n . d:  a function of two measures, `along` and `axes`
//   slip   = x . W,            W = v_b - v_a + w_b x arm - w_a x y,   x = R_a xa
//   dn = dtheta_a x n,  du = dtheta_b x u,  ds = (dtheta_a - dtheta_b) . (n x u),
//   de = (dn - ds u - s du)/c + s/c^2 ds e
#pragma once

#include <driftless/mechanics/measure.hpp>

namespace driftless::mechanics {

double disc_slip_curvature(const Measure& m, const Pose& a, const Pose& b);
Pulls disc_slip_rate_gradient(const Measure& m, const Pose& a, const Pose& b);
Stiffness disc_slip_stiffness(const Measure& m, const Pose& a, const Pose& b);

double height_curvature(const Measure& m, const Pose& a, const Pose& b);
Pulls height_rate_gradient(const Measure& m, const Pose& a, const Pose& b);
Stiffness height_stiffness(const Measure& m, const Pose& a, const Pose& b);

}  // namespace driftless::mechanics

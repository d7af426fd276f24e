// The exact motion of a pendulum by Jacobi's elliptic functions. theta is the angle from the lowest position,
// w = sqrt(gravity/length):
//   theta'' = -w^2 sin theta,   e = theta'^2/2 + w^2 (1 - cos theta),   k^2 = e/(2 w^2)
//   k < 1 swings:   sin(theta/2) = k sn(w t + u0, k),             theta' = 2 k w cn(w t + u0, k)
//   k > 1 turns:    theta/2 = am(k w t + u0, 1/k) (times the sign of theta'), theta' = 2 k w dn(..)
#pragma once

namespace driftless::problems {

struct PendulumMotion {
  double angle = 0;  // from the lowest position
  double rate = 0;
};

// k = 1 to roundoff (the motion that ends upright) has no period and is refused by a NaN result.
PendulumMotion pendulum_motion(double w, PendulumMotion start, double t);

// theta'' = -stiffness sin theta from any angle; the stiffness may be negative (theta = 0 is then the highest position) or absent.
// Angles are continuous from the start where the motion turns round.
PendulumMotion angle_motion(double stiffness, PendulumMotion start, double t);

}  // namespace driftless::problems

#include "curve.hpp"

#include "matrix_sums.hpp"

namespace driftless::mechanics {

namespace {

struct Across {
  Measure xi, eta;
  FirstOrder<double> x, y;
  ProfileDistance phi;
  Across(const Measure& m, const Pose& a, const Pose& b)
      : xi(in_plane(m, m.ua)),
        eta(in_plane(m, m.xa)),
        x(first_order<double>(xi, a, b, {})),
        y(first_order<double>(eta, a, b, {})),
        phi(m.profile->second_order(x.value, y.value)) {}

  // The change of phi_1 and phi_2 along the motion.
  double first_rate() const { return phi.dxx * x.rate + phi.dxy * y.rate; }
  double second_rate() const { return phi.dxy * x.rate + phi.dyy * y.rate; }
};

}  // namespace

double curve_curvature(const Measure& m, const Pose& a, const Pose& b) {
  const Across s(m, a, b);
  return s.phi.dx * curvature(s.xi, a, b) + s.phi.dy * curvature(s.eta, a, b) + s.first_rate() * s.x.rate +
         s.second_rate() * s.y.rate;
}

Pulls curve_rate_gradient(const Measure& m, const Pose& a, const Pose& b) {
  const Across s(m, a, b);
  const Pulls by_x = rate_gradient(s.xi, a, b), by_y = rate_gradient(s.eta, a, b);
  Pulls pulls;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto sum = [&](auto part) {
      return s.phi.dx * (by_x[i].*part) + s.phi.dy * (by_y[i].*part) +
             s.first_rate() * (s.x.gradient[i].*part) + s.second_rate() * (s.y.gradient[i].*part);
    };
    pulls[i] = {sum(&Pull::force), sum(&Pull::torque)};
  }
  return pulls;
}

Stiffness curve_stiffness(const Measure& m, const Pose& a, const Pose& b) {
  const Across s(m, a, b);
  const Stiffness by_x = stiffness(s.xi, a, b), by_y = stiffness(s.eta, a, b);
  Stiffness total;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const auto sum = [&](Stiffness::Blocks Stiffness::*block, auto row, auto column) {
        Mat3& to = (total.*block)[i][j];
        add(to, s.phi.dx, (by_x.*block)[i][j]);
        add(to, s.phi.dy, (by_y.*block)[i][j]);
        const Vec3 &x_row = s.x.gradient[i].*row, &y_row = s.y.gradient[i].*row;
        const Vec3 &x_column = s.x.gradient[j].*column, &y_column = s.y.gradient[j].*column;
        add_outer(to, s.phi.dxx, x_row, x_column);
        add_outer(to, s.phi.dxy, x_row, y_column);
        add_outer(to, s.phi.dxy, y_row, x_column);
        add_outer(to, s.phi.dyy, y_row, y_column);
      };
      sum(&Stiffness::force_by_place, &Pull::force, &Pull::force);
      sum(&Stiffness::force_by_turn, &Pull::force, &Pull::torque);
      sum(&Stiffness::torque_by_place, &Pull::torque, &Pull::force);
      sum(&Stiffness::torque_by_turn, &Pull::torque, &Pull::torque);
    }
  return total;
}

}  // namespace driftless::mechanics

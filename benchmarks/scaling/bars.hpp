// Planar mechanisms of uniform bars joined by pins, as plain data, so that every program is given the same one:
//   q = (x, y, angle) of every bar, x and y of its centre;   end of a bar = centre + side R(angle) half, side = 1 or -1
//   every pin brings two rows:  g = end of bar a - (end of bar b, or a point of the ground)
//   M = diag(mass, mass, inertia, ..),   weight along -y
// n-four-bar: problems/n_four_bar.hpp, N couplers, from the upright position, all cranks at the rate -1.
// chain-loop: N links with a mass of 1/N each, 1.5 m long in all, pinned at (0, 0) and (1, 0); from rest, as an arc above the pins.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace driftless::benchmarks::scaling {

enum class Mechanism { n_four_bar, chain_loop };
std::string name(Mechanism mechanism);
double usual_end(Mechanism mechanism);  // 10 s and 1 s

struct Bar {
  double mass, inertia;
  double half_x, half_y;  // from the centre to the end on side 1, at the angle 0
};

struct Pin {
  static constexpr int ground = -1;
  int a;
  double side_a;
  int b;  // or ground
  double side_b;
  double x, y;  // of the point of the ground
};

struct Bars {
  static constexpr double gravity = 9.81;
  std::vector<Bar> bars;
  // A bar is the `b` of pins only after it was the `a` of one: the first pin of every bar makes a tree, the others close loops.
  std::vector<Pin> pins;
  Eigen::VectorXd q, v;  // start

  int coordinates() const { return 3 * static_cast<int>(bars.size()); }
  int rows() const { return 2 * static_cast<int>(pins.size()); }
  double kinetic_energy(const double* velocities) const;
  double potential_energy(const double* coordinates) const;
};

Bars make_bars(Mechanism mechanism, int N);

// Where B_0, the tip of the first crank of n-four-bar, is at the time t: a'' = w^2 sin a in long double, with steps so short that
// rounding is all that is left.
Eigen::Vector2d exact_tip(int N, double t);

}  // namespace driftless::benchmarks::scaling

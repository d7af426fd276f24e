// Pins between planar bodies, or of a planar body on the ground: two rows each, which say that two points coincide. With the arms
// d = R s from the centres of the bodies to the points, d~ = (-d_y, d_x) and the rates w of the angles,
//
//     g = r_b + d_b - r_a - d_a,     g' = v_b + w_b d~_b - v_a - w_a d~_a,     c = w_a^2 d_a - w_b^2 d_b,
//     G = [-I, -d~_a, I, d~_b],      L = [0, w_a d_a, 0, -w_b d_b],            (G^T l)_x = diag(0, 0, d_a . l, 0, 0, -d_b . l).
//
// Large planar mechanisms consist of little else, hence a layout of its own: what a pin needs of its bodies is read from q, v and one array of
// axes, and in rows without zeros only the entries that change are written.
#pragma once

#include <vector>

#include "mechanics/places.hpp"
#include "mechanics/row_pattern.hpp"

namespace driftless::mechanics {

class PlanarPins {
 public:
  static bool takes(const Body& a, const Body& b);
  // The gap of the pin whose first row is `row`.
  void add(const MechanismModel& model, const Measure& gap, int row, const RowPattern& pattern);

  void put_constants(linalg::SparseRows& G) const;
  template <class Target>
  void put(const Places& places, const WantedRows<Target>& to) const;
  template <class Pairs>
  void add_stiffness(const Places& places, const double* lambda, const Pairs& to) const;

 private:
  struct Side {
    int body, q, v, entry;  // entry: its first one in sparse rows
    double x, y;            // of the point, in body axes
  };
  struct Between {
    Side a, b;
    int row, length;
  };
  struct Grounded {  // sign: 1 where the body is b
    Side side;
    double sign, x, y;
    int row, length;
  };
  struct Arm;

  std::vector<Between> between_;
  std::vector<Grounded> grounded_;
};

}  // namespace driftless::mechanics

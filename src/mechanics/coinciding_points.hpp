// Rows that say together that two points of bodies of any kind coincide: x, y and perhaps z of one gap. With the arms d = R s from the centres of
// the bodies to the points and the angular velocities w, about world axes,
//
//     g = r_b + d_b - r_a - d_a,   g' = v_b + w_b x d_b - v_a - w_a x d_a,   c = w_b x (w_b x d_b) - w_a x (w_a x d_a);
//
// turns are measured about the axes of spatial bodies:  a pull l on such a body at s has the torque s x m, m = R^T l, whose change with a turn of
// the body is  m s^T - (s . m) I.  Pins of planar bodies have a layout of their own: planar_pins.hpp.
#pragma once

#include <array>
#include <vector>

#include "mechanics/places.hpp"
#include "mechanics/row_pattern.hpp"

namespace driftless::mechanics {

class CoincidingPoints {
 public:
  void add(const MechanismModel& model, const Measure& gap, int row, int count, const RowPattern& pattern);
  void mark_bodies(std::vector<char>& marks) const;  // those of which it needs whole places

  void put_constants(linalg::SparseRows& G) const;
  template <class Target>
  void put(const Places& places, const WantedRows<Target>& to) const;
  template <class Pairs>
  void add_stiffness(const Places& places, const double* lambda, const Pairs& to) const;

 private:
  struct Points {
    int a, b;
    Vec3 pa, pb;
    int row, count;
    int entry_a, entry_b, length;  // in sparse rows
    int v_a, v_b;
  };
  template <Body::Kind kind_a, Body::Kind kind_b, class Target>
  static void put_all(const std::vector<Points>& all, const Places& places, const WantedRows<Target>& to);
  template <Body::Kind kind_a, Body::Kind kind_b, class Pairs>
  static void add_stiffness_of_all(const std::vector<Points>& all, const Places& places, const double* lambda,
                                   const Pairs& to);
  // Calls with the kinds of both bodies, as constants, and all points between such bodies.
  template <class Action>
  void each_kind(const Action& action) const;

  std::array<std::array<std::vector<Points>, 3>, 3> by_kinds_;
};

}  // namespace driftless::mechanics

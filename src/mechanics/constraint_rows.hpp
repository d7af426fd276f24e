// The rows g and w of a mechanism and their derivatives, by the formulas of the measures they are made of.
#pragma once

#include <vector>

#include "mechanics/places.hpp"

namespace driftless::mechanics {

class ConstraintRows {
 public:
  explicit ConstraintRows(const MechanismModel& model);

  void positions(Parts parts, double t, const Places& places, Evaluation& e) const;
  void velocities(Parts parts, const Places& places, Evaluation& e) const;
  void multiplier_jacobian(const Point& at, const Places& places, Matrix& Bl_x) const;

 private:
  // Rows that say together that two points coincide, which is what most rows are: x, y and perhaps z of one gap.
  struct Points {
    Measure gap;
    int row, count;
  };

  int coinciding_rows(std::size_t i) const;
  static void put(const Vec3& values, const Points& points, double* all);
  static void put_place(const Place& at, double sign, const Points& points, Matrix& rows);
  static void put_turns(const Place& at, double sign, const Vec3& arm, const Points& points, Matrix& rows);

  const MechanismModel& model_;
  std::vector<Points> points_;
  std::vector<std::size_t> others_;  // all other rows
};

}  // namespace driftless::mechanics

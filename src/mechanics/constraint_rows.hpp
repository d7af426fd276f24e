// The rows g and w of a mechanism and their derivatives, by the formulas of the measures they are made of.
#pragma once

#include <vector>

#include "mechanics/coinciding_points.hpp"
#include "mechanics/places.hpp"
#include "mechanics/planar_pins.hpp"
#include "mechanics/row_pattern.hpp"

namespace driftless::mechanics {

class ConstraintRows {
 public:
  explicit ConstraintRows(const MechanismModel& model);

  void positions(Parts parts, double t, const Places& places, Evaluation& e) const;
  void velocities(Parts parts, const Places& places, Evaluation& e) const;
  void multiplier_jacobian(const Point& at, const Places& places, Matrix& Bl_x) const;
  void multiplier_jacobian(const Point& at, const Places& places, linalg::SparseRows& Bl_x) const;

  // The matrices of an evaluation without zeros get their entries; those that are constant are there from the first time on.
  void prepare(Parts parts, SparseParts& sparse) const;

  void prepare_curvature(SparseParts& sparse) const;  // all of its entries will be written

  void mark_bodies(std::vector<char>& marks) const;  // those of which it needs whole places

 private:
  // Rows that are no points, one by one, those of a kind together.
  struct Other {
    int row;         // of its level
    int first_term;  // in entries_
    int in_pattern;  // its row there
  };
  struct Entries {
    int a, b;
  };

  int coinciding_rows(std::size_t i) const;
  void add_other(const Row& row, int number, int in_pattern, std::vector<Other>& to);
  void clear_others(linalg::SparseRows& rows) const;
  template <class Target>
  void positions_to(Parts parts, double t, const Places& places, Evaluation& e, const Target& G,
                    const Target& L) const;
  template <class Target>
  void velocities_to(Parts parts, const Places& places, Evaluation& e, const Target& K,
                     const Target& drift) const;

  template <class Pairs>
  void multiplier_jacobian_to(const Point& at, const Places& places, const Pairs& Bl_x) const;

  const MechanismModel& model_;
  RowPattern pattern_;
  linalg::SparseRows constants_;  // [G; K], where no other entries are set
  PlanarPins pins_;
  CoincidingPoints points_;
  std::vector<Other> others_, velocity_rows_;
  std::vector<Entries> entries_;  // of terms of others, in sparse rows
};

}  // namespace driftless::mechanics

// Which rows that depend on others at one configuration do so at every one. Private to core.
//
// Rows whose angles to the others are small there may be
//   redundant   implied by the others wherever the mechanism goes: a planar loop with spatial joints, a joint given twice. Rounded coordinates
//               leave such rows with angles of their own size (a tilt of 1e-6), and they must not be taken for constraints because of that
//   singular    implied there alone: a change point, a stretched arch. They are constraints, however small the angle
// An angle does not tell these apart, other configurations do: the mechanism is moved as the surely independent rows allow, assembled there by
// them, and looked at again. A row is redundant if there, too, its angle is small and it is met, up to what assemblies may be off
// by (Scales::assembly).
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless {

// Constraint rows at a place, however their matrix is kept, in the metric of moved points and divided by their sizes.
class PlacedRows {
 public:
  virtual ~PlacedRows() = default;
  virtual int count() const = 0;
  virtual bool evaluate(double t, VectorIn z) = 0;  // false: something is not finite
  virtual std::vector<int> dependent(
      double sine) = 0;  // rows left out if sines up to this do not count; ascending
  virtual bool keep_without(const std::vector<int>& rows) = 0;    // the rows that the next one means
  virtual void least_move(VectorIn right, VectorOut delta) = 0;   // the smallest one with C delta = right
  virtual void times(VectorIn delta, VectorOut right) const = 0;  // C delta, all rows
  virtual void residual(
      VectorOut missed) const = 0;  // how far points are from where positions are met; 0 for rows of K
};

struct Redundancy {
  int positions = 0, velocities = 0;  // how many rows of G, and then of K
};

// Whether the mechanism passes the place: some way along its velocity, on one side or the other, less rows than that many depend on others.
bool passes(const Problem& problem, const Scales& scales, PlacedRows& rows, double t, VectorIn place,
            VectorIn z, std::size_t dependent);

// Of the rows `lost` at a place on the constraints.
Redundancy redundancy(const Problem& problem, const Scales& scales, PlacedRows& rows, double t, VectorIn z,
                      const std::vector<int>& lost);

}  // namespace driftless

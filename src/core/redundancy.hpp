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

#include "placed_rows.hpp"

namespace driftless {

struct Redundancy {
  int positions = 0, velocities = 0;  // how many rows of G, and then of K
};

// Whether the mechanism passes the place: some way along its velocity, on one side or the other, less rows than that many depend on others. `rows` are
// elsewhere afterwards, and so after redundancy().
bool passes(const Problem& problem, const Scales& scales, PlacedRows& rows, double t, VectorIn place,
            VectorIn z, std::size_t dependent);

// Of the rows `lost` at a place on the constraints.
Redundancy redundancy(const Problem& problem, const Scales& scales, PlacedRows& rows, double t, VectorIn z,
                      const std::vector<int>& lost);

}  // namespace driftless

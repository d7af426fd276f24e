// Whether a mechanism can leave a configuration where its constraints lose rank (Connelly, Whiteley, SIAM J. Discrete Math. 9, 1996: second-order
// rigidity). Along q + s u + s^2 a/2 with G u = 0 constraints are met to second order only if
//   G a = -c(q, u)      which has a solution only if  w^T c(q, u) = 0  for every w with w^T G = 0
// Each w is a quadratic form of the directions u that are left. At a change point it takes both signs, and branches meet where it is 0. If one of
// them takes one sign only, nothing moves: two bars stretched between two pins allow displacements to first order and no motion. Rows that
// the others imply everywhere have forms that are 0. Cold.
#pragma once

#include <optional>

#include <driftless/core/problem.hpp>

namespace driftless {

// chosen: branches meet, and velocities lie along one of them. stiff_here: forms of one sign, beside the place (a nearly stretched arch) or where nothing pushes; locked: the mechanism cannot go where its
// velocities or forces drive it, in any direction that is left; part_locked: in some, as far as curvatures that are nearly 0 let one say. unknown:
// constraints that move, velocity constraints, or another form that is not looked at have a part in it.
enum class Mobility { free, chosen, unknown, stiff_here, part_locked, locked };

// At a place on the position constraints. Rows within the sine `lost` of the others count as lost: beside a singular place more than at it.
constexpr double lost_at_the_place = 1e-7;
Mobility second_order_mobility(const Problem& problem, double t, VectorIn z, double lost = lost_at_the_place);

// Where displacements to first order cannot meet position rows because they depend on each other at the very place (a four-bar whose bars lie in
// line, somewhat too long): the displacement u by which w^T (g + c(q, u)/2) comes nearest to 0, along the direction that lowers it most. Its sign
// is free, and positions are met on both sides. nullopt: none lowers it.
std::optional<Vector> second_order_move(const Problem& problem, double t, VectorIn z, VectorIn missed);

}  // namespace driftless

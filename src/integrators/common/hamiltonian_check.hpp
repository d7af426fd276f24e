// Whether M v' = f(q, v, t) - G^T lambda is a Hamiltonian system in q and p = M v, as far as derivatives at one place tell. With
// P = (M a)_q at a = v, the right-hand side F = f + P v of p' is -H_q of H = p^T M^-1 p/2 + V(q, t) only if
//   F_v = P^T for every v        else D = F_v - P^T is damping or drive (its symmetric part), or gyroscopic (the rest): with such forces,
//                                those of a magnet for instance, the momentum is another one than M v
//   f(q, v) = f(q, -v)           else there is friction, dry one for instance, which D does not show
//   f_q = f_q^T at v = 0         else forces have no potential
// all up to forces along G^T, which lambda takes up. And M must not depend on t: p' would need M_t.
// Looks at the place given only, with the velocity there and two others, since drag of higher order vanishes at rest; forces that
// act elsewhere only, behind a stop for instance, are not seen.
#pragma once

#include <driftless/core/problem.hpp>

namespace driftless::integrators {

// All throw InputError, with what to use instead.
void check_mass_of_time(const Problem& problem, double t, VectorIn z);
void compare_masses(VectorIn M, double t, VectorIn M_later, double t_later);  // their entries
void check_conservative(const Problem& problem, double t, VectorIn z);

// Whether M has any derivative by q there.
bool mass_changes_at(const Problem& problem, double t, VectorIn z);

}  // namespace driftless::integrators

// The motion near a state, in local coordinates of the constraint manifold: what equilibrium() and linearize()
// share. With T an orthonormal basis of null(G) and T' one of null([G; K]), a displacement delta of z from the
// motion through z (x_0 moving along N delta_0) has the local coordinates
//   x_0 = T^T delta_0,   x_j = T'^T delta_j,  j = 1 .. m-1
// and is delta = Z x, level by level
//   delta_0 = T x_0,   delta_j = T' x_j - [G; K]^+ [ sum_{i<j} binomial(j, i) L_{j-i} delta_i ; w_x delta_0 ]
// so that H delta = 0. Their equations x' = R x + .. follow from
//   delta_0' = delta_1 (+ N^+ ((N v)_q N delta_0 - (N delta_0)_q N v)),   delta_j' = delta_{j+1},   delta_{m-1}' = da,
//   M da + B dlambda + K^T dkappa = f_z delta - ((M a)_x + (B lambda)_x + (K^T kappa)_x) delta_0
//   G da = -(G a + c)_z delta,   K da = -(K a + ck)_z delta
// `frozen`: time stands still and the system is at rest (all levels but the first are taken as zero); then g_t, g_tt
// and L vanish, whatever the constraints do in time, and a is the acceleration with which it would start.
#pragma once

#include <driftless/core/problem.hpp>

namespace driftless::analysis {

struct TangentMotion {
  State state;        // with the multipliers that belong to it
  Vector a;           // the highest derivative
  Matrix M;           // mass matrix there
  Matrix T, T_v;      // bases of null(G) and null([G; K])
  Matrix Z;           // displacements of z, order * nv rows, one column for every local coordinate
  Matrix reduced;     // R
  Matrix stiffness;   // T_v^T ((B lambda)_x + (K^T kappa)_x - f_x) T_v
  Vector unbalanced;  // M a, which vanishes in an equilibrium
  Vector balanced;    // size of the forces that hold each other there

  double residual() const { return unbalanced.cwiseAbs().maxCoeff(); }
  // Row by row, since forces differ in their units; below 1e-13 where every digit agrees.
  double relative_residual() const;
  Vector force_scale() const;  // what it is relative to
};

// Throws InputError where the constraints lose rank, the mass matrix is singular or something is not finite.
TangentMotion tangent_motion(const Problem& problem, const State& state, bool frozen);

// Does t enter the equations? Judged by M, f, g and w a little later.
bool depends_on_time(const Problem& problem, const State& state);

}  // namespace driftless::analysis

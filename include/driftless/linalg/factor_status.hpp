// What a factorisation may report, and the numbers that decide it. SaddlePoint, FixedSaddle and the rank
// functions share them, so that all three give the same verdict on the same matrix.
//
// Rank is an angle: a row of C is dependent when the sine of its angle to the span of the rows before it is
// at most row_angle_limit, which no change of units can alter. Roundoff leaves a dependent row near 1e-15; a
// row-normalised matrix of condition number 1e6 keeps all rows above 1e-6.
//
// The fast test of it: in the Cholesky factorisation of a Gram matrix S the pivot of row j is
//     d_j = S_jj sin^2(angle between row j and the span of the rows before it).
// Squaring and rounding blur d_j / S_jj by (coefficients of the dependence)^2 eps, so that a dependent row
// may look like sin^2 = 1e-10. Therefore pivots above row_doubt_limit are trusted, and below it the rows are
// measured.
#pragma once

#include <limits>

namespace driftless::linalg {

enum class FactorStatus {
  ok,
  singular_mass,  // M is singular on ker C: some motion that the constraints allow has no inertia
  rank_loss,      // rows of C (or columns of B, or C M^-1 B) are dependent
  not_finite      // an entry of the input is infinite or not a number
};

/// Sine of the smallest angle between a row of constraints and the span of the others that counts as
/// independent.
inline constexpr double row_angle_limit = 3.1622776601683794e-7;

/// d_j / S_jj below which the pivots of S are not believed, and the angles are measured on the rows
/// themselves.
inline constexpr double row_doubt_limit = 1e-6;

/// d_j / S_jj below which S is useless also for independent rows: row_angle_limit squared.
inline constexpr double row_pivot_limit = 1e-13;

/// Below this scale-free pivot M is not used as M = L L^T any more: the error of M^-1 (eps / limit) would
/// exceed about 1e-8, and the whole matrix [M B; C 0], which may be regular for a singular M, is factored
/// instead.
inline constexpr double mass_pivot_limit = 1e-8;

/// Limit of the pivots of an equilibrated n x n matrix (entries of size 1) under LU.
inline constexpr double lu_pivot_limit(int n) {
  return 4.0 * n * std::numeric_limits<double>::epsilon();
}

}  // namespace driftless::linalg

// Generalized solutions of an overdetermined system of n unknowns,
//
//     A_1 x = a_1     n rows, regular          rows that are to hold exactly are in A_2; what A_1 gives up for them is
//     A_2 x = a_2     k rows, independent      the residual a_1 - A_1 x
//
// by definitions that differ in where this residual lies (numbers of Fuehrer, Leimkuhler 1991):
//
//     null_space       (27)  in the range of R:     x = A_2^+ a_2 + V (W^T A_1 V)^-1 W^T (a_1 - A_1 A_2^+ a_2),  A_2 V = 0, R^T W = 0
//     extended         (38)  the same, by           [A_1 R; A_2 0] [x; m] = [a_1; a_2]
//     least_squares    (28)  it is smallest:        x = A_2^+ a_2 + V (A_1 V)^+ (a_1 - A_1 A_2^+ a_2)
//     gauss_newton           nothing is exact: the sum of squares of all residuals is smallest
//
// R (n x k) is A_2^T in the paper; then the first two are its "ssf" solution. Off the fast path; allocates.
#pragma once

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

enum class GeneralizedSolution { null_space, extended, least_squares, gauss_newton };

/// False where the matrices of the definition are singular or not finite; x is then left alone.
bool generalized_solve(GeneralizedSolution definition, const Matrix& A_1, const Matrix& R, const Matrix& A_2,
                       const Vector& a_1, const Vector& a_2, Vector& x);

}  // namespace driftless::linalg

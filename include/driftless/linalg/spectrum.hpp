// Eigenvalues and eigenvectors of a real matrix A of a linear system y' = A y, with zero eigenvalues told apart
// from small ones. A double zero of one chain (a free motion) would come out of the QR algorithm as a pair of
// size sqrt(eps) |A|; here zeros are taken off first:
//
//     A is balanced (powers of 2);  A = [X U] [0 *; 0 U^T A U] [X U]^T,  X the null space by singular values,
//     the same for U^T A U, .. until nothing is singular; the QR algorithm sees the rest only.
//
// How often that repeats is the length of the longest chain A^k y = 0. Fails to tell a zero from an eigenvalue
// whose singular value is below 1e-13 of the largest: for a vibration, a frequency below 3e-7 of the highest.
// Off the fast path; allocates.
#pragma once

#include <complex>
#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

struct Eigenpair {
  std::complex<double> value;  // of a conjugate pair only the one with a positive imaginary part is listed
  Eigen::VectorXcd vector;
  int chain = 1;        // of a zero: length of its chain; 2 for a free motion, x' = v, v' = 0
  double roundoff = 0;  // how far roundoff in A may have moved the value
};

/// By rising absolute value. Throws std::runtime_error where A is not finite or the QR algorithm fails.
std::vector<Eigenpair> spectrum(MatrixIn A);

/// The largest absolute value of an eigenvalue.
double spectral_radius(MatrixIn A);

}  // namespace driftless::linalg

// The largest eigenvalue of C C^T by power iteration, u := C C^T u / |C C^T u|, without forming C C^T. The
// quotient u^T C C^T u / u^T u is never above the eigenvalue, and its error is the square of that of u. Slow
// where the two largest eigenvalues are nearly equal, and then either of them is a good answer.
#pragma once

#include <driftless/linalg/sparse_rows.hpp>

namespace driftless::linalg {

/// To a percent where many eigenvalues lie near the largest, else to three digits. u (as many entries as C has rows) and w (columns) are scratch memory. 0 where C = 0,
/// not finite where C is not.
double largest_gram_eigenvalue(MatrixIn C, VectorOut u, VectorOut w);
double largest_gram_eigenvalue(const SparseRows& C, VectorOut u, VectorOut w);

}  // namespace driftless::linalg

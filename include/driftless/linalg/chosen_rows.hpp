// Which rows stand for all of them, where only so many are independent: the first ones in their order as long as each has a sine above 1e-3
// to those before it, so that a row added to a problem changes nothing; else, if these are too few, the strongest ones. Off the fast path;
// allocates.
#pragma once

#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

/// `rank` rows of C, which has rows of length 1 or 0, in ascending order.
std::vector<int> chosen_rows(const Matrix& C, Eigen::Index rank);

}  // namespace driftless::linalg

// Which rows stand for all of them, where only so many are independent: the first ones in their order as long as each has a sine above 1e-3
// to those before it, so that a row added to a problem changes nothing; else, if these are too few, the strongest ones. Where rows that are left
// out are off by d, the others are off by d divided by the sine of the last one chosen: rows with a larger sine come first there, and then as many
// more as are missing. Off the fast path; allocates.
#pragma once

#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

constexpr double least_safe_sine = 1e-3;

/// `rank` rows of C, which has rows of length 1 or 0, in ascending order.
std::vector<int> chosen_rows(const Matrix& C, Eigen::Index rank, double safe_sine = least_safe_sine);

}  // namespace driftless::linalg

// Several operations on long vectors in one pass: piece by piece, each small enough to stay in the nearest cache between them.
#pragma once

#include <algorithm>

#include <Eigen/Core>

namespace driftless::integrators {

constexpr Eigen::Index piece_length = 256;

// action(first, count) for one piece after the other.
template <class Action>
[[gnu::always_inline]] inline void by_pieces(Eigen::Index size, const Action& action) {
  for (Eigen::Index first = 0; first < size; first += piece_length)
    action(first, std::min(piece_length, size - first));
}

}  // namespace driftless::integrators

// What a motion misses without some of its constraint rows. Private to core.
//
// Where a mechanism passes a singular configuration, a row that nearly depends on others may be left out for the moment that the passage takes: on the
// branch that goes straight through, accelerations by the other rows meet it all the same. They do not where two branches come near
// each other and do not meet (the motion turns there within the distance between them), nor where the passage is so slow that forces bend
// it. Of such a row the residual says so, by what it is to turn round within the size of the mechanism.
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/scales.hpp>

namespace driftless {

// Of accelerations with `rows` alone, the largest residual of the rows `without`, by speed^2 / size: a share of 1 is a turn within the size. 0
// where it is not known.
double missed_without(const Problem& problem, const Scales& scales, const Vector& sizes, double t, VectorIn z,
                      const std::vector<int>& rows, const std::vector<int>& without);

}  // namespace driftless

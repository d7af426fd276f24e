// Whether it is worth while to look closely (check_model.hpp): what is written by hand is compared along one
// direction instead of column by column, by about three evaluations per part, so that every run can afford
// it. It may be wrong in both ways: whoever is suspected is looked at closely, and what vanishes along the
// direction shows at another state.
#pragma once

#include <driftless/core/checkable.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

bool suspicious(const Problem& problem, const Checkable& known, const State& state);

}  // namespace driftless

// Driftless on the mechanisms of bars.hpp: bodies and joints put together by mechanics::Mechanism, in the coordinates of the bodies or in
// those of the joints along a tree (mechanics::RelativeCoordinates).
#pragma once

#include <string>

#include <driftless/catalog/method.hpp>

#include <driftless/mechanics/mechanism.hpp>

#include "bars.hpp"
#include "outcome.hpp"

namespace driftless::benchmarks::scaling {

enum class Coordinates { absolute, relative };

struct OwnSettings {
  Coordinates coordinates = Coordinates::absolute;
  Method method = {};  // words that are left empty are the library's choice
};

mechanics::Mechanism mechanism_of(const Bars& bars);

std::string name(const OwnSettings& settings);  // "absolute, index1 + dopri5"

// Without the monitors of drift and energy that solve() adds for people, as the others have none.
Outcome run_own(Mechanism mechanism, int N, double tolerance, double t_end, double seconds_limit,
                const OwnSettings& settings);

// One acceleration of the problem, or one residual where the formulation is implicit, at states near the start that all differ.
double seconds_per_right_hand_side(Mechanism mechanism, int N, const OwnSettings& settings);

}  // namespace driftless::benchmarks::scaling

// A joint whose two axes, one on each body, stand across each other: no small turn brings them nearer, so that nothing can close it from there.
#pragma once

#include <string>

#include <driftless/core/state.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

// Which joint, and what to do; empty: there is none.
std::string crossed_axes(const MechanismModel& model, const State& state);

}  // namespace driftless::mechanics

// --event NAME[:value=V,direction=any|rising|falling,stop=yes|no]: the column NAME of the trajectory, or of a model's outputs, passes V.
#pragma once

#include <string>

#include <driftless/core/event.hpp>

#include "problem_source.hpp"

namespace driftless::app {

// Throws InputError for a name that the problem does not have.
Event event_of(const std::string& text, const ProblemSource& source);

}  // namespace driftless::app

// --event NAME[:value=V,direction=any|rising|falling,stop=yes|no]: the column NAME of the trajectory passes V.
#pragma once

#include <string>

#include <driftless/core/event.hpp>
#include <driftless/core/problem.hpp>

namespace driftless::app {

// Throws InputError for a name that the problem does not have.
Event event_of(const std::string& text, const Problem& problem);

}  // namespace driftless::app

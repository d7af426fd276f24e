// driftless demo: a slider-crank with and without stabilization, side by side.
#pragma once

#include "requests.hpp"

namespace driftless::app {

int demo_command(const DemoRequest& request);  // the exit status

}  // namespace driftless::app

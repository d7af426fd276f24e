// driftless generate NAME: writes a model file that is too long to write by hand.
#pragma once

#include "requests.hpp"

namespace driftless::app {

int generate_command(const GenerateRequest& request);  // the exit status

}  // namespace driftless::app

// driftless convert FILE: a robot file as a model file.
#pragma once

#include "requests.hpp"

namespace driftless::app {

int convert_command(const ConvertRequest& request);  // the exit status

}  // namespace driftless::app

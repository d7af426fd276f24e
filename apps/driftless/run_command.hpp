// driftless run: one problem by one method.
#pragma once

#include "requests.hpp"

namespace driftless::app {

int run_command(const RunRequest& request);  // the exit status

}  // namespace driftless::app

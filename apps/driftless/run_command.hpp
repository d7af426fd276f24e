// driftless run: one problem by one method.
#pragma once

#include "execution.hpp"
#include "requests.hpp"

namespace driftless::app {

// The problem, the method and the settings that were asked for. Throws InputError.
Experiment experiment_of(const RunRequest& request);

int run_command(const RunRequest& request);  // the exit status

}  // namespace driftless::app

// driftless reproduce: the numbers and figures of papers, each number by the run command that yields it.
#pragma once

#include "requests.hpp"

namespace driftless::app {

// Exit status: 0 if every value agrees with what an independent program found, 1 if not.
int reproduce_command(const ReproduceRequest& request);

}  // namespace driftless::app

// A loop of runs as a shell has it, for values that are read off several runs:
//   for tol in 1e-4 1e-5; do driftless run andrews --rtol $tol --atol $tol; done
#pragma once

#include <string>
#include <vector>

namespace driftless::experiments {

// `body` is a command that contains $variable outside of quotes.
std::string loop(const std::string& variable, const std::vector<std::string>& values,
                 const std::string& body);

// The commands one by one, in the order of the loop; a command that is no loop is the only one. Throws
// InputError where a loop is written in another way than loop() does.
std::vector<std::string> commands_of(const std::string& command);

}  // namespace driftless::experiments

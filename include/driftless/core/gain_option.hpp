// The option `gain` of everything that feeds back with gains: given by the user, or chosen for the integrator and the step.
#pragma once

#include <vector>

#include <driftless/core/method_options.hpp>

namespace driftless {

OptionSpec gain_option();
// gain=auto. Throws InputError where one of these options is given too and would be ignored.
bool gain_is_automatic(const OptionValues& options, const std::vector<const char*>& replaced);

}  // namespace driftless

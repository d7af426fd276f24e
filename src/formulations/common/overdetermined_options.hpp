// The options that both overdetermined formulations share.
#pragma once

#include <vector>

#include <driftless/core/method_options.hpp>
#include <driftless/formulations/overdetermined.hpp>

namespace driftless::formulations {

std::vector<OptionSpec> overdetermined_options();
OverdeterminedOptions overdetermined_options_of(const OptionValues& options);

}  // namespace driftless::formulations

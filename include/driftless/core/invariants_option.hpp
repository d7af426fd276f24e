// The option `invariants`: which of a problem's invariants join the constraints, by name: "energy", names of the problem's own, or
// "all"; several separated by ';'.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/method_options.hpp>

namespace driftless {

OptionSpec invariants_option();
std::vector<std::string> invariant_names(const OptionValues& options);
// Throws InputError for names that the problem does not have.
Invariants choose_invariants(const Problem& problem, const std::vector<std::string>& names);

}  // namespace driftless

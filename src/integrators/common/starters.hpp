// One-step methods that make the first steps of a multistep method, before it has a history of its own. A
// starter of order p errs by O(h^(p+1)) in each of these few steps, so that order k - 1 suffices for a method
// of order k; the default is order k, which also keeps the error constant small.
#pragma once

#include <memory>
#include <string>

#include <driftless/core/integrator.hpp>
#include <driftless/core/method_options.hpp>

namespace driftless::integrators {

// The option `start`, with `fallback` as its default.
OptionSpec start_option(const std::string& fallback);

// The method of that name, which is one of the option's choices, with its own options at their defaults.
std::unique_ptr<Integrator> make_starter(const std::string& name);

}  // namespace driftless::integrators

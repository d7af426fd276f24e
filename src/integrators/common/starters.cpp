#include "starters.hpp"

#include <stdexcept>

#include <driftless/core/entries.hpp>

namespace driftless::integrators {

IntegratorEntry forward_euler();
IntegratorEntry explicit_midpoint();
IntegratorEntry heun();
IntegratorEntry kutta3();
IntegratorEntry rk4();
IntegratorEntry dopri5();
IntegratorEntry dop853();

namespace {

struct Starter {
  const char* name;
  IntegratorEntry (*entry)();
};

constexpr Starter starters[] = {{"forward-euler", forward_euler},
                                {"explicit-midpoint", explicit_midpoint},
                                {"heun", heun},
                                {"kutta3", kutta3},
                                {"rk4", rk4},
                                {"dopri5", dopri5},
                                {"dop853", dop853}};

}  // namespace

OptionSpec start_option(const std::string& fallback) {
  OptionSpec option{
      .name = "start", .fallback = fallback, .help = "the one-step method that makes the first steps"};
  for (const Starter& starter : starters) option.choices.emplace_back(starter.name);
  return option;
}

std::unique_ptr<Integrator> make_starter(const std::string& name) {
  for (const Starter& starter : starters)
    if (name == starter.name) {
      const IntegratorEntry entry = starter.entry();
      return entry.make(OptionValues(name, entry.options, {}));
    }
  throw std::logic_error("no one-step method '" + name + "' to start with: the option's choices forbid this");
}

}  // namespace driftless::integrators

#include <driftless/core/gain_option.hpp>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless {

OptionSpec gain_option() {
  return {.name = "gain",
          .fallback = "given",
          .help = "auto: chosen for the integrator and the step, see docs/gains.md",
          .choices = {"given", "auto"}};
}

bool gain_is_automatic(const OptionValues& options, const std::vector<const char*>& replaced) {
  if (options.word("gain") != "auto") return false;
  for (const char* name : replaced)
    if (options.given(name))
      throw InputError(fmt::format(
          "gain=auto chooses the gains, so that {} would be ignored; leave one of them out", name));
  return true;
}

}  // namespace driftless

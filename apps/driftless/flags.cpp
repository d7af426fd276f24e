#include "flags.hpp"

#include <map>

namespace driftless::app {

namespace {

// Options of the library in C++, and the flags that give them.
const std::map<std::string, std::string, std::less<>> flags = {
    {"formulation", "--formulation"},
    {"integrator", "--integrator"},
    {"stabilizer", "--stabilizer"},
    {"controls", "--control"},
    {"controller", "--controller"},
    {"coordinates", "--coordinates"},
    {"t_end", "--t-end"},
    {"step", "--step"},
    {"rtol", "--rtol"},
    {"atol", "--atol"},
    {"h0", "--h0"},
    {"hmax", "--hmax"},
    {"max_steps", "--max-steps"},
    {"output", "--output"},
    {"out", "--out"},
    {"plot", "--plot"},
    {"set", "--set"},
    {"keyframe", "--keyframe"},
    {"allow_outside", "--allow-outside"},
};

// "max_steps" or "formulation = ggl"; empty: no option.
std::string flag_of(std::string_view option) {
  constexpr std::string_view is = " = ";
  const auto equals = option.find(is);
  const auto found = flags.find(option.substr(0, equals));
  if (found == flags.end()) return {};
  if (equals == option.npos) return found->second;
  return found->second + " " + std::string(option.substr(equals + is.size()));
}

}  // namespace

std::string with_flags(std::string_view text) {
  std::string result;
  while (true) {
    const auto begin = text.find('`'), end = begin == text.npos ? begin : text.find('`', begin + 1);
    if (end == text.npos) return result.append(text);
    const std::string flag = flag_of(text.substr(begin + 1, end - begin - 1));
    result.append(text.substr(0, begin));
    // Where it is no option, the second mark may be the first of another pair.
    result.append(flag.empty() ? text.substr(begin, end - begin) : std::string_view(flag));
    text.remove_prefix(flag.empty() ? end : end + 1);
  }
}

}  // namespace driftless::app

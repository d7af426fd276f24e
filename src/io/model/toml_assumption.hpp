// What toml++ assumes of its input. In release builds it tells the optimiser that these things are so, and version 3.3 is wrong about some of
// them ("[;" is enough), so that anything might follow. Here they are checked in every build, and a text that breaks one is refused.
#pragma once

#include <stdexcept>

namespace driftless::io {

struct TomlAssumption : std::runtime_error {
  TomlAssumption() : std::runtime_error("the text cannot be read as TOML") {}
};
[[noreturn]] void refuse_toml();

}  // namespace driftless::io

// The library names options as C++ has them, `max_steps` or `formulation = ggl`; people at a terminal know them as flags.
#pragma once

#include <string>
#include <string_view>

namespace driftless::app {

// "raise `max_steps`" becomes "raise --max-steps", "use `formulation = ggl`" becomes "use --formulation ggl".
// What stands in backticks and is no option stays.
std::string with_flags(std::string_view text);

}  // namespace driftless::app

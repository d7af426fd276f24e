// The table of methods for README and docs, from the catalog itself.
#pragma once

#include <string>

namespace driftless::catalog {

std::string markdown_table();

}  // namespace driftless::catalog

// Names of parametrised tests: what is no letter and no digit becomes an underscore.
#pragma once

#include <cctype>
#include <string>

namespace driftless::tests {

inline std::string test_name(std::string name) {
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

}  // namespace driftless::tests

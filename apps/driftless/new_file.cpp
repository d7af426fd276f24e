#include "new_file.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::app {

void write_new_file(const Text& out, const std::string& text, const std::string& flag) {
  if (!out) {
    fmt::print("{}", text);
    return;
  }
  if (std::filesystem::exists(*out))
    throw InputError(
        fmt::format("the file {} is there already, and is not written over; remove it, or name another one "
                    "with {}",
                    *out, flag));
  std::ofstream file(*out, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw InputError(
        fmt::format("the file {} could not be written; name one in another place with {}", *out, flag));
}

}  // namespace driftless::app

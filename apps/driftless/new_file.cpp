#include "new_file.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::app {

void write_new_file(const Text& out, const std::string& text) {
  if (!out) {
    fmt::print("{}", text);
    return;
  }
  if (std::filesystem::exists(*out))
    throw InputError(fmt::format("the file {} is there already; give --out another name", *out));
  std::ofstream file(*out, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw InputError(fmt::format("the file {} could not be written; give --out another place", *out));
}

}  // namespace driftless::app

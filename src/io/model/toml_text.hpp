// TOML as it stands in a file; what is no TOML is refused with its line.
#pragma once

#include <filesystem>
#include <string_view>

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

namespace driftless::io {

// Throws ModelError.
toml::table toml_of(std::string_view text, const std::filesystem::path& file);

}  // namespace driftless::io

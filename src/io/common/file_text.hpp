// The text of a file that a person named.
#pragma once

#include <filesystem>
#include <string>

namespace driftless::io {

// Throws InputError, which calls it a `what`, where it is no plain file, cannot be read, or is longer than the limit.
std::string text_of_file(const std::filesystem::path& file, const std::string& what, std::size_t limit);

}  // namespace driftless::io

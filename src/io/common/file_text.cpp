#include "io/common/file_text.hpp"

#include <fstream>
#include <vector>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::io {

std::string text_of_file(const std::filesystem::path& file, const std::string& what, std::size_t limit) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw InputError(fmt::format("{} is a folder; name a {}", file.string(), what));
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    throw InputError(fmt::format("{} is no plain file; name a {}", file.string(), what));
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw InputError(fmt::format("the {} {} cannot be read; look whether it is there", what, file.string()));
  std::string text;
  std::vector<char> part(1 << 16);
  while (in.read(part.data(), static_cast<std::streamsize>(part.size())), in.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit)
      throw InputError(fmt::format("the {} {} is larger than {} MB; make a smaller one", what, file.string(),
                                   limit >> 20));
  }
  return text;
}

}  // namespace driftless::io

#include <driftless/io/result_folder.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::io {

namespace fs = std::filesystem;

namespace {

// Without a slash at the end, and sure to have a name to which a number can be added.
fs::path checked(const fs::path& wanted) {
  fs::path path = wanted.lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const fs::path name = path.filename();
  if (name.empty() || name == "." || name == "..")
    throw InputError(
        fmt::format("the output folder '{}' has no name of its own; give `out` the name of a new folder",
                    wanted.string()));
  return path;
}

[[noreturn]] void refuse(const fs::path& path, const std::error_code& error) {
  throw InputError(fmt::format("the output folder {} cannot be made ({}); give another one with `out = DIR`",
                               path.string(), error.message()));
}

}  // namespace

void refuse_taken_folder(const fs::path& given) {
  const fs::path path = checked(given);
  std::error_code error;
  if (!fs::exists(path, error)) return;
  if (!fs::is_directory(path, error)) refuse(path, std::make_error_code(std::errc::not_a_directory));
  if (!fs::is_empty(path, error) || error)
    throw InputError(
        fmt::format("the output folder {} is there already, with files in it, and is not written over; "
                    "remove it, or name another one with `out = DIR`",
                    path.string()));
}

ResultFolder::ResultFolder(const fs::path& wanted, FolderName name) {
  const fs::path base = checked(wanted);
  std::error_code error;
  if (name == FolderName::given) {
    refuse_taken_folder(base);
    if (std::error_code unknown; fs::is_directory(base, unknown)) {
      path_ = base;
      made_ = false;
      return;
    }
  }
  if (base.has_parent_path()) fs::create_directories(base.parent_path(), error);
  if (error) refuse(base, error);
  path_ = base;
  // create_directory is atomic: of two runs at the same time, each gets a folder of its own.
  for (int number = 2; !fs::create_directory(path_, error); ++number) {
    std::error_code unknown;
    if (!fs::is_directory(path_, unknown))
      refuse(path_, error ? error : std::make_error_code(std::errc::not_a_directory));
    path_ = base.parent_path() / fmt::format("{}-{}", base.filename().string(), number);
  }
}

ResultFolder::~ResultFolder() {
  if (!made_) return;
  std::error_code ignored;
  fs::remove(path_, ignored);  // does nothing to a folder with files in it
}

void ResultFolder::write(const std::string& file, const std::function<void(std::ostream&)>& contents) const {
  const fs::path path = path_ / file;
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  if (out) contents(out);
  out.close();
  if (!out)
    throw std::runtime_error(
        fmt::format("{} could not be written ({})", path.string(), errno ? std::strerror(errno) : "unknown"));
}

}  // namespace driftless::io

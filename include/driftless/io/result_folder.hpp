// ResultFolder: a new folder for the files of one run. Nothing is ever overwritten: where the name is taken,
// the folder becomes NAME-2, NAME-3, .. One that stays empty disappears again.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace driftless::io {

class ResultFolder {
 public:
  // Makes the folder now, with its parents. Throws InputError if that is not possible.
  explicit ResultFolder(const std::filesystem::path& wanted);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes one file; throws std::runtime_error if it could not be written whole.
  void write(const std::string& file, const std::function<void(std::ostream&)>& contents) const;

 private:
  std::filesystem::path path_;
};

}  // namespace driftless::io

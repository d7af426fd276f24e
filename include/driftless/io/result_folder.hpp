// ResultFolder: a folder for the files of one run. Nothing is ever overwritten: where a name that the program chose is taken, the folder becomes
// NAME-2, NAME-3, ..; a name that the user chose is where scripts will look, so that one with files in it is refused. A new folder that stays
// empty disappears again.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace driftless::io {

enum class FolderName { suggested, given };  // by the program; by the user

// Throws InputError where a folder of that name is there with something in it, or a file.
void refuse_taken_folder(const std::filesystem::path& given);

class ResultFolder {
 public:
  // Makes the folder now, with its parents. Throws InputError if that is not possible.
  explicit ResultFolder(const std::filesystem::path& wanted, FolderName name = FolderName::suggested);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes one file; throws std::runtime_error if it could not be written whole.
  void write(const std::string& file, const std::function<void(std::ostream&)>& contents) const;

 private:
  std::filesystem::path path_;
  bool made_ = true;  // not: it was there, empty
};

}  // namespace driftless::io

// Starts the built program in a folder of its own and keeps what it said.
#pragma once

#include <gtest/gtest.h>

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace driftless::cli {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct Outcome {
  int status = -1;  // exit status; 1000 + signal if a signal ended it
  std::string out, err;
};

class Program : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome run(const Words& arguments);                  // driftless ARGUMENTS
  Outcome shell(const std::string& command);            // sh -c COMMAND, with $driftless set
  Json json(const Words& arguments, int expected = 0);  // its standard output, which must be one document

  pid_t start(const Words& arguments);  // without waiting
  Outcome wait(pid_t process);

  std::string read(const fs::path& file) const;  // below folder()
  const fs::path& folder() const { return folder_; }

 private:
  pid_t spawn(const Words& command);
  fs::path folder_;
};

std::vector<std::string> lines_of(const std::string& text);

// A table with a header; the values of one row by column name.
struct Csv {
  explicit Csv(const std::string& text);
  double value(std::size_t row, const std::string& column) const;
  std::vector<std::string> columns, units;  // "" where the file has none
  std::vector<std::vector<double>> rows;
};

}  // namespace driftless::cli

#include "program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace driftless::cli {

void Program::SetUp() {
  std::string name = (fs::temp_directory_path() / "driftless-cli-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
  fs::create_directory(folder_ / "work");
}

void Program::TearDown() {
  fs::remove_all(folder_);
}

// Runs in folder()/work with its output in files beside it; a child between fork and exec may do very little.
pid_t Program::spawn(const Words& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const std::string work = (folder_ / "work").string(), out = (folder_ / "out").string(),
                    err = (folder_ / "err").string();
  const pid_t child = fork();
  if (child != 0) return child;
  const int to_out = open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  const int to_err = open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  const int nothing = open("/dev/null", O_RDONLY);
  if (chdir(work.c_str()) != 0 || dup2(nothing, 0) < 0 || dup2(to_out, 1) < 0 || dup2(to_err, 2) < 0)
    _exit(127);
  signal(SIGINT, SIG_DFL);  // ignored where the tests themselves run in the background
  execv(words[0], words.data());
  _exit(127);
}

Outcome Program::wait(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) throw std::runtime_error("waitpid failed");
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  outcome.out = read("../out");
  outcome.err = read("../err");
  return outcome;
}

pid_t Program::start(const Words& arguments) {
  Words command = {DRIFTLESS_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return spawn(command);
}

Outcome Program::run(const Words& arguments) {
  return wait(start(arguments));
}

Outcome Program::shell(const std::string& command) {
  return wait(spawn({"/bin/sh", "-c", std::string("driftless='") + DRIFTLESS_PROGRAM + "'; " + command}));
}

Json Program::json(const Words& arguments, int expected) {
  Words all = arguments;
  all.push_back("--json");
  const Outcome outcome = run(all);
  EXPECT_EQ(outcome.status, expected) << outcome.err;
  return Json::parse(outcome.out);  // throws if anything else was printed
}

std::string Program::read(const fs::path& file) const {
  std::ifstream stream(folder_ / "work" / file, std::ios::binary);
  EXPECT_TRUE(stream) << file << " is not there";
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Csv::Csv(const std::string& text) {
  for (const std::string& line : lines_of(text)) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    if (columns.empty()) {
      for (const std::string& field : fields) {
        const auto unit = field.rfind(" [");  // "crank.x [mm]"
        columns.push_back(field.substr(0, unit));
        units.push_back(unit == std::string::npos ? "" : field.substr(unit + 2, field.size() - unit - 3));
      }
    } else {
      rows.emplace_back();
      for (const std::string& field : fields) rows.back().push_back(std::stod(field));
    }
  }
}

double Csv::value(std::size_t row, const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) throw std::runtime_error("no column " + column);
  return rows.at(row).at(static_cast<std::size_t>(found - columns.begin()));
}

}  // namespace driftless::cli

#include "callgrind.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace driftless::benchmarks {

const char* const solve_function = "driftless::solve(driftless::Problem const&, driftless::Pipeline&*";

namespace {

std::string command_of(const std::vector<std::string>& arguments) {
  std::string command = fmt::format("'{}'", std::filesystem::read_symlink("/proc/self/exe").string());
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  return command;
}

}  // namespace

std::string output_of(const std::vector<std::string>& arguments) {
  FILE* pipe = popen(command_of(arguments).c_str(), "r");
  if (!pipe) return {};
  std::string text;
  std::array<char, 512> part{};
  while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
  return pclose(pipe) == 0 ? text : std::string();
}

std::optional<double> instructions(const std::string& function, const std::vector<std::string>& arguments) {
  const std::string command =
      fmt::format("valgrind --tool=callgrind --callgrind-out-file=/dev/null '--toggle-collect={}' {}",
                  function, command_of(arguments));
  FILE* pipe = popen((command + " 2>&1 >/dev/null").c_str(), "r");
  if (!pipe) return std::nullopt;
  std::array<char, 512> line{};
  std::optional<double> count;
  while (std::fgets(line.data(), line.size(), pipe))
    if (const char* found = std::strstr(line.data(), "Collected :")) count = std::atof(found + 11);
  if (pclose(pipe) != 0 || (count && *count == 0)) return std::nullopt;
  return count;
}

}  // namespace driftless::benchmarks

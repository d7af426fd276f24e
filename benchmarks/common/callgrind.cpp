#include "callgrind.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace driftless::benchmarks {

const char* const solve_function = "driftless::solve(driftless::Problem const&, driftless::Pipeline&*";

std::optional<double> instructions(const std::string& function, const std::vector<std::string>& arguments) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string command = fmt::format(
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null '--toggle-collect={}' '{}'", function, self);
  for (const std::string& argument : arguments) command += " '" + argument + "'";
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

#include "experiments/002/runs.hpp"

#include <cmath>

#include <fmt/format.h>

#include "experiments/common/loop.hpp"

namespace driftless::experiments::paper002 {

namespace {

// In a shell ; ends a command and [ ] are a pattern.
std::string quoted(const std::string& word) {
  return word.find_first_of(";[") == std::string::npos ? word : fmt::format("'{}'", word);
}

std::string command(const char* problem, const std::string& formulation, const std::string& integrator) {
  return fmt::format(
      "driftless run {} --formulation {} --integrator {} --stabilizer none --rtol $tol --atol $tol", problem,
      quoted(formulation), quoted(integrator));
}

}  // namespace

std::vector<std::string> tolerances(double first, double last, int count) {
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i)
    values.push_back(fmt::format("{:.3g}", std::pow(10, -first - (last - first) * i / (count - 1))));
  return values;
}

std::string example21(const std::string& formulation, const std::string& integrator) {
  return command("002-example21", formulation, integrator);
}

std::string andrews(const std::string& formulation, const std::string& integrator) {
  return command("andrews", formulation, integrator);
}

std::string at(const std::string& command, const std::string& tolerance) {
  return commands_of(loop("tol", {tolerance}, command)).front();
}

std::string over(const std::vector<std::string>& tolerances, const std::string& command) {
  return loop("tol", tolerances, command);
}

}  // namespace driftless::experiments::paper002

#include "experiments/000/runs.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace driftless::experiments::paper000 {

namespace {

std::string direction(std::string_view D) {
  return D == "B" ? "D=input" : D == "C^T" ? "D=transpose" : "D=unit,coordinates=p2";
}

}  // namespace

std::string command(const Run& run) {
  const bool separates = run.formulation.find(';') != std::string::npos;  // in a shell: the end of a command
  return fmt::format(
      "driftless run {} --formulation {} --integrator backward-euler:jacobian=fresh --stabilizer {} --step "
      "{} "
      "--t-end 1",
      run.problem, separates ? fmt::format("'{}'", run.formulation) : run.formulation, run.stabilizer,
      run.step);
}

std::string example1(const std::string& nu) {
  return "000-example1 --set nu=" + nu;
}
std::string example2() {
  return "000-example2 --set nu=1000";
}
std::string example3(const std::string& nu, const std::string& eps) {
  return fmt::format("000-example3 --set nu={} --set eps={}", nu, eps);
}
std::string example4(const std::string& nu) {
  return "000-example4 --set nu=" + nu;
}

std::string projected(const std::string& D, char variant) {
  // (4.17) adds displacements of positions and velocities in the model's unit of time.
  return fmt::format("projected-invariants:variant={},{}{}", variant, direction(D),
                     variant == 'c' ? ",time=model" : "");
}
std::string stabilized(const std::string& D) {
  return "ggl:" + direction(D);
}

void explain_last_digit(Entry& entry) {
  if (entry.printed.empty() || !entry.note.empty()) return;
  const double units = units_beyond(std::stod(entry.expected.digits), entry.printed);
  if (std::abs(units) > 1)
    entry.note = "rounded it is one off in the last printed digit, and so more than one unit away";
  else if (units > 0.5 + 1e-9)
    entry.note = "the printed number is truncated, not rounded";
  else if (units < -0.5 - 1e-9)
    entry.note = "one more in the last digit is printed than the number rounds to";
}

}  // namespace driftless::experiments::paper000

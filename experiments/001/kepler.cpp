// Example 3, Table 3.1: Kepler's problem, p2 after one and two periods (exact: 0), without and with (3.9) for
// the energy. The text corrects positions and velocities along E^T ("full"); the printed numbers are those of
// a correction of the velocities alone, D = (0, v). They are truncated, not rounded. The unstabilized
// midpoint row is that of the explicit rule, the stabilized one that of the implicit rule.
#include "experiments/001/tables.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper001 {

namespace {

enum class Version { none, full, velocity };

constexpr const char* euler = "forward-euler";
constexpr const char* explicit_rule = "explicit-midpoint";
constexpr const char* implicit_rule = "implicit-midpoint:tolerance=1e-14";

struct Row {
  const char* integrator;
  Version version;
  int steps_per_pi;
  std::array<const char*, 2> printed;  // after one and two periods
  std::array<const char*, 2> found;
  const char* note;
};

constexpr const char* not_full =
    "the text states this correction, the printed numbers are those of the velocities alone";
constexpr const char* not_implicit = "the printed row is that of the explicit midpoint rule";
constexpr const char* not_explicit =
    "the printed row is that of the implicit midpoint rule with the velocities alone";
constexpr const char* truncated =
    "the table truncates; no single midpoint rule gives both this row and the stabilized one";

constexpr std::array<Row, 12> rows = {{
    {euler, Version::none, 1000, {"-.63", "-.91"}, {"-.63041", "-.91527"}, ""},
    {euler, Version::full, 1000, {".12e-3", ".24e-3"}, {".4839e-4", ".9727e-4"}, not_full},
    {euler, Version::velocity, 1000, {".12e-3", ".24e-3"}, {".1266e-3", ".2422e-3"}, ""},
    {euler, Version::none, 2000, {"-.35", "-.88"}, {"-.35601", "-.88787"}, ""},
    {euler, Version::full, 2000, {".32e-4", ".63e-4"}, {".1206e-4", ".2418e-4"}, not_full},
    {euler, Version::velocity, 2000, {".32e-4", ".63e-4"}, {".3238e-4", ".6333e-4"}, ""},
    {implicit_rule, Version::none, 1000, {".47e-3", ".94e-3"}, {".5623e-3", "1.1246e-3"}, not_implicit},
    {explicit_rule, Version::none, 1000, {".47e-3", ".94e-3"}, {".4797e-3", ".9458e-3"}, truncated},
    {implicit_rule, Version::full, 1000, {".27e-4", ".55e-4"}, {".4159e-4", ".8317e-4"}, not_full},
    {explicit_rule, Version::full, 1000, {".27e-4", ".55e-4"}, {"-.3421e-4", "-.6842e-4"}, not_explicit},
    {implicit_rule, Version::velocity, 1000, {".27e-4", ".55e-4"}, {".2755e-4", ".5511e-4"}, ""},
    {explicit_rule, Version::velocity, 1000, {".27e-4", ".55e-4"}, {"-.4824e-4", "-.9648e-4"}, not_explicit},
}};

const char* name_of(Version version) {
  return version == Version::none ? "none" : version == Version::full ? "full" : "velocity";
}

std::string command(const char* integrator, Version version, int steps_per_pi, int periods) {
  const double pi = std::numbers::pi;
  const std::string stabilizer = version == Version::none
                                     ? "none"
                                     : fmt::format("post:F={}{},invariants=energy", name_of(version),
                                                   version == Version::full ? ",time=model" : "");
  return fmt::format(
      "driftless run 001-kepler --set order=2 --integrator {} --stabilizer {} --step {} --t-end {}",
      integrator, stabilizer, pi / steps_per_pi, 2 * pi * periods);
}

std::string word(const char* integrator) {
  const std::string name = integrator;
  return name.substr(0, name.find(':'));
}

Parameters parameters(const char* integrator, Version version, int steps_per_pi) {
  return {{"integrator", word(integrator)},
          {"F", name_of(version)},
          {"h", steps_per_pi == 1000 ? ".001 pi" : ".0005 pi"}};
}

Reading energy_error() {
  return from_table(
      "largest |(v1^2 + v2^2)/2 - 1/sqrt(p1^2 + p2^2) + 1/2| of all rows", [](const Table& table) {
        const auto &p1 = table.column("p1"), &p2 = table.column("p2"), &v1 = table.column("v1"),
                   &v2 = table.column("v2");
        double largest = 0;
        for (std::size_t i = 0; i < p1.size(); ++i)
          largest = std::max(largest, std::abs((v1[i] * v1[i] + v2[i] * v2[i]) / 2 -
                                               1 / std::sqrt(p1[i] * p1[i] + p2[i] * p2[i]) + 0.5));
        return largest;
      });
}

struct Periods {
  const char* integrator;
  Version version;
  std::array<const char*, 4> found;  // after 1, 2, 3, 4 periods
};

constexpr std::array<Periods, 2> linear = {
    {{euler, Version::full, {".484e-4", ".973e-4", "1.466e-4", "1.964e-4"}},
     {implicit_rule, Version::none, {".562e-3", "1.125e-3", "1.687e-3", "2.249e-3"}}}};

struct Energy {
  const char* integrator;
  Version version;
  const char* found;
};

constexpr std::array<Energy, 4> energies = {{{euler, Version::none, "1.28e-1"},
                                             {euler, Version::full, "1.4e-8"},
                                             {implicit_rule, Version::none, "1.6e-5"},
                                             {implicit_rule, Version::full, "6e-15"}}};

}  // namespace

std::vector<Entry> table31() {
  std::vector<Entry> entries;
  for (const Row& row : rows)
    for (const int k : {1, 2}) {
      const auto i = static_cast<std::size_t>(k - 1);
      entries.push_back({.item = "Table 3.1",
                         .quantity = fmt::format("p2({} pi)", 2 * k),
                         .parameters = parameters(row.integrator, row.version, row.steps_per_pi),
                         .printed = row.printed[i],
                         .expected = digits(row.found[i]),
                         .note = row.note,
                         .command = command(row.integrator, row.version, row.steps_per_pi, k),
                         .reading = pointer("/final/q/1")});
    }
  return entries;
}

std::vector<Entry> kepler_claims() {
  std::vector<Entry> entries;
  const std::string item = "Example 3, claims";
  for (const auto& [version, found] :
       {std::pair{Version::full, "4.01"}, std::pair{Version::velocity, "3.91"}})
    entries.push_back({.item = "Example 3, p2(2 pi) with h over that with h/2",
                       .quantity = "quotient",
                       .parameters = parameters(euler, version, 1000),
                       .printed = "4",
                       .expected = digits(found),
                       .note = "the paper says O(h^2) instead of O(h), hence 4",
                       .command = command(euler, version, 2000, 1),
                       .reference_command = command(euler, version, 1000, 1),
                       .reading = ratio(pointer("/final/q/1"))});
  for (const Periods& row : linear)
    for (const int k : {1, 2, 3, 4})
      entries.push_back({.item = item,
                         .quantity = fmt::format("p2 after {} period{}", k, k == 1 ? "" : "s"),
                         .parameters = parameters(row.integrator, row.version, 1000),
                         .expected = digits(row.found[static_cast<std::size_t>(k - 1)]),
                         .note = "grows linearly with the number of periods",
                         .command = command(row.integrator, row.version, 1000, k),
                         .reading = pointer("/final/q/1")});
  for (const Energy& row : energies) {
    const bool roundoff = row.found == std::string("6e-15");
    entries.push_back({.item = item,
                       .quantity = "|e + 1/2|, 4 periods",
                       .parameters = parameters(row.integrator, row.version, 1000),
                       .expected = roundoff ? below(1e-13, row.found) : digits(row.found),
                       .note = roundoff ? "roundoff" : "",
                       .command = command(row.integrator, row.version, 1000, 4),
                       .reading = energy_error()});
  }
  return entries;
}

}  // namespace driftless::experiments::paper001

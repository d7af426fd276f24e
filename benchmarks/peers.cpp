// Everyone in one table: Driftless against SUNDIALS' IDA, CVODE and ARKODE and boost.odeint, work against precision. For each problem
//   - the loosest tolerance on 10^(-k/4) from which all tighter ones down to 1e-10 reach an error of 1e-6 in q at the end; there the
//     errors, the drift, the work, the median time and the instructions inside the solve call
//   - errors and times at tolerances 1e-3, .., 1e-10, as diagrams
// Who takes part: peers/contestants.cpp. What the others get: peers/right_hand_side.hpp, and where defaults fail the best of a scan.
// Writes peers.json, peers.md and the diagrams to build/bench/peers.
//   peers [--table] [PROBLEM ...]      --table: no diagrams, and no files
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "peers/comparison.hpp"
#include "peers/measure.hpp"
#include "peers/report.hpp"

using namespace driftless::benchmarks;

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (is_run(arguments)) {
    print_run(arguments);
    return 0;
  }
  const bool table_only = !arguments.empty() && arguments[0] == "--table";
  if (table_only) arguments.erase(arguments.begin());
  fmt::print(
      "*: with the accelerations of Driftless. rhs: right-hand sides or residuals, with those for difference "
      "quotients; "
      "fact: factorizations of\niteration matrices; ms: median time of many repeats; million: instructions "
      "inside the solve "
      "call; ratio: to the best of Driftless. At most {} steps.\n\n",
      max_steps);
  std::vector<Comparison> comparisons;
  for (const std::string& name : arguments.empty() ? peer_problem_names() : arguments) {
    comparisons.push_back(compare(name, !table_only));
    fmt::print("{}\n", text_of(comparisons.back()));
    std::fflush(stdout);
  }
  fmt::print("Settings that were tried; the best of each method stands in the tables\n");
  for (const Comparison& comparison : comparisons) fmt::print("{}", scans_text(comparison));
  if (table_only) return 0;

  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "peers";
  std::filesystem::create_directories(folder);
  for (const Comparison& comparison : comparisons) write_diagrams(folder, comparison);
  std::ofstream(folder / "peers.json") << json_of(comparisons);
  std::ofstream(folder / "peers.md") << markdown_of(comparisons);
  fmt::print("\nwritten to {}\n", folder.string());
}

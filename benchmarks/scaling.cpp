// What Driftless costs over the size N of a mechanism, beside SUNDIALS' IDA with KLU and Simbody (scaling/programs.cpp).
//   growth   seconds per right-hand side, per step and per simulated second, and memory, for N = 10, 100, 1000, 10000; slopes
//   others   seconds at equal error, ratios and what was aimed at
//   choices  from which size on matrices are kept without zeros, and by which factorisation
// Writes scaling.json, scaling.md and diagrams to build/bench/scaling.
//   scaling [--quick] [--largest N] [--only growth|others|choices]      --quick: small mechanisms and few tolerances, in half a minute
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scaling/report.hpp"

using namespace driftless::benchmarks::scaling;

namespace {

struct Arguments {
  bool quick = false, growth = true, others = true, choices = true;
  int largest = 10000;
};

std::optional<Arguments> read(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string value = i + 1 < words.size() ? words[i + 1] : "";
    if (words[i] == "--quick") {
      arguments.quick = true;
    } else if (words[i] == "--largest" && std::atoi(value.c_str()) >= 10) {
      arguments.largest = std::atoi(value.c_str()), ++i;
    } else if (words[i] == "--only" && (value == "growth" || value == "others" || value == "choices")) {
      arguments.growth = value == "growth", arguments.others = value == "others",
      arguments.choices = value == "choices", ++i;
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = read({argv + 1, argv + argc});
  if (!arguments) {
    fmt::print(stderr,
               "usage: scaling [--quick] [--largest N] [--only growth|others|choices], N at least 10\n");
    return 2;
  }
  const bool quick = arguments->quick;
  const Effort effort = quick ? Effort{.seconds_limit = 1, .repeat = false} : Effort{};
  Report report{.growth = {}, .others = {}, .choices = {}, .seconds_limit = effort.seconds_limit};
  fmt::print("{}", heading_of(report));
  if (arguments->growth) {
    report.growth = measure_growth(quick ? std::min(arguments->largest, 100) : arguments->largest, effort);
    fmt::print("{}", growth_section(report.growth, Form::text));
    std::fflush(stdout);  // the rest takes a while
  }
  if (arguments->others) {
    OthersSize size;
    if (quick)
      size = {.four_bars = {20},
              .long_four_bars = {20},
              .chain = 20,
              .halves_from = 8,
              .halves_to = 16,
              .halves_step = 4};
    for (auto* list : {&size.four_bars, &size.long_four_bars})
      std::erase_if(*list, [&](int N) { return N > arguments->largest; });
    report.others = measure_others(size, effort);
    fmt::print("{}", others_section(report.others, Form::text));
  }

  if (arguments->choices) {
    report.choices = measure_choices(quick);
    fmt::print("{}", choices_section(report.choices, Form::text));
  }

  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "scaling";
  std::filesystem::create_directories(folder);
  write_diagrams(folder, report);
  std::ofstream(folder / "scaling.json") << json_of(report);
  std::ofstream(folder / "scaling.md") << markdown_of(report);
  fmt::print("\nwritten to {}\n", folder.string());
}

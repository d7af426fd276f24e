#include "report.hpp"

#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::benchmarks::scaling {

namespace {

using nlohmann::json;

std::string machine() {
  return fmt::format("{} cores, GCC {}", std::thread::hardware_concurrency(), __VERSION__);
}

json number(double x) {
  return std::isfinite(x) ? json(x) : json(nullptr);
}

json json_of_run(const Outcome& run) {
  return {{"program", run.name},
          {"N", run.N},
          {"tolerance", run.tolerance},
          {"completed", run.completed},
          {"t", number(run.t)},
          {"error", number(run.error)},
          {"seconds", number(run.seconds)},
          {"steps", run.steps},
          {"rhs", run.rhs},
          {"factorizations", run.factorizations ? json(*run.factorizations) : json()},
          {"failure", run.failure}};
}

json json_of_growth(const GrowthLine& line) {
  json out = {{"mechanism", name(line.mechanism)}, {"program", line.program}, {"points", json::array()}};
  for (const GrowthPoint& point : line.points)
    out["points"].push_back({{"N", point.N},
                             {"t_end", point.t_end},
                             {"seconds_per_rhs", number(point.rhs_seconds)},
                             {"megabytes", number(point.run.megabytes)},
                             {"run", json_of_run(point.run.outcome)},
                             {"remarks", point.remarks}});
  for (const Quantity& quantity : quantities()) out["slopes"][quantity.name] = number(slope(line, quantity));
  return out;
}

json json_of_others(const Others& others) {
  json out = {{"comparisons", json::array()}, {"long_runs", json::array()}, {"aims", json::array()}};
  for (const Comparison& c : others.comparisons) {
    json comparison = {
        {"mechanism", name(c.mechanism)}, {"N", c.N}, {"t_end", c.t_end}, {"scans", json::array()}};
    for (const Scan& scan : c.scans) {
      json runs = json::array(), at = json::array();
      for (const Outcome& run : scan.runs) runs.push_back(json_of_run(run));
      for (const double error : c.errors) {
        const auto run = scan.at_error(error);
        at.push_back({{"error", error}, {"run", run ? json_of_run(*run) : json()}});
      }
      comparison["scans"].push_back({{"program", scan.program}, {"runs", runs}, {"at_error", at}});
    }
    out["comparisons"].push_back(std::move(comparison));
  }
  for (const Outcome& run : others.long_runs) out["long_runs"].push_back(json_of_run(run));
  for (const Verdict& v : others.verdicts)
    out["aims"].push_back({{"what", v.what},
                           {"value", number(v.value)},
                           {"target", v.target},
                           {"bound", v.bound},
                           {"verdict", v.word()},
                           {"note", v.note}});
  return out;
}

json json_of_choices(const Choices& choices) {
  json out = {{"storages", json::array()}, {"factorisations", json::array()}};
  for (const Storages& s : choices.storages)
    out["storages"].push_back({{"mechanism", name(s.mechanism)},
                               {"N", s.N},
                               {"velocities", s.velocities},
                               {"seconds_whole", s.whole},
                               {"seconds_sparse", s.sparse}});
  for (const Factorisations& f : choices.factorisations)
    out["factorisations"].push_back({{"mechanism", name(f.mechanism)},
                                     {"N", f.N},
                                     {"rows", f.rows},
                                     {"seconds_blocks", f.blocks},
                                     {"seconds_eigen", f.eigen},
                                     {"seconds_klu", f.klu}});
  return out;
}

const char* const introduction =
    "# Cost over size\n\n"
    "Written by `./dev bench scaling --docs`, which runs everything again. Two planar mechanisms of N like "
    "pieces: "
    "`n-four-bar`, N linkages in a\nrow, whose loops may all fold over when the bars are in line, and "
    "`chain-loop`, N links pinned at both ends, whose shortest oscillations are\nthe faster the more links "
    "there "
    "are. Driftless in the coordinates of the bodies (absolute) and of the joints along a tree (relative), "
    "with "
    "`index1` +\n`dopri5` + `post` and with `ggl` + `bdf`; SUNDIALS' IDA 6.4.1 with the sparse solver KLU on "
    "the "
    "equations of Gear, Gupta and Leimkuhler, residual and matrix\nwritten by hand for these mechanisms; "
    "Simbody "
    "3.7 with joint coordinates and Runge-Kutta-Merson. All others are given the settings that did best.\n\n"
    "How it was measured: every run in a process of its own, short ones three times, of which the fastest "
    "counts. Seconds are those inside the solver's\ncalls, without setting up and without looking at states. "
    "Memory is the growth of the largest resident size over that of a process that does\nnothing, the model "
    "included. A right-hand side is one acceleration (`index1`) or one residual (`ggl`, IDA), on its own; of "
    "Simbody it is the time\nof a run over its evaluations. The slope is that of the logarithms from N = 100 "
    "on, "
    "by least squares: 1 is growth in proportion to N.\n";

}  // namespace

std::string heading_of(const Report& report) {
  return fmt::format("{}; at most {:.0f} s for a run\n", machine(), report.seconds_limit);
}

std::string markdown_of(const Report& report) {
  std::string page =
      fmt::format("{}Machine: {}. A run may take {:.0f} s.\n", introduction, machine(), report.seconds_limit);
  if (!report.growth.empty())
    page += fmt::format(
                "\n## Growth\n\nAt the tolerance {:.0e}. Slopes above {} are marked; not that of a simulated "
                "second "
                "of the chain, which has more steps with more\nlinks. A star: the run did not reach its end, "
                "and the "
                "sentence below says why; what it took until then is shown.\n",
                growth_tolerance, largest_slope) +
            growth_section(report.growth, Form::markdown);
  if (!report.others.comparisons.empty())
    page +=
        "\n## Against others\n\nTolerances 10^(-k/2) from 1e-3 to 1e-10. What counts is the cheapest run "
        "that "
        "reaches the error, among those from which on all tighter ones\nthat are completed reach it, too. "
        "Ratios "
        "are to the best of Driftless. A scan ends with the first run that takes too long,\nor a "
        "hundred times as long as the fastest. Where another program fails at every tolerance that would do, "
        "or could not be measured, "
        "there is no\nratio, and that is not counted as an aim that was met.\n" +
        others_section(report.others, Form::markdown);
  if (!report.choices.storages.empty())
    page +=
        "\n## Choices by measurement\n\nMechanisms keep their matrices without zeros from 15 velocities on, "
        "and where rows are redundant: "
        "for most below that "
        "whole ones cost less. "
        "S = G M^-1 G^T is factored by blocks of joints\n(`linalg/block_cholesky.hpp`), not by a library: "
        "what blocks save against "
        "Eigen's SimplicialLLT and against KLU, which factors again with the pivots of the\nfirst time, is "
        "in the second table; "
        "and neither of these leaves out rows that depend on others as it goes, on which redundant "
        "mechanisms and singular "
        "places rest.\n" +
        choices_section(report.choices, Form::markdown);
  return page;
}

std::string json_of(const Report& report) {
  json out = {{"machine", machine()}, {"seconds_limit", report.seconds_limit}, {"growth", json::array()}};
  for (const GrowthLine& line : report.growth) out["growth"].push_back(json_of_growth(line));
  out["others"] = json_of_others(report.others);
  out["choices"] = json_of_choices(report.choices);
  return out.dump(1) + "\n";
}

}  // namespace driftless::benchmarks::scaling

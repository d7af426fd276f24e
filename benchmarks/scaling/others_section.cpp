#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report.hpp"
#include "table.hpp"

namespace driftless::benchmarks::scaling {

namespace {

std::string ratio_to_own(const Comparison& comparison, const Scan& scan, double error) {
  const Scan* own = comparison.best_own(error);
  const auto run = scan.at_error(error);
  return own && run ? fmt::format("{:.2f}", run->seconds / own->at_error(error)->seconds) : "-";
}

// Whether the program reaches the end at the tolerance, and why not.
std::string completes(const Scan& scan, double tolerance) {
  const Outcome* run = scan.at_tolerance(tolerance);
  if (!run) return "not tried";
  return run->completed ? "yes" : "no";
}

Table table_of(const Comparison& comparison) {
  Table table;
  table.head = {"program"};
  for (const double error : comparison.errors)
    for (const char* what : {"tolerance", "seconds", "ratio"})
      table.head.push_back(std::string(what) == "tolerance" ? fmt::format("{:.0e}: tolerance", error) : what);
  table.head.push_back("completes 1e-9");
  for (const Scan& scan : comparison.scans) {
    std::vector<std::string> row = {scan.program};
    for (const double error : comparison.errors) {
      const auto run = scan.at_error(error);
      row.push_back(run ? fmt::format("{:.1e}", run->tolerance) : "-");
      row.push_back(run ? shown(run->seconds) : "-");
      row.push_back(ratio_to_own(comparison, scan, error));
    }
    row.push_back(completes(scan, 1e-9));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string failure(const Outcome& run, Form form) {
  return fmt::format("{}{}, N = {}, tolerance {:.1e}: {}\n", form == Form::text ? "  " : "- ", run.name,
                     run.N, run.tolerance, in_short(run.failure));
}

std::string failures(const std::vector<Outcome>& runs, Form form) {
  std::string text;
  for (const Outcome& run : runs)
    if (!run.completed) text += failure(run, form);
  return text;
}

// The loosest failure of every program says enough, and why its scan ended early.
std::string first_failures(const Comparison& comparison, Form form) {
  std::string text;
  for (const Scan& scan : comparison.scans) {
    const auto run =
        std::find_if(scan.runs.begin(), scan.runs.end(), [](const Outcome& o) { return !o.completed; });
    if (run != scan.runs.end()) text += failure(*run, form);
    if (!scan.ended_early.empty() && scan.runs.back().completed)
      text += fmt::format("{}{}, tolerance {:.1e}: {:.3g} s, {}; tighter ones were not tried\n",
                          form == Form::text ? "  " : "- ", scan.program, scan.runs.back().tolerance,
                          scan.runs.back().seconds, scan.ended_early);
  }
  return text;
}

Table long_table(const std::vector<Outcome>& runs) {
  Table table{{"program", "N", "error of B_0", "seconds", "steps", "branch"}, {}};
  for (const Outcome& run : runs)
    table.rows.push_back({run.name, std::to_string(run.N), shown(run.error), shown(run.seconds),
                          std::to_string(run.steps), run.completed ? "kept" : "see below"});
  return table;
}

Table verdict_table(const std::vector<Verdict>& verdicts) {
  Table table{{"aim", "value", "target", "verdict", "note"}, {}};
  for (const Verdict& v : verdicts)
    table.rows.push_back({v.what, (v.bound ? "> " : "") + shown(v.value),
                          fmt::format("{} {:g}", v.at_least ? "at least" : "at most", v.target), v.word(),
                          v.note});
  return table;
}

std::string in(Form form, const Table& table) {
  return form == Form::markdown ? table.markdown() : table.text();
}

}  // namespace

std::string others_section(const Others& others, Form form) {
  const bool page = form == Form::markdown;
  std::string out;
  for (const Comparison& c : others.comparisons) {
    const std::string title =
        fmt::format("{}, N = {}, {} s: time at equal {}", name(c.mechanism), c.N, c.t_end,
                    c.mechanism == Mechanism::n_four_bar ? "error of B_0 at the end"
                                                         : "relative error of the energy at the end");
    out += page ? fmt::format("\n### {}\n\n", title) : fmt::format("\n{}\n", title);
    if (page && c.mechanism == Mechanism::n_four_bar && c.N == 100)
      out += "![time over error](scaling-work.svg)\n\n";
    out += in(form, table_of(c));
    if (const std::string text = first_failures(c, form); !text.empty())
      out += (page ? "\nFirst failures and ends:\n\n" : "  first failures and ends:\n") + text;
  }
  if (!others.long_runs.empty()) {
    const std::string title = fmt::format("n-four-bar at the tolerance {:.0e}, 10 s", long_run_tolerance);
    out += page ? fmt::format("\n### {}\n\n", title) : fmt::format("\n{}\n", title);
    out += in(form, long_table(others.long_runs));
    if (const std::string text = failures(others.long_runs, form); !text.empty())
      out += fmt::format("{}{}", page ? "\n" : "", text);
  }
  if (!others.verdicts.empty()) {
    out += page ? "\n### What was aimed at\n\n" : "\nWhat was aimed at\n";
    out += in(form, verdict_table(others.verdicts));
  }
  return out;
}

}  // namespace driftless::benchmarks::scaling

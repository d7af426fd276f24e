// One problem, all contestants: the rows of its table, the best setting of each scan, and the points of its work-precision diagram.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contestants.hpp"
#include "measure.hpp"
#include "problems.hpp"

namespace driftless::benchmarks {

constexpr double target_error = 1e-6;  // in q

struct Row {
  std::size_t who = 0;  // in contestants()
  std::string program, method, setting;
  bool rhs_of_driftless = false;
  std::optional<Figures>
      at;              // the rule's tolerance, timed, with the drift of an observed run; nothing: not reached
  double million = 0;  // instructions there
  std::string why_not;          // where it is not reached
  std::vector<Figures> points;  // timed, tolerances 1e-3 .. 1e-10; of rows that stand for their scan

  bool own() const { return program == "Driftless"; }
  bool peer() const { return !own() && !rhs_of_driftless; }
  bool helped() const { return !own() && rhs_of_driftless; }
  std::string name() const;  // "method (setting)"
};

struct Comparison {
  PeerProblem problem;
  std::vector<Row> rows;   // the best of each scan
  std::vector<Row> scans;  // all settings of methods that have several

  const Row* best(bool (Row::*kind)() const) const;  // by instructions; null: none reaches the target
};

// With points the runs for the diagram are made too.
Comparison compare(const std::string& problem, bool with_points);

}  // namespace driftless::benchmarks

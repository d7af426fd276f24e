// RunReport: a run and everything that is told about it, to people (the program's summary) and to scripts
// (run.json).
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <driftless/core/consistent_state.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/core/options.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/core/solution.hpp>
#include <driftless/io/state_units.hpp>

namespace driftless::io {

// The method in the words of the command line, defaults filled in.
struct MethodWords {
  std::string formulation, integrator, stabilizer;
  std::vector<std::string> controls;
  std::string controller;
  std::string coordinates = {};  // of a model: absolute or relative
};

// Distance of the final state from the reference, in the max norm over the entries that the reference knows;
// a part of which it knows none is not set.
struct ReferenceError {
  std::optional<double> q, v, lambda, kappa;
  std::vector<std::optional<double>> higher;  // levels 2, 3, .. of systems of order above 2
  // Largest |q_i - ref_i| / |ref_i| and so on; not set where an entry of the reference is zero.
  std::optional<double> q_relative, v_relative, lambda_relative;
  std::string source;  // of the reference; empty: there is none for this problem
};

ReferenceError reference_error(const Reference& reference, const State& final);

// A result by the name that a model file gives it, at the end of the run.
struct NamedValue {
  std::string name, unit;
  double value = 0;
};
// A number that the model file says to expect, and what came out; nothing: the run did not come to that time.
struct MetExpectation {
  std::string name, unit, why;
  double at = 0, expected = 0, tolerance = 0;
  std::optional<double> value = {};
  bool met() const { return value && std::abs(*value - expected) <= tolerance; }
};
struct NamedResults {
  std::string time_unit;
  double end = 0;  // in that unit
  std::vector<NamedValue> values = {};
  std::vector<MetExpectation> expectations = {};
};

struct RunReport {
  std::string name;  // of the problem
  std::shared_ptr<const Problem> problem;
  std::vector<std::pair<std::string, std::string>> parameters;  // those that were given
  MethodWords method;
  Options options;  // defaults filled in
  ConsistentState start;
  std::string resumed_from;  // folder or file of the earlier run that this one goes on with; empty: none
  Solution solution;
  ReferenceError error;
  std::optional<NamedResults> named = {};  // of a model file
  StateUnits units = {};                   // in which it is told; all above is in SI
  std::string folder;                      // with the results; empty: nothing was written
  std::vector<std::string> plots;          // files in it
  std::vector<std::string> warnings = {};  // of the check of a model, printed when the run began
};

// What the run wants to be known, one sentence each: a moved start, then the solution's own notes.
std::vector<std::string> notes_of(const RunReport& report);

// How many accepted steps of a run that chose its steps had which order.
std::map<int, long> steps_by_order(const Solution& solution);

}  // namespace driftless::io

// One number of a paper: what the paper prints, what an independent program found, and how it is had again
// here, by a command and a reading of what the run leaves.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/common/runner.hpp"

namespace driftless::experiments {

using Runs = std::vector<const RunRecord*>;

// How a value is read from one run, from two, or from the runs of a loop. Entries without a command are
// formulas of the library.
struct Reading {
  std::string text;  // one phrase; a JSON pointer into the run's document wherever possible
  std::function<double(const RunRecord& run, const RunRecord& reference)> value;
  std::function<double(const Runs& runs)> of_runs = {};  // in the order of the loop; `value` is then empty
  bool ended_early_too =
      false;  // a run that ended early is read like any other, where that is what is counted
};

// What an independent program found, and when a value agrees with it.
struct Expected {
  enum class Rule { digits, relative, factor, absolute, below, above, above_or_none, overflow };
  Rule rule = Rule::digits;
  std::string digits;  // as found; empty: only the limit is known
  double limit = 0;    // of relative, factor, absolute, below, above, above_or_none
};

// Three digits, or all digits where there are fewer; five percent below 1e-12.
Expected digits(std::string found);
Expected relative(std::string found, double limit);
Expected within_factor(std::string found, double limit);  // of what scatters with every change of a setting
Expected absolute(std::string found, double limit);
Expected below(double limit, std::string found = {});  // roundoff, which no two programs share
Expected above(double limit, std::string found = {});
Expected above_or_none(double limit, std::string found);  // of a singular step: the run may end there
Expected overflow();                                      // the run ends early or the value is not finite

using Parameters = std::vector<std::pair<std::string, std::string>>;

struct Entry {
  std::string paper = {};
  std::string item;      // "Table 1.1"
  std::string quantity;  // "Error0"
  Parameters parameters = {};
  std::string printed = {};  // with the paper's digits; empty: nothing is printed
  Expected expected;
  double roundoff = 1e-12;             // what is below, printed or found, counts as zero
  std::string note = {};               // why the paper differs, or what else must be known
  std::string command = {};            // driftless run .., or a loop of these (loop.hpp); empty: no run
  std::string reference_command = {};  // of the second run; empty: none
  std::string baseline_command = {};   // the value is this run's over that of the command; empty: no quotient
  Reading reading;
  std::string disagreement = {};  // why the value is known not to agree with what was found; empty: it does
};

struct Result {
  Entry entry;
  std::optional<double> value;  // not set: not finite
  std::string verdict;          // match, differs, not-printed
  bool agrees = false;          // with what the independent program found
  std::string note;             // the entry's, and what the run has to say

  // Agrees, or is known and said not to. A disagreement that is no more is one that must be taken out.
  bool as_known() const { return agrees == entry.disagreement.empty(); }
};

Result evaluate(const Entry& entry, Runner& runner);

// What the commands of an entry left, those of a loop in its order; none where there is no such command.
struct Records {
  Runs command, reference, baseline;
};
// The value by itself.
double value_of(const Entry& entry, const Records& records);

// The rules by themselves.
bool matches(double value, const std::string& printed, double roundoff = 1e-12);
double units_beyond(double value, const std::string& printed);  // in size, in units of the last digit printed
bool agrees(const std::optional<double>& value, const Expected& expected);
std::string rule_text(const Expected& expected);  // "3 digits", "within 1 %", ..
int significant_digits(const std::string& digits);

// The words of a command line as a shell reads them; 'single quotes' keep spaces.
std::vector<std::string> words_of(const std::string& command);

}  // namespace driftless::experiments

// The options that stabilizers share: which F answers a violation, which invariants join h, how long a
// decomposition of H D is kept, and how (H D) x = h is solved.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/normal_map.hpp>

namespace driftless::stabilizers {

// When H D is decomposed anew.
struct Renewal {
  int steps = 1;           // after so many accepted steps
  bool automatic = false;  // when it no longer does its work
  bool always() const { return steps == 1 && !automatic; }
};

struct CorrectionOptions {
  NormalKind F = NormalKind::block;
  std::vector<std::string> invariants = {};
  Renewal renew = {};
  NormalSolve solve = {};
  bool model_time = false;  // F = full and transpose in the unit of time of the model (core/unit_of_time.hpp)
};

// Specs: F, invariants, time, then those named.
std::vector<OptionSpec> normal_options();
OptionSpec renew_option();
std::vector<OptionSpec> solve_options();
OptionSpec alpha_option(double below, const std::string& help);
std::vector<OptionSpec> convergence_options(const std::string& iterations_help);

// From parsed values; options that a stabilizer does not offer keep their defaults. `only_D`: of F only D counts,
// so that `transpose` is `full` and `split` is `block`. Throws InputError for combinations in which one option would be ignored.
struct Offers {
  bool solve = true;
  bool only_D = false;
};
CorrectionOptions correction_options(const OptionValues& options, Offers offers = {});

}  // namespace driftless::stabilizers

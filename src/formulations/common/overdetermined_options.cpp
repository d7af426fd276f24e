#include "overdetermined_options.hpp"

namespace driftless::formulations {

std::vector<OptionSpec> overdetermined_options() {
  return {
      {.name = "solution",
       .fallback = "schur",
       .help = "what counts as solution: ssf by (30), (27) or (38), the last two for comparison and slow; "
               "or least squares",
       .choices = {"schur", "null-space", "extended", "least-squares", "gauss-newton"}},
      {.name = "A2",
       .fallback = "current",
       .help = "the rows beside are those of the iterate, or frozen with the rest of the matrix",
       .choices = {"current", "frozen"}}};
}

OverdeterminedOptions overdetermined_options_of(const OptionValues& options) {
  using linalg::GeneralizedSolution;
  OverdeterminedOptions result{.frozen = options.word("A2") == "frozen"};
  const std::string& solution = options.word("solution");
  if (solution == "null-space") result.definition = GeneralizedSolution::null_space;
  if (solution == "extended") result.definition = GeneralizedSolution::extended;
  if (solution == "least-squares") result.definition = GeneralizedSolution::least_squares;
  if (solution == "gauss-newton") result.definition = GeneralizedSolution::gauss_newton;
  return result;
}

}  // namespace driftless::formulations

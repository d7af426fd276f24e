// Prints docs/bdf-accuracy.md: errors of bdf with variable order over the tolerance, on problems with published references.
#include <cstdio>

#include <fmt/format.h>

#include "convergence/tolerance_fit.hpp"
#include "support/reference_error.hpp"

namespace driftless::tests {
namespace {

const char* const head = R"(# Accuracy of `bdf`

What does a tolerance give? `bdf` with variable step and order and rtol = atol, nothing else set, in the form `ggl` and in `index1` with
`post`. Errors are those of q at the problem's end, absolute, largest entry, as `driftless run andrews --formulation ggl --integrator bdf`
reports them.

`./dev docs` writes this page; `./dev test -R BdfTolerances`, `./dev test -R BdfAtDefaults` and `./dev test -R BdfAtTight` measure again.

## Error over tolerance

)";

const char* const theory = R"(
The slope is that of log(error) over log(tolerance), by least squares; the scatter is the standard deviation of log10(error) around that
line. A method of order k whose error per step is the tolerance takes steps of length tol^(1/(k+1)) and makes an error of tol^(k/(k+1))
altogether: slope 0.83 at order 5, which rules at tight tolerances. An error at one time may cancel, as on `andrews` in `ggl`: that
makes scatter, not accuracy. The reference of `sundials-slider-crank` has ten decimals, so that errors below 1e-9 would measure it.

## At the default tolerance

rtol = atol = 1e-6. The limits are those that `./dev test -R BdfAtDefaults` holds.

| problem | `ggl` | `index1`, `post` | limit |
|---|---|---|---|
)";

std::string problem_table() {
  std::string text = "| problem | | reference |\n|---|---|---|\n";
  for (const ToleranceCase& c : tolerance_cases())
    text += fmt::format("| `{}` | {} | {} |\n", c.problem, c.what, c.reference);
  return text + "\n";
}

std::string title(const Method& method) {
  return method.stabilizer.empty() ? fmt::format("`{}`", method.formulation)
                                   : fmt::format("`{}`, `{}`", method.formulation, method.stabilizer);
}

std::string tolerance_table() {
  std::string text = "| tolerance |", rule = "|---|", slopes = "| slope |", scatters = "| scatter |";
  std::vector<ToleranceFit> fits;
  for (const ToleranceCase& c : tolerance_cases())
    for (const Method& method : bdf_methods()) {
      const ToleranceFit& fit = fits.emplace_back(fit_tolerances(c.problem, method));
      text += fmt::format(" `{}`, {} |", c.problem, title(method));
      rule += "---|";
      slopes += fmt::format(" {:.2f} |", fit.slope);
      scatters += fmt::format(" {:.2f} |", fit.scatter);
    }
  text += "\n" + rule + "\n";
  for (int j = loosest; j <= tightest; ++j) {
    text += fmt::format("| 10^{:g} |", -j / 2.0);
    for (const ToleranceFit& fit : fits)
      text += fmt::format(" {:.2e} |", fit.errors[static_cast<std::size_t>(j - loosest)]);
    text += "\n";
  }
  return text + slopes + "\n" + scatters + "\n";
}

std::string default_table() {
  std::string text;
  for (const auto& [problem, limit] :
       std::vector<std::pair<std::string, const char*>>{{"andrews", "1e-4"},
                                                        {"car-axis", "1e-4"},
                                                        {"sundials-slider-crank", "1e-4"},
                                                        {"flyball", "1e-4"},
                                                        {"heavy-top", "5e-3"}}) {
    text += fmt::format("| `{}` |", problem);
    for (const Method& method : bdf_methods())
      text += fmt::format(" {:.2e} |", q_error_at_end(problem, method, 1e-6));
    text += fmt::format(" {} |\n", limit);
  }
  return text;
}

}  // namespace
}  // namespace driftless::tests

int main() {
  using namespace driftless::tests;
  const std::string page = head + problem_table() + tolerance_table() + theory + default_table();
  std::fwrite(page.data(), 1, page.size(), stdout);
}

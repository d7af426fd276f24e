// Prints docs/error-over-tolerance.md: what every method that chooses its steps makes of a tolerance, on all problems with references.
#include "convergence/error_over_tolerance.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include <fmt/format.h>

namespace driftless::tests {
namespace {

constexpr MostWork most = {};
constexpr std::size_t worst = 10;

const char* const head = R"(# Error over tolerance

What does a tolerance give? Every formulation with every integrator that chooses its steps, with its default stabilizer, on all named problems
with a reference, at rtol = atol = 1e-4, 1e-6 and 1e-8.

Errors are those of q and v (all levels of z) at the problem's end, in the norm that judges steps: the root mean square of e_i / (atol + rtol
|z_i|), so that 1 is what one step may do. An error of a run is larger, since errors of steps add up and motions spread. How much of it is the
problem's own is estimated by the median of all methods at that problem and tolerance (at least 1): the columns `by growth` are divided
by that.

`./dev docs` writes this page; `./dev test -R ErrorOverTolerance` measures part of it again. )";

const char* const reading = R"(
## What it says

- **One-step methods** with local extrapolation (`dopri5`, `dop853`), and `radau5` and `generalized-alpha`, whose estimates are scaled for that, make
  errors proportional to the tolerance ([radau5](methods/radau5.md), [generalized-alpha](methods/generalized-alpha.md)).
- **bdf** judges the error of a step, and a run of n steps makes some n times that: at order 5 errors go with the tolerance to the power 5/6.
- **Motions that spread** (`001-remark1`) make all errors large; the columns by growth leave that out.
- **trust-region and direct-regularization** give constraints up near singular configurations; what that costs is not seen by an error estimate.
  A note says from when to when multipliers were held back, and others where constraints or the energy show what that did ([singular.md](singular.md)).
- **Noted** are runs with a note that not all methods have on that problem: `driftless run` prints it.
- **index2 and index2-baumgarte** leave positions to drift. Where constraints turn fast (`000-example4`, nu = 100) that makes errors thousands of tolerances; a
  note says so, and the stabilizer `post:F=position` that it names mends it.
- **By growth above 100 without a note** are regularised formulations with `bdf` on `002-example21`, whose form of order 1 adds up what constraints are off by, and some runs of `bdf` that are just above it.

## Worst

)";

std::string method_of(const ToleranceRun& run) {
  return fmt::format("`{}` + `{}`", run.formulation, run.integrator);
}

std::string table_of(const std::vector<ToleranceRun>& runs) {
  std::string text =
      "| | problem | method | tolerance | error over tolerance | by growth | noted "
      "|\n|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < runs.size(); ++i)
    text += fmt::format("| {} | `{}` | {} | {:.0e} | {:.2g} | {:.2g} | {} |\n", i + 1, runs[i].problem,
                        method_of(runs[i]), runs[i].tolerance, runs[i].error, runs[i].error_by_growth,
                        runs[i].notes > 0 ? "yes" : "");
  return text;
}

std::vector<ToleranceRun> worst_first(std::vector<ToleranceRun> runs) {
  std::erase_if(runs, [](const ToleranceRun& run) { return run.outcome != ToleranceRun::Outcome::done; });
  std::stable_sort(runs.begin(), runs.end(), [](const ToleranceRun& a, const ToleranceRun& b) {
    return a.error_by_growth > b.error_by_growth;
  });
  return runs;
}

std::string worst_tables(const std::vector<ToleranceRun>& all) {
  const std::vector<ToleranceRun> runs = worst_first(all);
  const auto end = runs.begin() + static_cast<std::ptrdiff_t>(std::min(worst, runs.size()));
  std::vector<ToleranceRun> silent = runs;
  std::erase_if(silent,
                [](const ToleranceRun& run) { return run.notes > 0 || !(run.error_by_growth > 100); });
  return table_of({runs.begin(), end}) + "\n## Above 100 by growth, without a note\n\n" +
         (silent.empty() ? "None.\n" : table_of(silent));
}

std::string method_table(const std::vector<ToleranceRun>& runs) {
  std::map<std::string, std::vector<const ToleranceRun*>> by_method;
  std::vector<std::string> order;
  for (const ToleranceRun& run : runs) {
    auto& those = by_method[method_of(run)];
    if (those.empty()) order.push_back(method_of(run));
    those.push_back(&run);
  }
  std::string text =
      "| method | runs | median | 90 % | largest | by growth: median | 90 % | largest | above 100 | noted | "
      "ended "
      "early | given up | refused |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const std::string& method : order) {
    std::vector<double> errors, by_growth;
    int noted = 0, above = 0;
    std::map<ToleranceRun::Outcome, int> count;
    for (const ToleranceRun* run : by_method[method]) {
      ++count[run->outcome];
      if (run->outcome != ToleranceRun::Outcome::done) continue;
      errors.push_back(run->error);
      by_growth.push_back(run->error_by_growth);
      noted += run->notes > 0;
      above += run->error_by_growth > 100;
    }
    text += fmt::format(
        "| {} | {} | {:.2g} | {:.2g} | {:.2g} | {:.2g} | {:.2g} | {:.2g} | {} | {} | {} | {} | {} |\n",
        method, errors.size(), quantile(errors, 0.5), quantile(errors, 0.9), quantile(errors, 1),
        quantile(by_growth, 0.5), quantile(by_growth, 0.9), quantile(by_growth, 1), above, noted,
        count[ToleranceRun::Outcome::ended], count[ToleranceRun::Outcome::given_up],
        count[ToleranceRun::Outcome::refused]);
  }
  return text;
}

std::string early_table(const std::vector<ToleranceRun>& runs) {
  std::string text = "| problem | method | tolerance | |\n|---|---|---|---|\n";
  for (const ToleranceRun& run : runs)
    if (run.outcome == ToleranceRun::Outcome::ended || run.outcome == ToleranceRun::Outcome::given_up)
      text += fmt::format("| `{}` | {} | {:.0e} | {} |\n", run.problem, method_of(run), run.tolerance,
                          run.outcome == ToleranceRun::Outcome::ended ? "ended early" : "given up");
  return text;
}

}  // namespace
}  // namespace driftless::tests

int main() {
  using namespace driftless::tests;
  const std::vector<std::string> problems = problems_with_references();
  const std::vector<ToleranceRun> runs = measure_tolerances(problems, {1e-4, 1e-6, 1e-8}, most);
  const std::string page =
      head +
      fmt::format("There are {} problems; runs that take more than {} steps or {} s are given up.\n",
                  problems.size(), most.steps, most.seconds) +
      reading + worst_tables(runs) + "\n## Every method\n\n" + method_table(runs) +
      "\n## Ended early or given up\n\n" + early_table(runs);
  std::fwrite(page.data(), 1, page.size(), stdout);
}

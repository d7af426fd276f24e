// Andrews' mechanism by the implicit methods at equal tolerances: instructions inside solve(), and the error that they buy, over tolerances
// from 1e-5 to 10^(-7.5). The error at one tolerance scatters by a factor of 3 and more, since it is a phase error that may cancel; the
// means over tolerances do not.
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

#include "common/callgrind.hpp"

using namespace driftless;

namespace {

struct Row {
  const char *formulation, *integrator;
};
const std::vector<Row> rows = {{"ggl", "bdf"},
                               {"overdetermined-index2", "bdf"},
                               {"overdetermined-index2:solution=null-space", "bdf"},
                               {"stabilized-index1", "bdf"},
                               {"overdetermined-index1", "bdf"},
                               {"index2", "bdf"},
                               {"index2", "radau5"},
                               {"ggl", "radau5"},
                               {"stabilized-index1", "radau5"},
                               {"index3", "radau5"}};

void print_run(const std::vector<std::string>& arguments) {
  const auto instance = catalog::make_problem("andrews");
  const double tolerance = std::stod(arguments[2]);
  const Options options{.t_end = instance.t_end,
                        .rtol = tolerance,
                        .atol = tolerance,
                        .output = {.kind = Output::Kind::at, .times = {instance.t_end}}};
  const Method method{.formulation = arguments[0], .integrator = arguments[1], .stabilizer = "none"};
  Pipeline pipeline = assemble(*instance.problem, method, options);
  const Solution s =
      solve(*instance.problem, pipeline, consistent_state(*instance.problem, instance.start).state, options);
  const Vector exact = instance.reference.at(instance.t_end)->q();
  const Vector error = (s.final.q() - exact).cwiseQuotient(exact).cwiseAbs();
  fmt::print("{} {} {}", s.complete() ? error.maxCoeff() : HUGE_VAL, s.work.steps, s.work.rhs);
}

struct Means {
  double error = 0, steps = 0, residuals = 0, million = 0;  // sums of logarithms on the way
};

Means means_of(const Row& row) {
  Means sum;
  int count = 0;
  for (int k = 20; k <= 30; ++k, ++count) {
    const std::vector<std::string> run = {row.formulation, row.integrator,
                                          fmt::format("{:.17g}", std::pow(10, -k / 4.0))};
    std::istringstream text(benchmarks::output_of(run));
    double error = 0, steps = 0, residuals = 0;
    text >> error >> steps >> residuals;
    sum.error += std::log(error);
    sum.steps += std::log(steps);
    sum.residuals += std::log(residuals);
    sum.million +=
        std::log(1e-6 * benchmarks::instructions(benchmarks::solve_function, run).value_or(std::nan("")));
  }
  return {std::exp(sum.error / count), std::exp(sum.steps / count), std::exp(sum.residuals / count),
          std::exp(sum.million / count)};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    print_run({argv + 1, argv + argc});
    return 0;
  }
  fmt::print(
      "Andrews' mechanism, rtol = atol = 10^(-5), 10^(-5.25), .., 10^(-7.5), no stabilizer: geometric means\n"
      "  formulation                               integrator  error in q   steps  residuals  million "
      "instructions  to ggl + bdf\n");
  double first = 0;
  for (const Row& row : rows) {
    const Means m = means_of(row);
    if (first == 0) first = m.million;
    fmt::print("  {:<41} {:<10} {:>11.1e} {:>7.0f} {:>10.0f} {:>21.1f} {:>13.2f}\n", row.formulation,
               row.integrator, m.error, m.steps, m.residuals, m.million, m.million / first);
  }
  return 0;
}

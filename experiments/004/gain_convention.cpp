// What U is: most displayed equations of the paper are lost, so that the convention of the gains must be
// found from the examples. The loop Phi'' = U under the paper's integrators and gains, for three readings of
// U, on Phi'' = 0 alone (`001-drift-model`): only U = -alpha Phi' - beta Phi is stable, deadbeat for Euler.
//   The spectral radius of the loop is had from a run: the last four values of s satisfy s_n+2 = a s_n+1 + b
//   s_n, whose roots are the largest two of the loop (all of them for Euler).
#include "experiments/004/tables.hpp"

#include <array>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper004 {

namespace {

double largest_root(const Table& table) {
  const auto& s = table.column("s");
  const std::size_t n = s.size() - 1;
  const double scale = s[n], s0 = s[n - 3] / scale, s1 = s[n - 2] / scale, s2 = s[n - 1] / scale, s3 = 1;
  const double determinant = s1 * s1 - s0 * s2;
  const double a = (s2 * s1 - s0 * s3) / determinant, b = (s1 * s3 - s2 * s2) / determinant;
  const std::complex<double> half = a / 2, root = std::sqrt(half * half + b);
  return std::max(std::abs(half + root), std::abs(half - root));
}

struct Row {
  const char *convention, *method, *integrator;
  double alpha, beta;  // of Phi' and Phi in the loop itself
  const char* t_end;
  const char* found;  // empty: above 1 is all that is known
};

constexpr double h = 0.01, euler_alpha = 2 / h, euler_beta = 1 / (h * h);
constexpr double ab2_alpha = 4 / (3 * h), ab2_beta = 2 / (3 * h * h);
constexpr const char *plain = "-alpha Phi' - beta Phi", *twice = "-2 alpha Phi' - beta Phi",
                     *square = "-2 alpha Phi' - beta^2 Phi";
constexpr const char *euler = "forward-euler", *ab2 = "ab2:start=forward-euler";

constexpr std::array<Row, 5> rows = {
    {{plain, "AB-2", ab2, ab2_alpha, ab2_beta, "0.5", "0.776"},
     {twice, "Euler", euler, 2 * euler_alpha, euler_beta, "0.05", "2.73"},
     {twice, "AB-2", ab2, 2 * ab2_alpha, ab2_beta, "0.2", "2.98"},
     {square, "Euler", euler, 2 * euler_alpha, euler_beta* euler_beta, "0.05", "100"},
     {square, "AB-2", ab2, 2 * ab2_alpha, ab2_beta* ab2_beta, "0.1", ""}}};

std::string command(const char* integrator, double alpha, double beta, const char* t_end) {
  return fmt::format(
      "driftless run 001-drift-model --formulation baumgarte:alpha={},beta={} --integrator {} --stabilizer "
      "none --step 0.01 --t-end {}",
      alpha, beta, integrator, t_end);
}

}  // namespace

std::vector<Entry> gain_convention() {
  const std::string item = "Gain convention, spectral radius of the loop";
  std::vector<Entry> entries;
  entries.push_back(
      {.item = item,
       .quantity = "|Phi_2|",
       .parameters = {{"U", plain}, {"method", "Euler"}},
       .expected = below(1e-15, "0"),
       .note = "spectral radius 0: both roots vanish, so that every Phi is gone after two steps, to roundoff",
       .command = command(euler, euler_alpha, euler_beta, "0.02"),
       .reading = pointer("/final/drift/position")});
  for (const Row& row : rows) {
    const bool stable = row.convention == plain;
    entries.push_back(
        {.item = item,
         .quantity = "radius",
         .parameters = {{"U", row.convention}, {"method", row.method}},
         .expected = *row.found == '\0' ? above(1) : digits(row.found),
         .note = stable ? "stable: the reading adopted" : "unstable: not what the paper can have used",
         .command = command(row.integrator, row.alpha, row.beta, row.t_end),
         .reading = from_table("largest root of the recurrence s_n+2 = a s_n+1 + b s_n of the last four s",
                               largest_root)});
  }
  return entries;
}

}  // namespace driftless::experiments::paper004

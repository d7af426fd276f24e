// The tables for a terminal and for the page in docs.
#include <cmath>

#include <fmt/format.h>

#include "report.hpp"

namespace driftless::benchmarks {

namespace {

// Program, marked where it got the right-hand side of Driftless.
std::string who(const Row& row) {
  return row.program + (row.rhs_of_driftless ? " *" : "");
}

std::string scientific(double x) {
  return std::isnan(x) ? "-" : fmt::format("{:.1e}", x);
}

double ratio(const Comparison& comparison, const Row& row) {
  const Row* best = comparison.best(&Row::own);
  return best ? row.million / best->million : std::nan("");
}

std::string error_kind(const Comparison& c) {
  return c.problem.relative ? "relative, entry by entry" : "absolute";
}

}  // namespace

std::vector<std::string> verdict(const Comparison& comparison) {
  const Row *own = comparison.best(&Row::own), *peer = comparison.best(&Row::peer);
  std::vector<std::string> lines;
  const auto line = [](const char* what, const Row* row) {
    return row ? fmt::format("{}: {}{}, {:.2f} million", what, row->own() ? "" : row->program + " ",
                             row->name(), row->million)
               : fmt::format("{}: none reaches the error", what);
  };
  lines.push_back(line("best of Driftless", own));
  lines.push_back(line("best of the others", peer));
  const Row* sundials = nullptr;
  for (const Row& row : comparison.rows)
    if (row.at && row.peer() && row.program != "odeint" && (!sundials || row.million < sundials->million))
      sundials = &row;
  lines.push_back(line("best of SUNDIALS", sundials));
  if (own && peer)
    lines.push_back(fmt::format(
        "the best of the others takes {:.2f} times the instructions of the best of Driftless{}",
        peer->million / own->million,
        sundials ? fmt::format(", the best of SUNDIALS {:.2f} times", sundials->million / own->million)
                 : ""));
  if (const Row* helped = comparison.best(&Row::helped); own && helped)
    lines.push_back(fmt::format("{}: {:.2f} times the best of Driftless",
                                line("best of the others with the accelerations of Driftless", helped),
                                helped->million / own->million));
  return lines;
}

std::string text_of(const Comparison& comparison) {
  std::string text = fmt::format(
      "{} ({})\n{}; to an error of {:.0e} in q, {}\n"
      "  program   method (setting)                        tol   err q   err v  err la  steps     rhs  fact "
      "max |g| max|Gv|       ms  million  ratio\n",
      comparison.problem.title, comparison.problem.name, comparison.problem.source, target_error,
      error_kind(comparison));
  for (const Row& row : comparison.rows) {
    text += fmt::format("  {:<9} {:<36}", who(row), row.name());
    if (!row.at) {
      text += "  not reached: " + row.why_not.substr(0, 80) + "\n";
      continue;
    }
    const Figures& f = *row.at;
    text += fmt::format(" {:>7} {:>7} {:>7} {:>7} {:6} {:7} {:5} {:>7} {:>7} {:8.3f} {:8.2f} {:6.2f}\n",
                        scientific(f.tolerance), scientific(f.q), scientific(f.v), scientific(f.lambda),
                        f.steps, f.rhs, f.factorizations, scientific(f.drift.position),
                        scientific(f.drift.velocity), 1e3 * f.seconds, row.million, ratio(comparison, row));
  }
  for (const std::string& line : verdict(comparison)) text += "  " + line + "\n";
  return text;
}

std::string scans_text(const Comparison& comparison) {
  std::string text;
  for (const Row& row : comparison.scans)
    text += fmt::format("  {:<22} {:<9} {:<24} {:<20} {}\n", comparison.problem.name, who(row), row.method,
                        row.setting,
                        row.at ? fmt::format("{:>7} {:7} steps {:9.2f} million",
                                             scientific(row.at->tolerance), row.at->steps, row.million)
                               : "not reached, " + row.why_not.substr(0, 56));
  return text;
}

std::string markdown_of(const std::vector<Comparison>& comparisons) {
  std::string text = fmt::format(
      "# Against other programs\n\n"
      "Written by `./dev bench peers --docs`, which runs everything again. Driftless against SUNDIALS' IDA, "
      "CVODE and ARKODE 6.4.1 and "
      "boost.odeint, all\ncompiled with -O3 -march=x86-64-v3. rtol = atol = the loosest 10^(-k/4) from which "
      "all tighter ones down to "
      "1e-10 reach an error of {:.0e} in q at\nthe end. Instructions are counted by callgrind inside the "
      "solve call, with the "
      "right-hand sides; times are medians of 20 repeats (fewer, at least 3, where they take longer than 0.2 "
      "s) on a shared machine,\ngood to a factor of 2. max g "
      "and max G v are the "
      "largest at accepted steps, of a run of their own. The others get M, f, G and the curvature by hand "
      "and solve\n"
      "[M G^T; G 0] by Gaussian elimination of fixed size; in rows with a star they get the accelerations of "
      "Driftless. IDA gets the "
      "residual of\nDriftless's own `ggl`. Settings in brackets are the best of the scan at the end of the "
      "page. A run that breaks off at a tighter tolerance\ndoes not count against its program. ARKODE 6.4.1 "
      "documents no projection. "
      "`generalized-alpha` and `rattle`, of order 2, are not made for such errors and do not take part.\n\n"
      "How to read it: explicit methods on the accelerations of the mechanism are cheapest wherever nothing "
      "is stiff, for every program. "
      "Compared with what its user would write, Driftless leads because its\naccelerations are cheap; given "
      "those (rows with a star), "
      "odeint's templates, which have no virtual call and no state to show, are as fast on larger mechanisms "
      "and twice as fast on a pendulum.\n"
      "The tolerance at which one run reaches an error is luck to a factor of 2 or 3, so that counts near "
      "each other mean nothing. SUNDIALS is compiled like the others here; as Debian packages it, "
      "it is not optimized.\n",
      target_error);
  for (const Comparison& c : comparisons) {
    text += fmt::format(
        "\n## {}\n\n`{}`, {}. Errors are {}.\n\n![error against time](peers-{}.svg)\n\n"
        "| program | method | tolerance | error in q | in v | in lambda | steps | right-hand sides | "
        "factorizations | max g | "
        "max G v | ms | million instructions | ratio "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        c.problem.title, c.problem.name, c.problem.source, error_kind(c), c.problem.name);
    for (const Row& row : c.rows) {
      if (!row.at) {
        text +=
            fmt::format("| {} | {} | not reached | {} | | | | | | | | | | |\n",
                        row.rhs_of_driftless ? row.program + "\\*" : row.program, row.name(), row.why_not);
        continue;
      }
      const Figures& f = *row.at;
      text +=
          fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.3f} | {:.2f} | {:.2f} |\n",
                      row.rhs_of_driftless ? row.program + "\\*" : row.program, row.name(),
                      scientific(f.tolerance), scientific(f.q), scientific(f.v), scientific(f.lambda),
                      f.steps, f.rhs, f.factorizations, scientific(f.drift.position),
                      scientific(f.drift.velocity), 1e3 * f.seconds, row.million, ratio(c, row));
    }
    text += "\n";
    for (const std::string& line : verdict(c)) text += "- " + line + "\n";
  }
  text += "\n## Settings that were tried\n\n```\n";
  for (const Comparison& c : comparisons) text += scans_text(c);
  return text + "```\n";
}

}  // namespace driftless::benchmarks

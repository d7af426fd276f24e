// Example 2: z' = 3 t^2 with h = z - t^3, midpoint rule, whose drift is -h^3/4 a step; step h = 0.1, 40
// steps.
//   (3.8), its continuation: y' = -(1 + nu (z - t^3)) y decays where 1 - nu h^3/4 > 0 when z has the drift of
//   (3.4), and always when it has none. The coefficient is taken at the grid: y_n+1 = y_n exp(-h (1 + nu (z_n
//   - t_n^3))).
#include "experiments/001/example2.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiments/001/tables.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper001 {

std::string example2_command(const std::string& z0, const std::string& stabilizer, const std::string& step,
                             const std::string& t_end) {
  return fmt::format(
      "driftless run 001-example2 --set z0={} --integrator explicit-midpoint --stabilizer {} --step {} "
      "--t-end {}",
      z0, stabilizer, step, t_end);
}

std::string keeping_h(const char* scheme, const std::string& alpha) {
  return fmt::format("{}:F=full,invariants=h,alpha={}", scheme, alpha);
}

std::vector<double> continued(const Table& table, double nu) {
  const auto &t = table.column("t"), &z = table.column("z");
  std::vector<double> y = {1};
  double exponent = 0;
  for (std::size_t n = 0; n + 1 < t.size(); ++n) {
    exponent -= (t[n + 1] - t[n]) * (1 + nu * (z[n] - t[n] * t[n] * t[n]));
    y.push_back(std::exp(exponent));
  }
  return y;
}

namespace {

// The largest |z_n - t_n^3 - drift(n)| for n = 1, 2, ..
Reading deviation(const std::string& drift, double at_start, double per_step) {
  return from_table(fmt::format("largest |z_n - t_n^3 - ({})| for n >= 1, columns t and z", drift),
                    [=](const Table& table) {
                      const auto &t = table.column("t"), &z = table.column("z");
                      double largest = 0;
                      for (std::size_t n = 1; n < t.size(); ++n)
                        largest = std::max(largest, std::abs(z[n] - t[n] * t[n] * t[n] - at_start -
                                                             per_step * static_cast<double>(n)));
                      return largest;
                    });
}

Reading last_continued(double nu) {
  return from_table("y = exp(-h sum of 1 + nu (z_n - t_n^3) over n < 400), columns t and z",
                    [nu](const Table& table) { return continued(table, nu).back(); });
}

struct Limit {
  const char *scheme, *paper, *alpha, *drift, *printed;
};

// z - t^3 when it no longer changes.
constexpr std::array<Limit, 9> limits = {{{"forward", "(3.4)", "0.25", "-1e-3", ""},
                                          {"forward", "(3.4)", "0.5", "-5e-4", ""},
                                          {"forward", "(3.4)", "1", "-2.5e-4", "-.25e-3"},
                                          {"forward", "(3.4)", "1.5", "-1.6666667e-4", ""},
                                          {"forward", "(3.4)", "1.9", "-1.3157895e-4", ""},
                                          {"backward", "(3.7)", "1", "-2.5e-4", ""},
                                          {"backward", "(3.7)", "10", "-2.5e-5", ""},
                                          {"post", "(3.9)", "0.5", "-2.5e-4", ""},
                                          {"post", "(3.9)", "1.5", "8.3333333e-5", ""}}};

std::string limit_note(const Limit& limit) {
  if (limit.scheme == std::string("post")) return "(1 - alpha) d/alpha with d = -h^3/4";
  return *limit.printed == '\0' ? "-h^3/(4 alpha)" : "-h^3/(4 alpha); the paper prints the formula, -h^3/4";
}

struct Continuation {
  const char *nu, *fraction, *forward, *post;
};

constexpr std::array<Continuation, 6> continuations = {{{"1000", "0.5", "8.535e-13", "1.629e-14"},
                                                        {"1000", "0.99", "1.327e-1", "5.0e-28"},
                                                        {"1000", "1.01", "5.918", "1.4e-28"},
                                                        {"1000", "1.1", "8.699e+9", "4.6e-31"},
                                                        {"1e6", "0.99", "8.171e-1", "1.862e-3"},
                                                        {"1e6", "1.01", "1.195", "1.640e-3"}}};

struct StepLimit {
  const char *nu, *printed, *found;
};

// (1/(4 nu))^(1/3) and (4/nu)^(1/3).
constexpr std::array<StepLimit, 2> step_limits = {
    {{"1000", ".063", ".1587401"}, {"1e6", ".0063", ".01587401"}}};

// 1 + nu d > 0 with the drift d that the run has settled at, which goes with h^3.
Entry entry_of(const StepLimit& row) {
  const double nu = std::stod(row.nu);
  return {.item = "Continuation (3.8), largest h for which y decays",
          .quantity = "h",
          .parameters = {{"nu", row.nu}, {"scheme", "(3.4)"}},
          .printed = row.printed,
          .expected = digits(row.found),
          .note =
              "the paper's own 1 - nu h^3/4 > 0 gives (4/nu)^(1/3); the printed (1/(4 nu))^(1/3) is "
              "sufficient, but too small by 16^(1/3) = 2.52",
          .command = example2_command("0", keeping_h("forward", "1"), "0.1", "4"),
          .reading = {
              "0.1/(-nu d)^(1/3) with the drift d = /final/invariants/h of step 0.1",
              [nu, d = pointer("/final/invariants/h").value](const RunRecord& run, const RunRecord& other) {
                return 0.1 / std::cbrt(-nu * d(run, other));
              }}};
}

}  // namespace

std::vector<Entry> example2() {
  const double d = -0.001 / 4;
  const Expected roundoff = below(1e-13, "2e-14");
  std::string item = "Example 2";
  std::vector<Entry> entries;
  const auto add = [&](const std::string& quantity, const Parameters& parameters, const char* printed,
                       const Expected& found, const std::string& note, const std::string& run,
                       const Reading& reading) {
    entries.push_back({.item = item,
                       .quantity = quantity,
                       .parameters = parameters,
                       .printed = printed,
                       .expected = found,
                       .note = note,
                       .command = run,
                       .reading = reading});
  };
  const auto z_minus_t3 = pointer("/final/invariants/h");
  const std::string zero = example2_command("0", keeping_h("forward", "0"), "0.1", "4"),
                    one = example2_command("0", keeping_h("forward", "1"), "0.1", "4"),
                    five = example2_command("5", keeping_h("forward", "1"), "0.1", "4");
  add("z_40 - t^3", {{"alpha", "0"}, {"z0", "0"}}, "-.01", digits("-1e-2"),
      "printed as a formula, -(n/4) h^3", zero, z_minus_t3);
  add("|z_n - printed|", {{"alpha", "0"}, {"z0", "0"}}, "0", roundoff, "roundoff", zero,
      deviation("-(n/4) h^3", 0, d));
  add("|z_n - printed|", {{"alpha", "1"}, {"z0", "0"}}, "0", roundoff, "roundoff", one,
      deviation("-h^3/4", d, 0));
  add("|z_n - printed|", {{"alpha", "1"}, {"z0", "5"}}, "0", roundoff,
      "roundoff; the paper says typically for n > 3, and it is so from n = 1 on, exactly", five,
      deviation("-h^3/4", d, 0));
  item = "Example 2, limit of z_n - t_n^3";
  for (const Limit& limit : limits)
    add("limit", {{"scheme", limit.paper}, {"alpha", limit.alpha}}, limit.printed, digits(limit.drift),
        limit_note(limit), example2_command("0", keeping_h(limit.scheme, limit.alpha), "0.1", "40"),
        z_minus_t3);
  add("largest size", {{"scheme", "(3.9)"}, {"alpha", "1"}}, "0", roundoff, "roundoff; the paper says zero",
      example2_command("0", keeping_h("post", "1"), "0.1", "4"), deviation("0", 0, 0));
  return entries;
}

std::vector<Entry> continuation() {
  const std::string formed =
      "; y is formed from the run's z, y_n+1 = y_n exp(-h (1 + nu (z_n - t_n^3))): the problem "
      "001-continuation "
      "integrates both, but in the stages of a Runge-Kutta method z - t^3 differs";
  std::vector<Entry> entries;
  for (const StepLimit& row : step_limits) entries.push_back(entry_of(row));
  for (const Continuation& row : continuations) {
    const double nu = std::stod(row.nu), h = std::stod(row.fraction) * std::cbrt(4 / nu);
    const auto add = [&](const char* paper, const char* scheme, const char* found, const std::string& note) {
      entries.push_back(
          {.item = "Continuation (3.8), y after 400 steps",
           .quantity = "y",
           .parameters = {{"nu", row.nu}, {"h/(4/nu)^(1/3)", row.fraction}, {"scheme", paper}},
           .expected = digits(found),
           .note = note + formed,
           .command = example2_command("0", keeping_h(scheme, "1"), text_of(h), text_of(400 * h)),
           .reading = last_continued(nu)});
    };
    add("(3.4)", "forward", row.forward, "decays below h = (4/nu)^(1/3) and grows above");
    add("(3.9)", "post", row.post, "no restriction on h, as the paper says");
  }
  return entries;
}

}  // namespace driftless::experiments::paper001

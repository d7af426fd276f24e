// Table 1: DASSL on three forms of Example 2.1, with tolerances "chosen to roughly equalize the error at the
// right endpoint". They are not printed and neither is x(0); so RTOL = ATOL = 10^-q is scanned in steps of
// 0.1 of q. Single runs scatter by a factor of two in the error, and with them which run is the one with the
// fewest steps in a window of errors: tolerances that change by 1e-13 of themselves give 170 to 400 steps of
// SSF and 1890 to 4560 of (11), and with y in the error test of (10) one scan of six has no run in the
// window. A line through all of them scatters by 15 %. So it carries what is claimed, and the chosen run only
// the size.
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "experiments/002/example21.hpp"
#include "experiments/002/tables.hpp"

namespace driftless::experiments::paper002 {

namespace {

struct Row {
  Form form;
  std::array<const char*, 4> printed;  // errors of x and y, steps, Jacobians
  std::array<const char*, 4> found;    // by an independent program, of the run that it chose
  Expected fitted;                     // closer than a factor of 1.5 to what is printed, too
};

const std::array<Row, 4>& rows() {
  static const std::array<Row, 4> table = {{
      {form_10, {"9.6e-6", "4.4e-3", "253", "20"}, {"1.0e-5", "4.0e-3", "375", "37"}, relative("328", 0.15)},
      {form_10_both, {"", "", "", ""}, {"8.2e-6", "3.3e-3", "772", "65"}, relative("775", 0.25)},
      {form_ssf, {"8.9e-6", "3.6e-3", "284", "24"}, {"8.9e-6", "3.6e-3", "324", "22"}, relative("329", 0.25)},
      {form_11,
       {"9.0e-6", "3.6e-3", "3718", "201"},
       {"8.8e-6", "3.5e-3", "3572", "176"},
       relative("4237", 0.31)},
  }};
  return table;
}

const std::string by_luck =
    "one run of a scan: tolerances changed by 1e-13 of themselves choose others, with steps that differ by "
    "factors up to 2.4, and some scans have none in the window, which is luck and no fault; then it is the "
    "nearest one. What can be relied on is the fit";
const std::string by_scan = "the paper's tolerances are not printed; this is " + by_luck;
const std::string both_note =
    "with y in the error test (10) needs more than twice the steps that are printed: y was not in it";
const std::string without_options =
    "bdf as it is without options; recomputed and judged by is the number of setting (a)";

// Without options (11) needs fewer steps, 2900 to 3400: within the factor of 1.5 that is claimed, and no
// closer.
Expected fit_of(const Row& row, bool as_printed) {
  const bool fewer = !as_printed && row.form.formulation == std::string_view(form_11.formulation);
  return fewer ? within_factor(row.fitted.digits, 1.5) : row.fitted;
}

std::string fit_note(const Row& row) {
  if (!*row.printed[0]) return both_note;
  return fmt::format("printed are the steps of one run, with an error of x of {}", row.printed[0]);
}

}  // namespace

std::vector<Entry> table1() {
  // Errors of the chosen run lie in a window of a factor 1.7 by choice, or near it; those of y are 400 times
  // as large.
  const std::array<std::pair<const char*, Reading>, 4> quantities = {
      {{"error of x", error_x}, {"error of y", error_y}, {"steps", steps}, {"Jacobians", matrices}}};
  constexpr std::array limits{2.5, 2.5, 2.5, 3.0};
  std::vector<Entry> entries;
  for (const Row& row : rows())
    for (std::size_t i = 0; i < quantities.size(); ++i)
      entries.push_back({.item = "Table 1",
                         .quantity = quantities[i].first,
                         .parameters = {{"form", row.form.name}, {"setting", setting_a.name}},
                         .printed = row.printed[i],
                         .expected = within_factor(row.found[i], limits[i]),
                         .note = *row.printed[i] ? by_scan : both_note + "; " + by_luck,
                         .command = scan(row.form, setting_a),
                         .reading = chosen(quantities[i].second)});
  return entries;
}

std::vector<Entry> table1_fits() {
  std::vector<Entry> entries;
  const std::string item = "Table 1, steps for an error of 9e-6 by a fit";
  for (const bool as_printed : {true, false}) {
    const Setting setting = as_printed ? setting_a : setting_default;
    for (const Row& row : rows()) {
      if (!as_printed && !*row.printed[2]) continue;  // how many y costs depends on what the corrector leaves
      entries.push_back({.item = item,
                         .quantity = "steps",
                         .parameters = {{"form", row.form.name}, {"setting", setting.name}},
                         .printed = as_printed ? row.printed[2] : "",
                         .expected = fit_of(row, as_printed),
                         .note = as_printed ? fit_note(row) : without_options,
                         .command = scan(row.form, setting),
                         .reading = fitted_steps()});
    }
    entries.push_back({.item = item,
                       .quantity = "steps, quotient",
                       .parameters = {{"form", "(11) over SSF"}, {"setting", setting.name}},
                       .printed = as_printed ? "13.1" : "",
                       .expected = relative("12.9", 0.37),
                       .note = as_printed ? "printed: 3718/284" : without_options,
                       .command = scan(form_ssf, setting),
                       .baseline_command = scan(form_11, setting),
                       .reading = fitted_steps()});
  }
  Form untested = form_10;
  untested.counts = "error_test=q[0],corrector_test=q[0]";
  entries.push_back(
      {.item = "Table 1, y in neither test",
       .quantity = "largest error of y",
       .parameters = {{"form", "(10)"}, {"setting", setting_a.name}},
       .expected = above_or_none(1, {}),
       .note =
           "x' - cos t is the sum of both equations, whatever y is: the corrector stops as soon as x is good "
           "enough, a matrix of another step size leaves part of the error in y, and the next step "
           "extrapolates it, in some scans until a run ends. So y is in the corrector's test above",
       .command = scan(untested, setting_a),
       .reading = largest(error_y)});
  return entries;
}

}  // namespace driftless::experiments::paper002

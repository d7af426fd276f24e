// Example 2.1 in its forms, each with the tolerances that are scanned for it, and what is read off such a
// scan.
#pragma once

#include <string>
#include <vector>

#include "experiments/002/runs.hpp"

namespace driftless::experiments::paper002 {

struct Form {
  const char* name;         // as in Table 1
  const char* formulation;  // as on the command line
  const char* counts;       // option of bdf that says what is in the error test; empty: x and y
  double first, last;       // the scan, as exponents of 10; steps of 0.1
};
inline constexpr Form form_10{"(10)", "index2", "error_test=q[0]", 4.5, 8},
    form_10_both{"(10), y in the error test", "index2", "", 4.5, 8},
    form_ssf{"SSF", "state-space:R=1;0", "error_test=q[0]", 4.5, 8}, form_11{"(11)", "index1", "", 8, 11.5};

std::string scan(const Form& form, const Setting& setting);  // the loop

extern const Reading error_x, error_y;  // at 10 pi, where x = 1 and y = 200

// Of the run with the fewest steps of those with an error of x in [7e-6, 1.2e-5]. A scan may have none there,
// by luck; then of the run nearest to 9e-6.
Reading chosen(const Reading& reading);
// The line through (log error of x, log steps) of the runs with an error within a factor of ten of 9e-6, at
// 9e-6.
Reading fitted_steps();

}  // namespace driftless::experiments::paper002

// The option `roots` of feedback of order m:  (d/dt + r_1) .. (d/dt + r_m) g = 0,  as "3;5" or, in conjugate pairs,
// "1+2i;1-2i".
#pragma once

#include <complex>
#include <string>
#include <vector>

namespace driftless::formulations {

// Throws InputError where the text is no such list, a real part is not above 0, or a complex root lacks its conjugate.
std::vector<std::complex<double>> decay_roots(const std::string& text);

// Coefficients of 1, x, .., x^(m-1) in (x + r_1) .. (x + r_m).
std::vector<double> gains_of_roots(const std::vector<std::complex<double>>& roots);

}  // namespace driftless::formulations

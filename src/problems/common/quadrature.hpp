// The integral of a smooth function from a to b, by Gauss-Kronrod's rule of 7 and 15 points on intervals that
// are halved until both agree to 1e-12 of the integral of |f|; that of 15 points, which is returned, is then
// nearly exact. Meant for reference solutions: it asks for full precision and takes the time.
#pragma once

#include <functional>

namespace driftless::problems {

double integral(const std::function<double(double)>& f, double a, double b);

}  // namespace driftless::problems

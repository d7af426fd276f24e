// y(t) of y' = f(t, y) by the midpoint rule with 2, 4, .., 16 substeps, extrapolated to order 16 (Gragg, Bulirsch, Stoer), in equal
// steps of at most the given length. Meant for reference solutions of smooth equations: with steps well below their time scale the
// result is exact to some hundred times the roundoff of y' (t - t0).
#pragma once

#include <functional>

#include <driftless/linalg/types.hpp>

namespace driftless::problems {

Vector extrapolated(const std::function<Vector(double, const Vector&)>& f, double t0, Vector y, double t,
                    double longest_step);

}  // namespace driftless::problems

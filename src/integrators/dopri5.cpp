// Dormand and Prince's method of order 5 with an embedded one of order 4 (1980; Hairer, Norsett, Wanner I,
// table II.5.2), advanced with the fifth-order result; last stage = first stage of the next step. Dense
// output: Shampine's continuous extension of order 4 (Hairer, Norsett, Wanner I, II.6), whose local error is
// O(h^5) like the global error of the method. For non-stiff problems: on stiff ones the step is held down by
// stability and the run crawls.
#include <driftless/core/entries.hpp>

#include "common/runge_kutta.hpp"

namespace driftless::integrators {

namespace {

Tableau dormand_prince() {
  return {
      .a = {{1. / 5},
            {3. / 40, 9. / 40},
            {44. / 45, -56. / 15, 32. / 9},
            {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
            {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
            {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
      .b = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0},
      .c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
      .e = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
      .error_order = 4,
      .dense = {.d = {{-12715105075. / 11282082432, 0, 87487479700. / 32700410799, -10690763975. / 1880347072,
                       701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423}}},
      .first_same_as_last = true,
      .stable_to = 3.25};
}

}  // namespace

IntegratorEntry dopri5() {
  return {.summary = "Dormand-Prince method, order 5(4), adaptive, dense output",
          .shapes = {SystemShape::ode},
          .order = 5,
          .traits = {.error_estimate = true},
          .dense_order = 4,
          .options = {},
          .make = [](const OptionValues&) { return runge_kutta(dormand_prince()); }};
}

}  // namespace driftless::integrators

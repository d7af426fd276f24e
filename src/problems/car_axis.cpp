// car-axis: the car axis of the IVP Test Set (T2). Start q = (0, L0, L, L0), both ends moving left with the
// speed that the road imposes; consistent for all parameters, and for the given ones with lambda = 0.
// Reference at t = 3: the test set's 21-digit vector, multipliers in our sign (an older vector of 16 digits
// circulates, whose multipliers are good to 7 digits only). Without |r| < L the road has no place for the
// axis: refused.
#include <driftless/problems/car_axis.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<CarAxis>>& parameters() {
  using C = CarAxis;
  static const std::vector<Parameter<C>> table = {
      {"eps", &C::eps, "square root of twice the mass at an end over M", 0},
      {"M", &C::m, "mass of the chassis; each end carries M eps^2/2", 0},
      {"L", &C::L, "length of the axis", 0},
      {"L0", &C::L0, "rest length of the springs", 0},
      {"r", &C::r, "height of the road's waves, below L in size"},
      {"om", &C::om, "frequency of the road's waves"},
      {"grav", &C::grav, "gravity"}};
  return table;
}

Reference reference() {
  return table_reference("IVP Test Set, 21 digits",
                         {{.t = 3,
                           .q = {0.493455784275402809122e-1, 0.496989460230171153861,
                                 0.104174252488542151681e1, 0.373911027265361256927},
                           .v = {-0.770583684040972357970e-1, 0.744686658723778553466e-2,
                                 0.175568157537232222276e-1, 0.770341043779251976443},
                           .lambda = {0.473688659084893324729e-2, 0.110468033125734368808e-2}}});
}

ProblemInstance make(const OptionValues& o) {
  const auto model = model_of(parameters(), o);
  if (std::abs(model.r) >= model.L)
    throw InputError(fmt::format(
        "the road's height r is {} (must lie below L = {} in size); choose a lower one", model.r, model.L));
  ProblemInstance instance;
  instance.problem = make_problem(model);
  const double speed = -model.L0 * model.r * model.om / model.L;
  instance.start = make_state(*instance.problem, {{0, model.L0, model.L, model.L0}, {speed, 0, speed, 0}});
  instance.t_end = 3;
  if (!o.changed()) instance.reference = reference();
  return instance;
}

}  // namespace

ProblemEntry car_axis() {
  return {.summary = "car axis on a moving road, IVP Test Set (4 coordinates, 2 constraints)",
          .parameters = specs_of(parameters()),
          .make = make};
}

}  // namespace driftless::problems

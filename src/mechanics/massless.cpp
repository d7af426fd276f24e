#include <driftless/mechanics/massless.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::mechanics {

const Body* massless_body(const MechanismModel& model) {
  const auto found =
      std::find_if(model.bodies.begin(), model.bodies.end(), [](const Body& b) { return b.massless(); });
  return found == model.bodies.end() ? nullptr : &*found;
}

void refuse_massless(const MechanismModel& model) {
  if (const Body* body = massless_body(model))
    throw InputError(
        fmt::format("body {} has no mass of its own, so that its accelerations do not follow from forces in "
                    "absolute coordinates; use `coordinates = relative`",
                    body->name));
}

MechanismModel with_stand_in_masses(MechanismModel model) {
  for (Body& body : model.bodies)
    if (body.massless()) body.mass = 1, body.inertia = identity3;
  return model;
}

}  // namespace driftless::mechanics

#include "mechanics/places.hpp"

namespace driftless::mechanics {

Places places_at(const MechanismModel& model, const Point& at, Arena& scratch) {
  Places places{numbers(at.z.data(), model.nq), numbers(at.z.data() + model.nq, model.nv), {}};
  const auto all = scratch.take<Place>(static_cast<int>(model.bodies.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Body& body = model.bodies[i];
    all[i] = {pose_of(body, places.q, places.v), body.v, body.kind};
  }
  places.all = all;
  return places;
}

}  // namespace driftless::mechanics

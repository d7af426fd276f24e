#include "mechanics/places.hpp"

namespace driftless::mechanics {

BodyPlaces::BodyPlaces(const MechanismModel& model, const std::vector<char>& whole)
    : model_(model), slot_(model.bodies.size(), 0) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body::Kind kind = model.bodies[i].kind;
    const int body = static_cast<int>(i);
    if (kind == Body::Kind::planar) planar_.push_back(body);
    if (kind == Body::Kind::ground || !whole[i]) continue;
    (kind == Body::Kind::planar ? whole_planar_ : whole_spatial_).push_back(body);
    slot_[i] = ++slots_;  // the first is the ground's
  }
  ++slots_;
}

Places BodyPlaces::at(const Point& point, Arena& scratch) const {
  Places places{.q = numbers(point.z.data(), model_.nq),
                .v = numbers(point.z.data() + model_.nq, model_.nv),
                .axes = {},
                .all = {},
                .slot = slot_};
  const auto axes = scratch.take<PlanarAxis>(planar_.empty() ? 0 : static_cast<int>(slot_.size()));
  for (const int i : planar_) {
    const auto [s, c] = autodiff::sin_cos(places.q[static_cast<std::size_t>(model_.body(i).q) + 2]);
    axes[static_cast<std::size_t>(i)] = {c, s};
  }
  const auto all = scratch.take<Place>(slots_);
  const auto place_of = [&](int body) -> Place& {
    return all[static_cast<std::size_t>(slot_[static_cast<std::size_t>(body)])];
  };
  all[0].pose.R = identity3;
  for (const int i : whole_planar_) {
    const Body& body = model_.body(i);
    const PlanarAxis& axis = axes[static_cast<std::size_t>(i)];
    const double *q = places.q.data() + body.q, *v = places.v.data() + body.v;
    place_of(i) = {.pose = {.r = {q[0], q[1], 0},
                            .v = {v[0], v[1], 0},
                            .w = {0, 0, v[2]},
                            .R = {{axis.c, axis.s, 0}, {-axis.s, axis.c, 0}, {0, 0, 1}},
                            .angle = q[2]},
                   .v = body.v,
                   .kind = body.kind};
  }
  for (const int i : whole_spatial_) {
    const Body& body = model_.body(i);
    place_of(i) = {pose_of(body, places.q, places.v), body.v, body.kind};
  }
  places.axes = axes;
  places.all = all;
  return places;
}

}  // namespace driftless::mechanics

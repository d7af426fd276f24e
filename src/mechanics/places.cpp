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

void add_stiffness(const Places& places, const Measure& m, double factor, Matrix& to) {
  if (factor == 0) return;
  const Stiffness s = stiffness(m, places[m.a].pose, places[m.b].pose);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const Place &row = places[i == 0 ? m.a : m.b], &column = places[j == 0 ? m.a : m.b];
      if (row.kind == Body::Kind::ground || column.kind == Body::Kind::ground) continue;
      // Columns: how the pull changes with a unit displacement of one kind.
      const auto put = [&](int k, const Vec3& force, const Vec3& torque) {
        add_row(row, factor, {force, torque}, to.data() + (column.v + k) * to.rows(), 1);
      };
      put(0, s.force_by_place[i][j].x, s.torque_by_place[i][j].x);
      put(1, s.force_by_place[i][j].y, s.torque_by_place[i][j].y);
      if (column.kind == Body::Kind::planar) {
        put(2, s.force_by_turn[i][j].z, s.torque_by_turn[i][j].z);
        continue;
      }
      put(2, s.force_by_place[i][j].z, s.torque_by_place[i][j].z);
      const Mat3& R = column.pose.R;
      put(3, s.force_by_turn[i][j] * R.x, s.torque_by_turn[i][j] * R.x);
      put(4, s.force_by_turn[i][j] * R.y, s.torque_by_turn[i][j] * R.y);
      put(5, s.force_by_turn[i][j] * R.z, s.torque_by_turn[i][j] * R.z);
    }
}

}  // namespace driftless::mechanics

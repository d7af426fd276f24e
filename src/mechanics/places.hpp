// Where the bodies of a mechanism are, evaluated once for everything that is asked for at a state, and how pulls on two bodies
// become entries of vectors and matrices.
#pragma once

#include <span>

#include <driftless/core/problem.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

// Where the entries of a body stand, by which axes its turns are measured, and how it moves.
struct Place {
  Pose pose;
  int v = 0;
  Body::Kind kind = Body::Kind::ground;
};

struct Places {
  std::span<const double> q, v;
  std::span<const Place> all;

  const Place& operator[](int body) const { return all[static_cast<std::size_t>(body)]; }
};

inline std::span<const double> numbers(const double* p, Eigen::Index n) {
  return {p, static_cast<std::size_t>(n)};
}

Places places_at(const MechanismModel& model, const Point& at, Arena& scratch);

inline FirstOrder<double> first_at(const Places& places, const Measure& m) {
  return first_order<double>(m, places[m.a].pose, places[m.b].pose, places.q);
}

// One row of derivatives along displacements, entries begin at `row` and are `stride` apart.
inline void add_row(const Place& place, double factor, const Pull& pull, double* row, Eigen::Index stride) {
  if (place.kind == Body::Kind::ground) return;
  double* entry = row + place.v * stride;
  const auto put = [&](double value) {
    *entry += factor * value;
    entry += stride;
  };
  put(pull.force.x);
  put(pull.force.y);
  if (place.kind == Body::Kind::planar) return put(pull.torque.z);
  put(pull.force.z);
  const Vec3 torque = to_body(place.pose.R, pull.torque);
  put(torque.x);
  put(torque.y);
  put(torque.z);
}
inline void add_rows(const Places& places, const Measure& m, double factor, const Pulls& pulls, double* row,
                     Eigen::Index stride) {
  add_row(places[m.a], factor, pulls[0], row, stride);
  add_row(places[m.b], factor, pulls[1], row, stride);
}

// The derivative of factor . (pulls of the measure) by displacements of its bodies.
void add_stiffness(const Places& places, const Measure& m, double factor, Matrix& to);

}  // namespace driftless::mechanics

// Where the bodies of a mechanism are, evaluated once for everything that is asked for at a state, and how pulls on two bodies
// become entries of vectors and matrices.
#pragma once

#include <span>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

#include "mechanics/row_pattern.hpp"

namespace driftless::mechanics {

// Where the entries of a body stand, by which axes its turns are measured, and how it moves.
struct Place {
  Pose pose;
  int v = 0;
  Body::Kind kind = Body::Kind::ground;
};

// How a planar body is turned.
struct PlanarAxis {
  double c = 1, s = 0;
};

struct Places {
  std::span<const double> q, v;
  std::span<const PlanarAxis> axes;  // of planar bodies, by body
  std::span<const Place> all;        // of bodies of which they were asked for
  std::span<const int> slot;         // of a body in `all`

  const Place& operator[](int body) const {
    return all[static_cast<std::size_t>(slot[static_cast<std::size_t>(body)])];
  }
};

// Which bodies are evaluated how, kind by kind: planar ones of which nothing but pins is asked need their axes only.
class BodyPlaces {
 public:
  // whole: the bodies of which whole places are needed.
  BodyPlaces(const MechanismModel& model, const std::vector<char>& whole);
  Places at(const Point& point, Arena& scratch) const;

 private:
  const MechanismModel& model_;
  std::vector<int> planar_, whole_planar_, whole_spatial_;  // bodies
  std::vector<int> slot_;
  int slots_ = 0;
};

inline std::span<const double> numbers(const double* p, Eigen::Index n) {
  return {p, static_cast<std::size_t>(n)};
}

inline FirstOrder<double> first_at(const Places& places, const Measure& m) {
  return first_order<double>(m, places[m.a].pose, places[m.b].pose, places.q);
}

// One row of derivatives along displacements of a body, `stride` apart.
inline void add_row(const Place& place, double factor, const Pull& pull, double* entry, Eigen::Index stride) {
  if (place.kind == Body::Kind::ground) return;
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
// The same of a measure on both of its bodies, among the entries of all bodies.
inline void add_rows(const Places& places, const Measure& m, double factor, const Pulls& pulls, double* row) {
  add_row(places[m.a], factor, pulls[0], row + places[m.a].v, 1);
  add_row(places[m.b], factor, pulls[1], row + places[m.b].v, 1);
}

// The derivative of factor . (pulls of the measure) by displacements of its bodies, added to a matrix over pairs of bodies (pair_pattern.hpp).
template <class Pairs>
void add_stiffness(const Places& places, const Measure& m, double factor, const Pairs& to) {
  if (factor == 0 || m.kind == Measure::Kind::angle) return;
  const Stiffness s = stiffness(m, places[m.a].pose, places[m.b].pose);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const Place &row = places[i == 0 ? m.a : m.b], &column = places[j == 0 ? m.a : m.b];
      if (row.kind == Body::Kind::ground || column.kind == Body::Kind::ground) continue;
      if (i != j && m.kind == Measure::Kind::component) continue;  // nothing there: see pair_pattern.hpp
      const RowBlock block = to.block(row.v, column.v);
      // Columns: how the pull changes with a unit displacement of one kind.
      const auto put = [&](int k, const Vec3& force, const Vec3& torque) {
        add_row(row, factor, {force, torque}, block.at + k * block.column_step, block.row_step);
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

// factor . gradient gradient^T of a measure, over the pairs of its bodies.
template <class Pairs>
void add_outer(const Places& places, const Measure& m, double factor, const Pulls& gradient,
               const Pairs& to) {
  const Place* ends[] = {&places[m.a], &places[m.b]};
  double entries[2][6] = {};
  for (std::size_t i = 0; i < 2; ++i) add_row(*ends[i], 1, gradient[i], entries[i], 1);
  const auto size = [](const Place& place) {
    return place.kind == Body::Kind::ground ? 0 : place.kind == Body::Kind::planar ? 3 : 6;
  };
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      if (size(*ends[i]) == 0 || size(*ends[j]) == 0) continue;
      const RowBlock block = to.block(ends[i]->v, ends[j]->v);
      for (int column = 0; column < size(*ends[j]); ++column)
        for (int row = 0; row < size(*ends[i]); ++row)
          block(row, column) += factor * entries[i][row] * entries[j][column];
    }
}

}  // namespace driftless::mechanics

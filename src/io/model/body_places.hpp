// Where bodies of a model are: how far what sits on a body is from its shapes, its ends, its points, its mass centre and its origin, and how far that
// may be. Shapes are drawn roughly and have no lugs, so that some of the size of a body is allowed.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "io/model/body_distance.hpp"
#include "io/model/check_parts.hpp"

namespace driftless::io {

// What a place decides: nothing, along an axis nothing, or all.
enum class Seat { anywhere, axis, point };

class BodyPlaces {
 public:
  explicit BodyPlaces(const CheckedParts& mechanism);

  // The body that something is beside, and by how much; null: it sits where it belongs, or nothing is known of the body.
  struct Beside {
    const ModelBody* body = nullptr;
    double distance = 0, allowed = 0;
  };
  // A joint's marker. `anywhere`: a body that nothing is known of but its place may have it.
  Beside beside_of(const mechanics::Marker& marker, Seat seat, bool placed, bool anywhere) const;
  // A force's.
  Beside beside_of(const mechanics::Marker& marker, bool placed) const;
  // A point that the file gives a body: allowed is what a body in the same units has.
  Beside beside_of(const ModelPoint& point) const;

  // How far a joint of two bodies is from where ends of both meet, where no joint sits there; 0: there is no such place.
  double beside_ends_of(const mechanics::Marker& a, const mechanics::Marker& b) const;

  const ModelBody* body(int index) const;  // null: the ground

 private:
  std::optional<int> end_at(const mechanics::Marker& marker, double within) const;
  double allowed_for(const mechanics::Marker& marker, const ModelBody& body, bool placed) const;
  const std::vector<mechanics::Vec3>& points_of(int body) const;

  const CheckedParts& mechanism_;
  const State start_;
  std::map<int, const ModelBody*> bodies_;
  std::map<int, std::vector<mechanics::Vec3>> points_;
  std::set<std::pair<int, int>> ends_in_use_;  // of a body, -1 or 1
  const std::vector<mechanics::Vec3> none_;
};

}  // namespace driftless::io

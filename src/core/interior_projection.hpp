// InteriorProjection: states between steps of formulations that impose velocities on the constraints (`index2`, `ggl`). A step meets g = 0, g' = 0 or both at its ends, and its polynomial in
// between meets neither: in a mechanism whose drives prescribe all there is no error at the ends whatever the step, so that steps are long and
// what is shown between them was far from the constraints. Newton's method leads back to g = 0, g' = 0 and w = 0 (F = block of normal_map.hpp).
// For states that are shown and for events; the steps know nothing of it. Private to core.
#pragma once

#include <optional>

#include <driftless/core/normal_map.hpp>
#include <driftless/core/system.hpp>

namespace driftless {

class InteriorProjection {
 public:
  InteriorProjection(const Problem& problem, System& system);
  // Where it does not converge (a loss of rank), z stays as it is.
  void apply(State& state);

 private:
  bool converges(State& state);

  const Problem& problem_;
  const bool imposes_;
  std::optional<Manifold> manifold_;
  NormalMap map_;
  Vector right_, delta_, before_;
};

}  // namespace driftless

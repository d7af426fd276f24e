#include "crossed_axes.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace driftless::mechanics {

namespace {

constexpr double across = 1e-3;  // cosine

}  // namespace

std::string crossed_axes(const MechanismModel& model, const State& state) {
  const std::span<const double> q(state.z.data(), static_cast<std::size_t>(state.layout.nq));
  for (const Facing& facing : model.facing) {
    const Measure& m = facing.axes;
    const Body &a = model.body(m.a), &b = model.body(m.b);
    const double cosine = value_of(m, pose_of(a, q), pose_of(b, q), q);
    if (std::abs(cosine) < across)
      return fmt::format(
          "joint {} keeps its axis on {} and its axis on {} parallel, and as the bodies are given they stand "
          "at {:.4g} "
          "degrees to each other; turn the axis of one of the two markers, or one of the bodies",
          facing.joint, a.name, b.name, std::acos(cosine) * 180 / std::numbers::pi);
  }
  return {};
}

}  // namespace driftless::mechanics

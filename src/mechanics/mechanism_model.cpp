#include <driftless/mechanics/mechanism_model.hpp>

#include <algorithm>
#include <array>

namespace driftless::mechanics {

namespace {

constexpr std::array planar_names{"x", "y", "angle"};
constexpr std::array spatial_names{"x", "y", "z", "p0", "p1", "p2", "p3"};
constexpr std::array spatial_rates{"x'", "y'", "z'", "wx", "wy", "wz"};

}  // namespace

void MechanismModel::ask_for(int i) {
  if (measure(i).kind == Measure::Kind::turn && std::find(turns.begin(), turns.end(), i) == turns.end())
    turns.push_back(i);
}

std::string MechanismModel::coordinate_name(int i) const {
  for (const Body& body : bodies) {
    const int own = i - body.q;
    if (own < 0 || own >= body.coordinates()) continue;
    const auto k = static_cast<std::size_t>(own);
    return body.name + " " + (body.kind == Body::Kind::planar ? planar_names[k] : spatial_names[k]);
  }
  for (const int turn : turns)
    if (measure(turn).entry == i) return body(measure(turn).b).name + " turn";
  return {};
}

std::string MechanismModel::velocity_name(int i) const {
  for (const Body& body : bodies) {
    const int own = i - body.v;
    if (own < 0 || own >= body.velocities()) continue;
    const auto k = static_cast<std::size_t>(own);
    return body.name + " " +
           (body.kind == Body::Kind::planar ? std::string(planar_names[k]) + "'" : spatial_rates[k]);
  }
  return {};
}

std::string MechanismModel::constraint_name(int row) const {
  const auto i = static_cast<std::size_t>(row);
  return i < rows.size() ? rows[i].name : velocity_rows[i - rows.size()].name;
}

}  // namespace driftless::mechanics

#include "mechanics/sizes.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::mechanics {

namespace {

constexpr double smallest_lever = 1e-9;  // of the length: shorter ones are roundoff of coordinates

double norm(const Vec3& u) {
  return std::sqrt(dot(u, u));
}

double gyration_radius(const Body& body) {
  if (!(body.mass > 0)) return 0;
  const double largest = std::max({body.inertia.x.x, body.inertia.y.y, body.inertia.z.z});
  return largest > 0 ? std::sqrt(largest / body.mass) : 0;
}

// Twice the median of the levers that there are.
double ordinary_body(std::vector<double> levers, double length) {
  std::erase_if(levers,
                [&](double lever) { return !(lever > smallest_lever * length) || !std::isfinite(lever); });
  if (levers.empty()) return length;
  const auto middle = levers.begin() + static_cast<std::ptrdiff_t>(levers.size() / 2);
  std::nth_element(levers.begin(), middle, levers.end());
  return std::min(length, 2 * *middle);
}

bool of_directions_alone(const Measure& m) {
  using Kind = Measure::Kind;
  return m.kind == Kind::angle || m.kind == Kind::turn || m.kind == Kind::spin || m.kind == Kind::axes;
}

}  // namespace

Sizes sizes_of(const MechanismModel& model) {
  Sizes sizes;
  sizes.levers.assign(model.bodies.size(), 0);
  std::vector<Vec3> fixed;  // points on the ground
  const auto add = [&](int body, const Vec3& point) {
    if (model.body(body).kind == Body::Kind::ground) {
      fixed.push_back(point);
      return;
    }
    double& lever = sizes.levers[static_cast<std::size_t>(body)];
    lever = std::max(lever, norm(point));
  };
  double across = 0;
  for (const Measure& m : model.measures) {
    if (of_directions_alone(m)) continue;
    add(m.a, m.pa);
    add(m.b, m.pb);
    if (m.kind == Measure::Kind::square || m.kind == Measure::Kind::height)
      across = std::max(across, m.length);
  }
  Vec3 middle{};
  for (const Vec3& p : fixed) middle = middle + (1.0 / static_cast<double>(fixed.size())) * p;
  for (const Vec3& p : fixed) across = std::max(across, 2 * norm(p - middle));
  for (const double lever : sizes.levers) across = std::max(across, 2 * lever);
  if (!(across > 0))
    for (const Body& body : model.bodies) across = std::max(across, gyration_radius(body));
  sizes.length = across > 0 && std::isfinite(across) ? across : 1;
  sizes.body = ordinary_body(sizes.levers, sizes.length);
  for (double& lever : sizes.levers)
    if (!(lever > smallest_lever * sizes.length) || !std::isfinite(lever)) lever = sizes.length;
  return sizes;
}

}  // namespace driftless::mechanics

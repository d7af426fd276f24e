#include "mechanics/applied_forces.hpp"

#include <algorithm>
#include <array>

namespace driftless::mechanics {

namespace {

using Local = Eigen::Matrix<double, 12, 1>;

// The two bodies of a measure have up to 12 velocities; -1: there is none of that number.
int entry(const Places& places, const Measure& m, int i) {
  const Place& p = places[i < 6 ? m.a : m.b];
  const int own = i % 6;
  if (p.kind == Body::Kind::ground || (p.kind == Body::Kind::planar && own > 2)) return -1;
  return p.v + own;
}
Local local(const Places& places, const Measure& m, const Pulls& pulls) {
  Local all = Local::Zero();
  for (int slot = 0; slot < 2; ++slot) {
    Place own = places[slot == 0 ? m.a : m.b];
    own.v = 0;
    add_row(own, 1, pulls[static_cast<std::size_t>(slot)], all.data() + 6 * slot, 1);
  }
  return all;
}

}  // namespace

void AppliedForces::values(double t, const Places& places, Vector& f) const {
  f.setZero();
  model_.body_forces<double>(places.v, std::span<double>(f.data(), static_cast<std::size_t>(f.size())));
  for (const Force& force : model_.forces) {
    const Measure& m = model_.measure(force.measure);
    const FirstOrder<double> y = first_at(places, m);
    add_rows(places, m, model_.push(force, t, y, places.q, places.v), y.gradient, f.data(), 1);
  }
}
void AppliedForces::add_gyroscopic(const Places& places, Matrix& f_z) const {
  const int nv = model_.nv;
  for (const Body& body : model_.bodies) {
    if (body.kind != Body::Kind::spatial) continue;
    const int first = body.v + 3;
    const Vec3 w{places.v[static_cast<std::size_t>(first)], places.v[static_cast<std::size_t>(first) + 1],
                 places.v[static_cast<std::size_t>(first) + 2]};
    const Vec3 Jw = body.inertia * w;
    const Vec3 units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int j = 0; j < 3; ++j) {
      const Vec3 column = cross(body.inertia * units[j], w) + cross(Jw, units[j]);
      f_z(first, nv + first + j) = column.x;
      f_z(first + 1, nv + first + j) = column.y;
      f_z(first + 2, nv + first + j) = column.z;
    }
  }
}

void AppliedForces::jacobian(double t, const Places& places, Matrix& f_z) const {
  f_z.setZero();
  add_gyroscopic(places, f_z);
  for (const Force& force : model_.forces) {
    const Measure& m = model_.measure(force.measure);
    const FirstOrder<double> y = first_at(places, m);
    add_stiffness(places, m, model_.push(force, t, y, places.q, places.v), f_z);
    if (const auto* law = std::get_if<ExpressionLaw>(&force.law)) {
      add_slopes_by_inputs(t, places, m, y, *law, f_z);
      continue;
    }
    using D = autodiff::Dual<2>;
    const D push = std::visit(
        [&](const auto& law) {
          return law.force(D(t), D::variable(y.value, 0), D::variable(y.rate, 1), std::span<const D>());
        },
        force.law);
    add_slopes(places, m, y, m, y, push.grad[0], push.grad[1], f_z);
  }
}

// A push along m that grows with the value and the rate of the measure `by`.
void AppliedForces::add_slopes(const Places& places, const Measure& m, const FirstOrder<double>& y,
                               const Measure& by, const FirstOrder<double>& u, double by_value,
                               double by_rate, Matrix& f_z) const {
  if (by_value == 0 && by_rate == 0) return;
  const Pulls rates = rate_gradient(by, places[by.a].pose, places[by.b].pose);
  const Local pull = local(places, m, y.gradient), value = local(places, by, u.gradient),
              rate = local(places, by, rates);
  for (int j = 0; j < 12; ++j) {
    const int column = entry(places, by, j);
    if (column < 0) continue;
    const double by_place = by_value * value(j) + by_rate * rate(j), by_speed = by_rate * value(j);
    for (int i = 0; i < 12; ++i) {
      const int row = entry(places, m, i);
      if (row < 0) continue;
      f_z(row, column) += pull(i) * by_place;
      f_z(row, model_.nv + column) += pull(i) * by_speed;
    }
  }
}

void AppliedForces::add_slopes_by_inputs(double t, const Places& places, const Measure& m,
                                         const FirstOrder<double>& y, const ExpressionLaw& law,
                                         Matrix& f_z) const {
  constexpr std::size_t chunk = 4;  // measures at a time
  using D = autodiff::Dual<8>;
  std::array<FirstOrder<double>, ExpressionLaw::most_inputs> inputs;
  for (std::size_t i = 0; i < law.inputs.size(); ++i)
    inputs[i] = first_at(places, model_.measure(law.inputs[i]));
  for (std::size_t first = 0; first < law.inputs.size(); first += chunk) {
    std::array<D, 2 * ExpressionLaw::most_inputs> given;
    for (std::size_t i = 0; i < law.inputs.size(); ++i) {
      const bool now = i >= first && i < first + chunk;
      const int index = static_cast<int>(2 * (i - first));
      given[2 * i] = now ? D::variable(inputs[i].value, index) : D(inputs[i].value);
      given[2 * i + 1] = now ? D::variable(inputs[i].rate, index + 1) : D(inputs[i].rate);
    }
    const D push = law.force(D(t), D(), D(), std::span<const D>(given.data(), 2 * law.inputs.size()));
    for (std::size_t i = first; i < std::min(first + chunk, law.inputs.size()); ++i)
      add_slopes(places, m, y, model_.measure(law.inputs[i]), inputs[i], push.grad[2 * (i - first)],
                 push.grad[2 * (i - first) + 1], f_z);
  }
}

}  // namespace driftless::mechanics

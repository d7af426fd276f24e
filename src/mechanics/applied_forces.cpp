#include "mechanics/applied_forces.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace driftless::mechanics {

namespace {

using Local = Eigen::Matrix<double, 12, 1>;

// The two bodies of a measure have up to 12 velocities.
Local local(const Places& places, const Measure& m, const Pulls& pulls) {
  Local all = Local::Zero();
  for (int slot = 0; slot < 2; ++slot) {
    add_row(places[slot == 0 ? m.a : m.b], 1, pulls[static_cast<std::size_t>(slot)], all.data() + 6 * slot,
            1);
  }
  return all;
}

}  // namespace

AppliedForces::AppliedForces(const MechanismModel& model)
    : model_(model), weights_(Vector::Zero(model.nv)), order_(model.forces.size()) {
  const std::vector<double> rest(static_cast<std::size_t>(model.nv), 0.0);
  model.body_forces<double>(rest, std::span<double>(weights_.data(), rest.size()));
  for (const Body& body : model.bodies)
    if (body.kind == Body::Kind::spatial) spinning_.push_back({body.v + 3, body.inertia});
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, {}, [&](int i) {
    const Force& force = model.forces[static_cast<std::size_t>(i)];
    return std::pair(force.law.index(), model.measure(force.measure).kind);
  });
}

void AppliedForces::mark_bodies(std::vector<char>& marks) const {
  const auto mark = [&](const Measure& m) {
    marks[static_cast<std::size_t>(m.a)] = marks[static_cast<std::size_t>(m.b)] = 1;
  };
  for (const Force& force : model_.forces) {
    mark(model_.measure(force.measure));
    if (const auto* law = std::get_if<ExpressionLaw>(&force.law))
      for (const int input : law->inputs) mark(model_.measure(input));
  }
}

void AppliedForces::values(double t, const Places& places, Vector& f) const {
  f = weights_;
  for (const Spinning& body : spinning_) {
    const double* v = places.v.data() + body.v;
    const Vec3 w{v[0], v[1], v[2]}, gyroscopic = cross(body.inertia * w, w);
    f[body.v] += gyroscopic.x;
    f[body.v + 1] += gyroscopic.y;
    f[body.v + 2] += gyroscopic.z;
  }
  for (const int i : order_) {
    const Force& force = model_.forces[static_cast<std::size_t>(i)];
    const Measure& m = model_.measure(force.measure);
    const FirstOrder<double> y = first_at(places, m);
    add_rows(places, m, model_.push(force, t, y, places.q, places.v), y.gradient, f.data());
  }
}

void AppliedForces::jacobian(double t, const Places& places, Matrix& f_z) const {
  f_z.setZero();
  const Eigen::Index nv = f_z.rows();
  jacobian_to(t, places, WholePairs{f_z.data(), nv}, WholePairs{f_z.data() + nv * nv, nv});
}
void AppliedForces::jacobian(double t, const Places& places, linalg::SparseRows& by_x,
                             linalg::SparseRows& by_v) const {
  by_x.clear();
  by_v.clear();
  jacobian_to(t, places, SparsePairs{by_x}, SparsePairs{by_v});
}

template <class Pairs>
void AppliedForces::add_gyroscopic(const Places& places, const Pairs& by_v) const {
  for (const Spinning& body : spinning_) {
    const double* v = places.v.data() + body.v;
    const Vec3 w{v[0], v[1], v[2]}, Jw = body.inertia * w;
    const Vec3 units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int first = body.v - 3;
    const RowBlock block = by_v.block(first, first);
    for (int j = 0; j < 3; ++j) {
      const Vec3 column = cross(body.inertia * units[j], w) + cross(Jw, units[j]);
      block(3, 3 + j) = column.x;
      block(4, 3 + j) = column.y;
      block(5, 3 + j) = column.z;
    }
  }
}

template <class Pairs>
void AppliedForces::jacobian_to(double t, const Places& places, const Pairs& by_x, const Pairs& by_v) const {
  add_gyroscopic(places, by_v);
  for (const int i : order_) {
    const Force& force = model_.forces[static_cast<std::size_t>(i)];
    const Measure& m = model_.measure(force.measure);
    const FirstOrder<double> y = first_at(places, m);
    add_stiffness(places, m, model_.push(force, t, y, places.q, places.v), by_x);
    if (const auto* law = std::get_if<ExpressionLaw>(&force.law)) {
      add_slopes_by_inputs(t, places, m, y, *law, by_x, by_v);
      continue;
    }
    using D = autodiff::Dual<2>;
    const D push = std::visit(
        [&](const auto& law) {
          return law.force(D(t), D::variable(y.value, 0), D::variable(y.rate, 1), std::span<const D>());
        },
        force.law);
    add_slopes(places, m, y, m, y, push.grad[0], push.grad[1], by_x, by_v);
  }
}

// A push along m that grows with the value and the rate of the measure `by`.
template <class Pairs>
void AppliedForces::add_slopes(const Places& places, const Measure& m, const FirstOrder<double>& y,
                               const Measure& by, const FirstOrder<double>& u, double by_value,
                               double by_rate, const Pairs& by_x, const Pairs& by_v) const {
  if (by_value == 0 && by_rate == 0) return;
  const Pulls rates = rate_gradient(by, places[by.a].pose, places[by.b].pose);
  const Local pull = local(places, m, y.gradient), value = local(places, by, u.gradient),
              rate = local(places, by, rates);
  for (int row_slot = 0; row_slot < 2; ++row_slot)
    for (int column_slot = 0; column_slot < 2; ++column_slot) {
      const Body &row = model_.body(row_slot == 0 ? m.a : m.b),
                 &column = model_.body(column_slot == 0 ? by.a : by.b);
      if (row.velocities() == 0 || column.velocities() == 0) continue;
      const RowBlock of_x = by_x.block(row.v, column.v), of_v = by_v.block(row.v, column.v);
      for (int j = 0; j < column.velocities(); ++j) {
        const int at = 6 * column_slot + j;
        const double by_place = by_value * value(at) + by_rate * rate(at), by_speed = by_rate * value(at);
        for (int i = 0; i < row.velocities(); ++i) {
          of_x(i, j) += pull(6 * row_slot + i) * by_place;
          of_v(i, j) += pull(6 * row_slot + i) * by_speed;
        }
      }
    }
}

template <class Pairs>
void AppliedForces::add_slopes_by_inputs(double t, const Places& places, const Measure& m,
                                         const FirstOrder<double>& y, const ExpressionLaw& law,
                                         const Pairs& by_x, const Pairs& by_v) const {
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
                 push.grad[2 * (i - first) + 1], by_x, by_v);
  }
}

// T + V: momenta by velocities; by displacements what weights and springs pull back with.
void AppliedForces::energy_gradient(const Places& places, Vector& energy_z) const {
  const int nv = model_.nv;
  energy_z.setZero();
  for (const Body& body : model_.bodies) {
    if (body.kind == Body::Kind::ground) continue;
    const Vec3& g = model_.gravity;
    const double by_place[] = {-body.mass * g.x, -body.mass * g.y, -body.mass * g.z};
    const int linear = body.kind == Body::Kind::planar ? 2 : 3;
    const double* v = places.v.data() + body.v;
    for (int i = 0; i < linear; ++i) {
      energy_z(body.v + i) = by_place[i];
      energy_z(nv + body.v + i) = body.mass * v[i];
    }
    if (body.kind == Body::Kind::planar) {
      energy_z(nv + body.v + 2) = body.inertia.z.z * v[2];
      continue;
    }
    const Vec3 momentum = body.inertia * Vec3{v[3], v[4], v[5]};
    energy_z(nv + body.v + 3) = momentum.x;
    energy_z(nv + body.v + 4) = momentum.y;
    energy_z(nv + body.v + 5) = momentum.z;
  }
  for (const Force& force : model_.forces)
    if (const auto* spring = std::get_if<SpringLaw>(&force.law)) {
      const Measure& m = model_.measure(force.measure);
      const FirstOrder<double> y = first_at(places, m);
      add_rows(places, m, spring->pull(y.value), y.gradient, energy_z.data());
    }
}

}  // namespace driftless::mechanics

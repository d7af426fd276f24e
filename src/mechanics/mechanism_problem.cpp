#include <driftless/mechanics/mechanism_problem.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <driftless/core/checkable.hpp>
#include <driftless/core/model_derivatives.hpp>
#include <driftless/core/sparse_dynamics.hpp>

#include "mechanics/applied_forces.hpp"
#include "mechanics/constraint_rows.hpp"
#include "mechanics/sizes.hpp"
#include "mechanics/table_watch.hpp"

namespace driftless::mechanics {

namespace {

// Without quaternions coordinates and velocities are the same thing.
Shape shape_of(const MechanismModel& model, Matrices matrices) {
  Shape shape = model::shape_of(model);
  shape.own_kinematics = shape.normalized = model.nq != model.nv;
  shape.has_power = std::any_of(model.forces.begin(), model.forces.end(), [](const Force& f) {
    const auto* spring = std::get_if<SpringLaw>(&f.law);
    return !spring || spring->dissipates();
  });
  if (matrices == Matrices::sparse)
    for (const Body& body : model.bodies)
      if (body.kind != Body::Kind::ground) shape.bodies.push_back(body.velocities());
  return shape;
}

// The blocks of M, one for each body.
std::vector<double> mass_blocks(const MechanismModel& model) {
  std::vector<double> blocks;
  for (const Body& b : model.bodies) {
    const auto n = static_cast<std::size_t>(b.velocities()), first = blocks.size(),
               linear = (n + 1) / 2;  // 3 of 6, 2 of 3
    blocks.resize(first + n * n, 0.0);
    const auto entry = [&](std::size_t i, std::size_t j) -> double& { return blocks[first + i + j * n]; };
    for (std::size_t i = 0; i < linear; ++i) entry(i, i) = b.mass;
    if (n == 3) entry(2, 2) = b.inertia.z.z;
    if (n < 6) continue;
    const Vec3* columns[] = {&b.inertia.x, &b.inertia.y, &b.inertia.z};
    for (std::size_t j = 0; j < 3; ++j) {
      entry(3, 3 + j) = columns[j]->x;
      entry(4, 3 + j) = columns[j]->y;
      entry(5, 3 + j) = columns[j]->z;
    }
  }
  return blocks;
}

class MechanismProblem final : public Problem,
                               public SparseDynamics,
                               public Checkable,
                               public PiecewiseInTime {
  using Derivatives = model::Derivatives<MechanismModel>;

 public:
  MechanismProblem(MechanismModel model, Matrices matrices)
      : Problem(shape_of(model, matrices)),
        model_(std::move(model)),
        rows_(model_),
        forces_(model_),
        places_(model_, whole_places()),
        sizes_(sizes_of(model_)),
        mass_(mass_blocks(model_)),
        pairs_(shape().sparse() ? pair_pattern(model_) : linalg::SparseRows()) {}

  // Whoever adds a drive declares it.
  TimeDependence time_dependence(double, VectorIn) const override { return {TimeDependence::Kind::none, {}}; }

  std::vector<TimeBreak> time_breaks(double from, double to) const override {
    return time_breaks_of(model_, from, to);
  }
  std::unique_ptr<Observer> watch() const override {
    return watch_tables(model_, [this](VectorIn z, std::vector<double>& q, std::vector<double>& v) {
      q.assign(z.data(), z.data() + model_.nq);
      v.assign(z.data() + model_.nq, z.data() + model_.nq + model_.nv);
    });
  }

  void normalize(VectorOut q) const override {
    model_.normalize(std::span<double>(q.data(), static_cast<std::size_t>(q.size())));
  }
  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace&) const override {
    model_.kinematics(t, numbers(q.data(), q.size()), numbers(v.data(), v.size()),
                      std::span<double>(rates.data(), static_cast<std::size_t>(rates.size())));
  }
  // p' = p o (0, w)/2, so that w is twice the vector part of conj(p) o dp, by |p|^2; coordinates of turns follow from these.
  void displacement_of(VectorIn q, VectorIn change, VectorOut delta) const override {
    for (const Body& b : model_.bodies) {
      delta.segment(b.v, std::min(b.velocities(), 3)) = change.segment(b.q, std::min(b.coordinates(), 3));
      if (b.kind != Body::Kind::spatial) continue;
      const auto p = q.segment<4>(b.q + 3), d = change.segment<4>(b.q + 3);
      const double scale = 2 / p.squaredNorm();
      delta(b.v + 3) = scale * (p[0] * d[1] - p[1] * d[0] - p[2] * d[3] + p[3] * d[2]);
      delta(b.v + 4) = scale * (p[0] * d[2] + p[1] * d[3] - p[2] * d[0] - p[3] * d[1]);
      delta(b.v + 5) = scale * (p[0] * d[3] - p[1] * d[2] + p[2] * d[1] - p[3] * d[0]);
    }
  }
  Scales scales(double t, VectorIn q) const override {
    Scales scales = Problem::scales(t, q);
    scales.length = sizes_.length;
    scales.assembly = model_.assembly;
    scales.moves.setOnes();
    scales.levers = Vector::Ones(shape().nv);
    scales.error_sizes = Vector::Ones(shape().nq + shape().nv);
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const Body& b = model_.bodies[i];
      if (b.kind == Body::Kind::ground) continue;
      const int linear = b.kind == Body::Kind::planar ? 2 : 3;
      scales.coordinates.segment(b.q, linear).setConstant(sizes_.length);
      scales.moves.segment(b.v, linear).setConstant(sizes_.length);
      scales.error_sizes.segment(b.q, linear).setConstant(sizes_.body);
      scales.error_sizes.segment(shape().nq + b.v, linear).setConstant(sizes_.body);
      scales.levers.segment(b.v + linear, b.velocities() - linear).setConstant(sizes_.levers[i]);
    }
    return scales;
  }
  Branches branches() const override {
    Branches all{.sizes = shape().bodies};
    for (const Body& body : model_.bodies)
      if (body.kind == Body::Kind::spatial) all.quaternions.push_back(body.v + 3);
    return all;
  }
  SparseParts sparse_pattern() const override {
    SparseParts pattern;
    rows_.prepare(Part::jacobian | Part::rate_jacobian, pattern);
    pattern.by_x = pattern.by_v = pattern.Bl_x = pairs_;
    pattern.M = mass_;
    return pattern;
  }
  std::string coordinate_name(int i) const override { return model_.coordinate_name(i); }
  std::string velocity_name(int i) const override { return model_.velocity_name(i); }
  std::string constraint_name(int row) const override { return model_.constraint_name(row); }
  std::string fault(double t, VectorIn z) const override {
    return model_.fault(t, numbers(z.data(), model_.nq), numbers(z.data() + model_.nq, model_.nv));
  }

 protected:
  void compute(Parts parts, const Point& at, Evaluation& e) const override {
    Arena::Release scope(e.scratch);
    const Places places = places_.at(at, e.scratch);
    if (e.storage == Storage::sparse) {
      rows_.prepare(parts, e.sparse);
      if (parts.has(Part::mass) && e.sparse.M.empty()) e.sparse.M = mass_;
    } else if (parts.has(Part::mass)) {
      e.M.setZero();
      model_.mass(at.t, places.q, MatrixView<double>(e.M.data(), shape().nv));
    }
    if (parts.has(Part::force)) forces_.values(at.t, places, e.f);
    rows_.positions(parts, at.t, places, e);
    rows_.velocities(parts, places, e);
    if (e.storage == Storage::sparse)
      sparse_jacobians(parts, at, places, e);
    else
      whole_jacobians(parts, at, places, e);
    if (parts.has(Part::energy_gradient)) forces_.energy_gradient(places, e.energy_z);
    if (parts.has(Part::energy)) e.energy = model_.energy(at.t, places.q, places.v);
    if (parts.has(Part::power)) e.power = model_.power(at.t, places.q, places.v);
    automatic_parts(parts, at, e);
  }

 private:
  std::vector<char> whole_places() const {
    std::vector<char> marks(model_.bodies.size(), 0);
    rows_.mark_bodies(marks);
    forces_.mark_bodies(marks);
    return marks;
  }
  void whole_jacobians(Parts parts, const Point& at, const Places& places, Evaluation& e) const {
    if (parts.has(Part::force_jacobian)) forces_.jacobian(at.t, places, e.f_z);
    if (parts.has(Part::mass_product_jacobian)) e.Ma_x.setZero();
    if (parts.has(Part::multiplier_jacobian)) rows_.multiplier_jacobian(at, places, e.Bl_x);
  }
  void sparse_jacobians(Parts parts, const Point& at, const Places& places, Evaluation& e) const {
    SparseParts& sparse = e.sparse;
    const auto given = [&](linalg::SparseRows& rows) {
      if (rows.empty()) rows = pairs_;
    };
    if (parts.has(Part::force_jacobian)) {
      given(sparse.by_x);
      given(sparse.by_v);
      forces_.jacobian(at.t, places, sparse.by_x, sparse.by_v);
    }
    if (parts.has(Part::multiplier_jacobian)) {
      given(sparse.Bl_x);
      rows_.multiplier_jacobian(at, places, sparse.Bl_x);
    }
  }
  void automatic_parts(Parts parts, const Point& at, Evaluation& e) const {
    constexpr Parts automatic =
        Part::kinematics | Part::kinematics_jacobian | Parts(Part::curvature_jacobian);
    if (parts.without(automatic).has_all(parts)) return;
    Derivatives d(model_, shape(), at.t, at.z.data(), e.scratch);
    if (parts.has(Part::kinematics)) d.kinematics(e.N);
    if (parts.has(Part::kinematics_jacobian)) d.kinematics_jacobian(e.Nv_q);
    if (!parts.has(Part::curvature_jacobian)) return;
    if (e.storage == Storage::sparse) {
      rows_.prepare_curvature(e.sparse);
      d.curvature_jacobian(at.a.data(), e.sparse.groups, e.sparse.c_x, e.sparse.c_v);
      return;
    }
    d.curvature_jacobian(at.a.data(), e.c_z);
    if (shape().nk > 0) d.velocity_curvature_jacobian(at.a.data(), e.ck_z);
  }

  MechanismModel model_;
  ConstraintRows rows_;
  AppliedForces forces_;
  BodyPlaces places_;
  const Sizes sizes_;
  const std::vector<double> mass_;
  const linalg::SparseRows pairs_;  // of matrices over pairs of bodies, where they are sparse
};

}  // namespace

// Measured (callgrind, runs of the models): whole runs by sparse matrices cost 1.07 times those by whole ones at 9 velocities, 1.04 to 1.08 at 12,
// 0.97 at 15, 0.82 to 0.85 at 21, with implicit methods 0.52 to 0.92. Where rows are redundant, whole matrices are looked at anew in every
// evaluation, and sparse ones are not: 0.15. As many rows as velocities, drives aside: some are, or nothing moves.
Matrices matrices_of(const MechanismModel& model) {
  constexpr int smallest_sparse = 15;
  const auto drives =
      std::count_if(model.rows.begin(), model.rows.end(), [](const Row& row) { return row.motion >= 0; });
  const int rows = model.ng + model.nk - static_cast<int>(drives);
  return model.nv >= smallest_sparse || (rows > 0 && rows >= model.nv) ? Matrices::sparse : Matrices::whole;
}

std::shared_ptr<const Problem> make_problem(MechanismModel model, Matrices matrices) {
  if (matrices == Matrices::that_cost_less) matrices = matrices_of(model);
  return std::make_shared<const MechanismProblem>(std::move(model), matrices);
}

}  // namespace driftless::mechanics

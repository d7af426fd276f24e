#include "mechanics/relative/relative_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Geometry>

#include <driftless/core/checkable.hpp>
#include <driftless/core/model_derivatives.hpp>
#include <driftless/core/sparse_constraints.hpp>
#include <driftless/core/sparse_dynamics.hpp>

#include "mechanics/places.hpp"
#include "mechanics/relative/body_states.hpp"
#include "mechanics/relative/branch_jacobian.hpp"
#include "mechanics/sizes.hpp"
#include "mechanics/table_watch.hpp"

namespace driftless::mechanics {

namespace {

Shape shape_of(const RelativeModel& model) {
  Arena none;
  Shape shape = model::shape_of(RelativeEquations{model, none});
  shape.own_kinematics = shape.normalized = model.nq != model.nv;
  shape.has_power =
      std::any_of(model.absolute.forces.begin(), model.absolute.forces.end(), [](const Force& f) {
        const auto* spring = std::get_if<SpringLaw>(&f.law);
        return !spring || spring->dissipates();
      });
  shape.mass_by_bodies = false;
  for (const TreeJoint& j : model.tree)
    if (j.velocities() > 0) shape.bodies.push_back(j.velocities());
  return shape;
}

std::span<double> entries(VectorOut x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

class RelativeProblem final : public Problem,
                              public SparseDynamics,
                              public Checkable,
                              public PiecewiseInTime {
 public:
  RelativeProblem(std::shared_ptr<const RelativeModel> model, std::shared_ptr<const TreeDynamics> dynamics)
      : Problem(shape_of(*model)),
        model_(std::move(model)),
        dynamics_(std::move(dynamics)),
        jacobian_(*model_),
        sizes_(sizes_of(model_->absolute)) {}

  // By recursion.
  Status acceleration(double t, VectorIn z, VectorIn r, VectorOut a, VectorOut multipliers,
                      Workspace& work) const override {
    const Shape& s = shape();
    if (!(work.shape == s)) {
      work.parts = Evaluation(Storage::sparse);
      work.parts.sparse.C = dynamics_->pattern();
      work.solver = std::make_unique<SparseConstraints>(SparseConstraints::of_transformed_rows(work.use));
      work.r.setZero(s.multipliers());
      work.shape = s;
    }
    return recursive_acceleration(t, z, r, a, multipliers, work);
  }

  // Whoever adds a drive declares it.
  TimeDependence time_dependence(double, VectorIn) const override { return {TimeDependence::Kind::none, {}}; }

  std::vector<TimeBreak> time_breaks(double from, double to) const override {
    return time_breaks_of(model_->absolute, from, to);
  }
  std::unique_ptr<Observer> watch() const override {
    return watch_tables(model_->absolute, [this](VectorIn z, std::vector<double>& q, std::vector<double>& v) {
      const BodyStates there = body_states(*model_, z);
      q.assign(there.q.begin(), there.q.end());
      v.assign(there.v.begin(), there.v.end());
    });
  }

  void normalize(VectorOut q) const override {
    thread_local Arena scratch;  // there is no workspace to take it from
    RelativeEquations{*model_, scratch}.normalize(entries(q));
  }
  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace& work) const override {
    RelativeEquations{*model_, work.parts.scratch}.kinematics(t, numbers(q.data(), q.size()),
                                                              numbers(v.data(), v.size()), entries(rates));
  }
  // As for bodies: w is twice the vector part of conj(p) o dp, by |p|^2; coordinates of turns follow from these.
  void displacement_of(VectorIn q, VectorIn change, VectorOut delta) const override {
    for (const TreeJoint& j : model_->tree) {
      const int plain = j.coordinates() == j.velocities() ? j.velocities() : j.velocities() - 3;
      delta.segment(j.v, plain) = change.segment(j.q, plain);
      if (plain == j.velocities()) continue;
      const auto p = q.segment<4>(j.q + plain), d = change.segment<4>(j.q + plain);
      const auto pv = p.tail<3>(), dv = d.tail<3>();
      delta.segment<3>(j.v + plain) =
          2 / p.squaredNorm() * (p[0] * dv - d[0] * pv - Eigen::Vector3d(pv).cross(Eigen::Vector3d(dv)));
    }
  }
  // A turn moves whatever hangs behind its joint.
  Scales scales(double t, VectorIn q) const override {
    Scales scales = Problem::scales(t, q);
    scales.length = sizes_.length;
    scales.assembly = model_->absolute.assembly;
    scales.moves.setOnes();
    scales.levers = Vector::Constant(shape().nv, sizes_.length);
    scales.error_sizes = Vector::Ones(shape().nq + shape().nv);
    for (const TreeJoint& j : model_->tree)
      for (int own = 0; own < j.velocities(); ++own)
        if (j.slides(own)) {
          scales.coordinates(j.q + own) = scales.moves(j.v + own) = sizes_.length;
          scales.error_sizes(j.q + own) = scales.error_sizes(shape().nq + j.v + own) = sizes_.body;
          scales.levers(j.v + own) = 1;
        }
    return scales;
  }
  // Own turns follow from other coordinates, which dual numbers of these do not know.
  Branches branches() const override {
    if (!model_->turns.empty() || !jacobian_.offered()) return {};
    Branches all{.sizes = jacobian_.sizes()};
    for (const TreeJoint& j : model_->tree)
      if (j.coordinates() != j.velocities()) all.quaternions.push_back(j.v + j.velocities() - 3);
    return all;
  }
  void add_mass_rate(const Point& at, VectorOut sum, Arena& scratch) const override {
    jacobian_.add_mass_rate(at, sum, scratch);
  }
  SparseParts sparse_pattern() const override {
    SparseParts pattern;
    pattern.C = pattern.L = dynamics_->pattern();
    pattern.by_x = pattern.by_v = pattern.Bl_x = jacobian_.pattern();
    return pattern;
  }
  std::string coordinate_name(int i) const override { return model_->coordinate_name(i); }
  std::string velocity_name(int i) const override { return model_->velocity_name(i); }
  std::string constraint_name(int row) const override { return model_->row(row).name; }
  std::string fault(double t, VectorIn z) const override {
    const BodyStates there = body_states(*model_, z);
    return model_->absolute.fault(t, numbers(there.q.data(), there.q.size()),
                                  numbers(there.v.data(), there.v.size()));
  }

 protected:
  void compute(Parts parts, const Point& at, Evaluation& e) const override {
    Arena::Release scope(e.scratch);
    const auto q = numbers(at.z.data(), shape().nq), v = numbers(at.z.data() + shape().nq, shape().nv);
    const RelativeEquations equations{*model_, e.scratch};
    if (parts.has(Part::mass) && e.storage == Storage::whole) {
      e.M.setZero();
      equations.mass(at.t, q, MatrixView<double>(e.M.data(), shape().nv));
    }
    if (parts.has(Part::mass) && e.storage == Storage::sparse) jacobian_.mass(q, at.t, e.sparse.M, e.scratch);
    recursive_parts(parts, at.t, q, v, e);
    if (e.storage == Storage::sparse && parts.has(Part::multiplier_jacobian)) branch_jacobians(at, e);
    if (parts.has(Part::energy)) e.energy = equations.energy(at.t, q, v);
    if (parts.has(Part::power)) e.power = equations.power(at.t, q, v);
    automatic_parts(parts, at, e, equations);
  }

 private:
  static SparseConstraints& recursive_rows(Workspace& work) {
    return static_cast<SparseConstraints&>(*work.solver);
  }

  // In which the rows become Z and M_r becomes I.
  Status recursive_acceleration(double t, VectorIn z, VectorIn r, VectorOut a, VectorOut multipliers,
                                Workspace& work) const {
    const Shape& s = shape();
    Arena& scratch = work.parts.scratch;
    Arena::Release scope(scratch);
    const auto at = dynamics_->at(t, numbers(z.data(), s.nq), numbers(z.data() + s.nq, s.nv), scratch);
    const auto M = dynamics_->articulated(at, scratch);
    if (!M.regular) return z.allFinite() ? Status::singular_mass : Status::not_finite;
    const auto pulls = scratch.take<Pull>(model_->bodies());
    const auto memory = scratch.take<double>(s.nv);
    Eigen::Map<Vector> y(memory.data(), s.nv);
    at.bodies.pulls(t, pulls);
    dynamics_->inward(at, M, pulls, y.data());
    if (s.multipliers() > 0)
      if (const Status status = constrain(at, M, t, z, r, y, multipliers, work); status != Status::ok)
        return status;
    const auto accelerations = scratch.take<Twist>(model_->bodies());
    dynamics_->outward(at, M, y.data(), a.data(), accelerations);
    return a.allFinite() && multipliers.allFinite() ? Status::ok : Status::not_finite;
  }

  // Takes from y what the constraints do.
  Status constrain(const TreeDynamics::At& at, const TreeDynamics::Articulated& M, double t, VectorIn z,
                   VectorIn r, Eigen::Map<Vector>& y, VectorOut multipliers, Workspace& work) const {
    const Shape& s = shape();
    Evaluation& e = work.parts;
    SparseConstraints& rows = recursive_rows(work);
    dynamics_->rows(at, 0, s.ng, {.curvature = multipliers.data()});
    dynamics_->rows(at, s.ng, s.nk, {.curvature = multipliers.data() + s.ng});
    work.r = r - multipliers;
    dynamics_->transformed_rows(at, M, e.sparse.C, e.scratch);
    if (const Status status = rows.factor(*this, t, z, e); status != Status::ok) return status;
    for (int k = 0; k < s.nv; ++k) y(k) /= std::sqrt(M.d[static_cast<std::size_t>(k)]);
    const double free = y.size() > 0 ? y.lpNorm<Eigen::Infinity>() : 0;
    const double speed = s.nv > 0 ? z.tail(s.nv).lpNorm<Eigen::Infinity>() : 0, curved = speed * speed;
    if (work.unforced) {
      const auto memory = e.scratch.take<double>(s.nv);
      Eigen::Map<Vector> left(memory.data(), s.nv);
      work.r -= r;
      rows.solve(e, y, work.r, left, *work.unforced);
      rows.least_norm(e, *work.unforced);
      work.r += r;
    }
    rows.solve(e, y, work.r, y, multipliers);
    rows.least_norm(e, multipliers);
    if (!y.allFinite() || !multipliers.allFinite()) return Status::not_finite;
    if (rows.contradicts(e, y, work.r, free, curved)) return Status::contradiction;
    for (int k = 0; k < s.nv; ++k) y(k) *= std::sqrt(M.d[static_cast<std::size_t>(k)]);
    return Status::ok;
  }

  void recursive_parts(Parts parts, double t, std::span<const double> q, std::span<const double> v,
                       Evaluation& e) const {
    const Parts known = Part::force | Part::position | Part::rates | Parts(Part::curvature) | Part::jacobian |
                        Part::input | Part::velocity | Part::velocity_jacobian | Part::rate_jacobian |
                        Part::velocity_drift;
    if (parts.without(known).has_all(parts)) return;
    const auto at = dynamics_->at(t, q, v, e.scratch);
    const int ng = shape().ng, nk = shape().nk;
    const bool curvature = parts.has(Part::curvature);
    if (parts.has(Part::force)) dynamics_->forces(at, e.f, e.scratch);
    dynamics_->rows(at, 0, ng,
                    {.g = parts.has(Part::position) ? e.g.data() : nullptr,
                     .rate = parts.has(Part::rates) ? e.rates.data() : nullptr,
                     .curvature = curvature ? e.c.data() : nullptr});
    dynamics_->rows(at, ng, nk,
                    {.g = nullptr,
                     .rate = parts.has(Part::velocity) ? e.w.data() : nullptr,
                     .curvature = curvature ? e.ck.data() : nullptr});
    if (e.storage == Storage::sparse) {
      sparse_rows(parts, at, e);
      return;
    }
    if (parts.has(Part::jacobian) || parts.has(Part::input)) dynamics_->jacobian(at, 0, ng, e.G, e.scratch);
    if (parts.has(Part::input)) e.B = e.G.transpose();
    if (parts.has(Part::velocity_jacobian)) dynamics_->jacobian(at, ng, nk, e.K, e.scratch);
    if (parts.has(Part::rate_jacobian)) dynamics_->rate_jacobian(at, 0, ng, e.L[0], e.scratch);
    if (parts.has(Part::velocity_drift)) dynamics_->rate_jacobian(at, ng, nk, e.w_x, e.scratch);
  }

  // All of it in the places of (B lambda)_x and f_v: who asks for them adds them up.
  void branch_jacobians(const Point& at, Evaluation& e) const {
    for (linalg::SparseRows* rows : {&e.sparse.by_x, &e.sparse.by_v, &e.sparse.Bl_x})
      if (rows->empty()) *rows = jacobian_.pattern();
    jacobian_.compute(at, e.sparse.Bl_x, e.sparse.by_v, e.scratch);
    for (double& value : e.sparse.by_v.value) value = -value;
  }

  void sparse_rows(Parts parts, const TreeDynamics::At& at, Evaluation& e) const {
    const auto given = [&](linalg::SparseRows& rows) {
      if (rows.empty()) rows = dynamics_->pattern();
    };
    if (parts.has(Part::jacobian) || parts.has(Part::velocity_jacobian)) {
      given(e.sparse.C);
      dynamics_->jacobian(at, e.sparse.C, e.scratch);
    }
    if (parts.has(Part::rate_jacobian) || parts.has(Part::velocity_drift)) {
      given(e.sparse.L);
      dynamics_->rate_jacobian(at, e.sparse.L, e.scratch);
    }
  }

  void automatic_parts(Parts parts, const Point& at, Evaluation& e,
                       const RelativeEquations& equations) const {
    if (e.storage == Storage::sparse && !parts.has_any(Part::energy_gradient | Part::curvature_jacobian))
      return;
    model::Derivatives<RelativeEquations> d(equations, shape(), at.t, at.z.data(), e.scratch);
    if (e.storage == Storage::sparse) {
      if (parts.has(Part::energy_gradient)) d.energy_gradient(e.energy_z);
      if (!parts.has(Part::curvature_jacobian)) return;
      if (e.sparse.c_x.empty()) {
        e.sparse.c_x = e.sparse.c_v = dynamics_->pattern();
        e.sparse.groups = linalg::column_groups(e.sparse.c_x);
      }
      d.curvature_jacobian(at.a.data(), e.sparse.groups, e.sparse.c_x, e.sparse.c_v);
      return;
    }
    if (parts.has(Part::kinematics)) d.kinematics(e.N);
    if (parts.has(Part::kinematics_jacobian)) d.kinematics_jacobian(e.Nv_q);
    if (parts.has(Part::force_jacobian)) d.force_jacobian(e.f_z);
    if (parts.has(Part::mass_product_jacobian)) d.mass_product_jacobian(at.a.data(), e.Ma_x);
    if (parts.has(Part::multiplier_jacobian))
      d.multiplier_jacobian(at.lambda.data(), at.kappa.data(), e.Bl_x);
    if (parts.has(Part::curvature_jacobian)) {
      d.curvature_jacobian(at.a.data(), e.c_z);
      if (shape().nk > 0) d.velocity_curvature_jacobian(at.a.data(), e.ck_z);
    }
    if (parts.has(Part::energy_gradient)) d.energy_gradient(e.energy_z);
  }

  std::shared_ptr<const RelativeModel> model_;
  std::shared_ptr<const TreeDynamics> dynamics_;
  const BranchJacobian jacobian_;
  const Sizes sizes_;  // of the mechanism
};

}  // namespace

std::shared_ptr<const Problem> make_relative_problem(std::shared_ptr<const RelativeModel> model,
                                                     std::shared_ptr<const TreeDynamics> dynamics) {
  return std::make_shared<const RelativeProblem>(std::move(model), std::move(dynamics));
}

}  // namespace driftless::mechanics

#include <driftless/mechanics/mechanism_problem.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <driftless/core/model_derivatives.hpp>

#include "mechanics/applied_forces.hpp"
#include "mechanics/constraint_rows.hpp"

namespace driftless::mechanics {

namespace {

// Without quaternions coordinates and velocities are the same thing.
Shape shape_of(const MechanismModel& model) {
  Shape shape = model::shape_of(model);
  shape.own_kinematics = shape.normalized = model.nq != model.nv;
  shape.has_power = std::any_of(model.forces.begin(), model.forces.end(), [](const Force& f) {
    const auto* spring = std::get_if<SpringLaw>(&f.law);
    return !spring || spring->dissipates();
  });
  return shape;
}

class MechanismProblem final : public Problem {
  using Derivatives = model::Derivatives<MechanismModel>;

 public:
  explicit MechanismProblem(MechanismModel model)
      : Problem(shape_of(model)), model_(std::move(model)), rows_(model_), forces_(model_) {}

  void normalize(VectorOut q) const override {
    model_.normalize(std::span<double>(q.data(), static_cast<std::size_t>(q.size())));
  }
  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace&) const override {
    model_.kinematics(t, numbers(q.data(), q.size()), numbers(v.data(), v.size()),
                      std::span<double>(rates.data(), static_cast<std::size_t>(rates.size())));
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
    const Places places = places_at(model_, at, e.scratch);
    if (parts.has(Part::mass)) {
      e.M.setZero();
      model_.mass(at.t, places.q, MatrixView<double>(e.M.data(), shape().nv));
    }
    if (parts.has(Part::force)) forces_.values(at.t, places, e.f);
    if (parts.has(Part::force_jacobian)) forces_.jacobian(at.t, places, e.f_z);
    if (parts.has(Part::mass_product_jacobian)) e.Ma_x.setZero();
    rows_.positions(parts, at.t, places, e);
    rows_.velocities(parts, places, e);
    if (parts.has(Part::multiplier_jacobian)) rows_.multiplier_jacobian(at, places, e.Bl_x);
    if (parts.has(Part::energy)) e.energy = model_.energy(at.t, places.q, places.v);
    if (parts.has(Part::power)) e.power = model_.power(at.t, places.q, places.v);
    automatic_parts(parts, at, e);
  }

 private:
  void automatic_parts(Parts parts, const Point& at, Evaluation& e) const {
    constexpr Parts automatic = Part::kinematics | Part::kinematics_jacobian |
                                Parts(Part::curvature_jacobian) | Parts(Part::energy_gradient);
    if (parts.without(automatic).has_all(parts)) return;
    Derivatives d(model_, shape(), at.t, at.z.data(), e.scratch);
    if (parts.has(Part::kinematics)) d.kinematics(e.N);
    if (parts.has(Part::kinematics_jacobian)) d.kinematics_jacobian(e.Nv_q);
    if (parts.has(Part::energy_gradient)) d.energy_gradient(e.energy_z);
    if (parts.has(Part::curvature_jacobian)) {
      d.curvature_jacobian(at.a.data(), e.c_z);
      if (shape().nk > 0) d.velocity_curvature_jacobian(at.a.data(), e.ck_z);
    }
  }

  MechanismModel model_;
  ConstraintRows rows_;
  AppliedForces forces_;
};

}  // namespace

std::shared_ptr<const Problem> make_problem(MechanismModel model) {
  return std::make_shared<const MechanismProblem>(std::move(model));
}

}  // namespace driftless::mechanics

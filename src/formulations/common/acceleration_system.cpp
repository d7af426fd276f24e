#include "acceleration_system.hpp"

#include <algorithm>
#include <utility>

#include <driftless/core/manifold.hpp>

#include "acceleration_jacobian.hpp"

namespace driftless::formulations {

namespace {

class AccelerationSystem final : public System, public OdeSystem {
 public:
  AccelerationSystem(const Problem& problem, const Feedback& feedback, std::unique_ptr<AccelerationLaw> law)
      : problem_(problem),
        shape_(problem.shape()),
        layout_(shape_.layout()),
        feedback_(problem, feedback),
        law_(std::move(law)),
        no_r_(Vector::Zero(shape_.multipliers())),
        multipliers_(Vector::Zero(shape_.multipliers())),
        unforced_(Vector::Zero(shape_.multipliers())),
        a_(Vector::Zero(shape_.nv)),
        acceleration_jacobian_(problem),
        kinematics_(problem) {}

  int size() const override { return layout_.size(); }
  void pack(const State& state, VectorOut y) const override { y = state.z; }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y;
  }
  OdeSystem* ode() override { return this; }
  std::string explain(Status status, double t, VectorIn y) const override {
    return law_ ? law_->explain(status, t, y) : problem_.explain(status, t, y);
  }

  void discretized_by(const Discretization& by) override { feedback_.discretized_by(by); }
  void starting(bool yes) override { feedback_.starting(yes); }
  bool begin_step(double t, VectorIn y, double h) override {
    const bool other = feedback_.begin_step(t, y, h);
    if (!law_ || !law_->begin_step(t, y)) return other;
    ++work().rhs;
    if (acceleration(t, y, a_, nullptr, true) == Status::ok) law_->keep(t, multipliers_);
    return true;
  }

  void anchor(const State& state) override {
    if (law_) law_->anchor(state.t, state.z);
  }
  std::vector<double> anchored() const override {
    std::vector<double> values = law_ ? law_->anchored() : std::vector<double>{};
    if (!feedback_.automatic()) return values;
    Vector memory(ConstraintFeedback::memory_size);
    feedback_.save(memory);
    values.insert(values.end(), memory.begin(), memory.end());
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    if (law_) law_->restore_anchor(values);
    if (!feedback_.automatic()) return;
    constexpr int count = ConstraintFeedback::memory_size;
    feedback_.restore(Eigen::Map<const Vector>(values.data() + values.size() - count, count));
  }
  std::vector<std::string> notes() const override {
    return law_ ? law_->notes() : std::vector<std::string>{};
  }

  Status multipliers(State& state) override {
    ++work().rhs;
    return acceleration(state.t, state.z, a_, &state);
  }

  Status rhs(double t, VectorIn y, VectorOut dy, State* at) override {
    ++work().rhs;
    const int higher = (layout_.order - 2) * layout_.nv;
    if (shape_.own_kinematics) {
      problem_.coordinate_rates(t, y.head(layout_.nq), y.tail(layout_.nv), dy.head(layout_.nq), work_);
    } else if (layout_.order > 1) {
      std::copy_n(y.data() + layout_.nq, layout_.nv + higher, dy.data());
    }
    return acceleration(t, y, dy.tail(layout_.nv), at);
  }

  Status jacobian(double t, VectorIn y, MatrixOut rhs_y) override;

 private:
  Status acceleration(double t, VectorIn y, VectorOut a, State* at, bool with_multipliers = false) {
    if (feedback_.active() && !feedback_.held()) feedback_.evaluate(t, y);
    work_.unforced = at && feedback_.automatic() ? &unforced_ : nullptr;
    const Status status =
        law_ ? law_->acceleration(t, y, feedback_.r(), a, at || with_multipliers ? &multipliers_ : nullptr,
                                  work_.unforced)
             : problem_.acceleration(t, y, feedback_.r(), a, multipliers_, work_);
    if (at) {
      const Vector& reported = feedback_.automatic() ? unforced_ : multipliers_;
      at->lambda = reported.head(shape_.ng);
      at->kappa = reported.tail(shape_.nk);
    }
    return status;
  }

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  ConstraintFeedback feedback_;
  const std::unique_ptr<AccelerationLaw> law_;
  Workspace work_;
  Evaluation kinematic_parts_;
  Vector no_r_, multipliers_, unforced_, a_;
  AccelerationJacobian acceleration_jacobian_;
  Matrix r_z_;
  Manifold kinematics_;
};

Status AccelerationSystem::jacobian(double t, VectorIn y, MatrixOut rhs_y) {
  ++work().jacobians;
  const int nv = shape_.nv, nq = shape_.nq;
  // A Jacobian that is kept must not depend on the step in which it was made.
  if (feedback_.held()) feedback_.r().swap(no_r_);
  Status status = acceleration(t, y, a_, nullptr, true);
  if (feedback_.held()) feedback_.r().swap(no_r_);
  if (status != Status::ok) return status;
  if (feedback_.active() && !feedback_.held()) {
    if (r_z_.size() == 0) r_z_.setZero(shape_.multipliers(), layout_.tangent_size());
    feedback_.jacobian(t, y, r_z_);
  }
  status = acceleration_jacobian_.compute(t, y, a_, multipliers_, r_z_, law_.get());
  if (status != Status::ok) return status;

  rhs_y.setZero();
  const int rest = (layout_.order - 1) * nv;  // columns of the levels from 1 on
  if (shape_.own_kinematics) {
    problem_.evaluate(Part::kinematics | Part::kinematics_jacobian, Point(t, y), kinematic_parts_);
    rhs_y.topLeftCorner(nq, nq) = kinematic_parts_.Nv_q;
    rhs_y.block(0, nq, nq, nv) = kinematic_parts_.N;
  } else {
    rhs_y.block(0, nq, rest, rest).diagonal().setOnes();
  }
  kinematics_.by_coordinates(t, y, acceleration_jacobian_.a_z(), rhs_y.bottomRows(nv));
  return rhs_y.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace

std::unique_ptr<System> acceleration_system(const Problem& problem, const Feedback& feedback,
                                            std::unique_ptr<AccelerationLaw> law) {
  return std::make_unique<AccelerationSystem>(problem, feedback, std::move(law));
}

}  // namespace driftless::formulations

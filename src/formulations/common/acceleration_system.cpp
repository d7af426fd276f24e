#include "acceleration_system.hpp"

#include <optional>
#include <utility>

#include <driftless/core/sparse_dynamics.hpp>
#include "acceleration_jacobian.hpp"
#include "level_ode.hpp"
#include "sparse_acceleration.hpp"

namespace driftless::formulations {

namespace {

class AccelerationSystem final : public LevelOde {
 public:
  AccelerationSystem(const Problem& problem, const Feedback& feedback, std::unique_ptr<AccelerationLaw> law)
      : LevelOde(problem),
        feedback_(problem, feedback),
        law_(std::move(law)),
        no_r_(Vector::Zero(shape_.multipliers())),
        multipliers_(Vector::Zero(shape_.multipliers())),
        unforced_(Vector::Zero(shape_.multipliers())),
        a_(Vector::Zero(shape_.nv)),
        acceleration_jacobian_(problem) {
    if (sparse_dynamics(problem) && (!law_ || law_->softness())) sparse_.emplace(problem);
  }

  std::string explain(Status status, double t, VectorIn y) const override {
    return law_ ? law_->explain(status, t, y) : problem_.explain(status, t, y);
  }

  bool begin_step(const StepContext& step, VectorIn y) override {
    const bool other = feedback_.begin_step(step, y);
    if (step.h == 0 || !law_ || !law_->begin_step(step.t, y)) return other;
    ++work().rhs;
    if (acceleration(step.t, y, a_, nullptr, true) == Status::ok) law_->keep(step.t, multipliers_);
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
    level_rates(t, y, dy);
    return acceleration(t, y, dy.tail(layout_.nv), at);
  }

  Status jacobian(double t, VectorIn y, MatrixOut rhs_y) override;

  bool factors_itself() const override { return sparse_.has_value(); }
  Status linearize(double t, VectorIn y) override;
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return sparse_->real_matrix(work()); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return sparse_->complex_matrix(work());
  }

 private:
  Status acceleration_to_linearize(double t, VectorIn y);
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

  ConstraintFeedback feedback_;
  const std::unique_ptr<AccelerationLaw> law_;
  Vector no_r_, multipliers_, unforced_, a_;
  AccelerationJacobian acceleration_jacobian_;
  Matrix r_z_;
  std::optional<SparseAcceleration> sparse_;
};

// A Jacobian that is kept must not depend on the step in which it was made.
Status AccelerationSystem::acceleration_to_linearize(double t, VectorIn y) {
  ++work().jacobians;
  if (feedback_.held()) feedback_.r().swap(no_r_);
  const Status status = acceleration(t, y, a_, nullptr, true);
  if (feedback_.held()) feedback_.r().swap(no_r_);
  return status;
}

Status AccelerationSystem::linearize(double t, VectorIn y) {
  if (const Status status = acceleration_to_linearize(t, y); status != Status::ok) return status;
  const bool follows = feedback_.active() && !feedback_.held();
  const bool may_leave_out = !law_ && shape_.multipliers() > 0;
  return sparse_->linearize(t, y, a_, multipliers_,
                            may_leave_out ? work_.solver->left_out() : std::vector<int>(),
                            follows ? feedback_.gains() : std::vector<double>(),
                            follows ? feedback_.velocity_gain() : 0, law_ ? *law_->softness() : Vector());
}

Status AccelerationSystem::jacobian(double t, VectorIn y, MatrixOut rhs_y) {
  Status status = acceleration_to_linearize(t, y);
  if (status != Status::ok) return status;
  if (feedback_.active() && !feedback_.held()) {
    if (r_z_.size() == 0) r_z_.setZero(shape_.multipliers(), layout_.tangent_size());
    feedback_.jacobian(t, y, r_z_);
  }
  status = acceleration_jacobian_.compute(t, y, a_, multipliers_, r_z_, law_.get());
  return status == Status::ok ? level_jacobian(t, y, acceleration_jacobian_.a_z(), rhs_y) : status;
}

}  // namespace

std::unique_ptr<System> acceleration_system(const Problem& problem, const Feedback& feedback,
                                            std::unique_ptr<AccelerationLaw> law) {
  return std::make_unique<AccelerationSystem>(problem, feedback, std::move(law));
}

}  // namespace driftless::formulations

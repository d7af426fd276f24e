#include "acceleration_system.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/feedback_gains.hpp>
#include <driftless/core/manifold.hpp>

#include "acceleration_jacobian.hpp"

namespace driftless::formulations {

namespace {

class AccelerationSystem final : public System, public OdeSystem {
 public:
  AccelerationSystem(const Problem& problem, const Feedback& feedback)
      : problem_(problem),
        shape_(problem.shape()),
        layout_(shape_.layout()),
        feedback_(feedback),
        r_(Vector::Zero(shape_.multipliers())),
        no_r_(r_),
        multipliers_(Vector::Zero(shape_.multipliers())),
        unforced_(Vector::Zero(shape_.multipliers())),
        a_(Vector::Zero(shape_.nv)),
        acceleration_jacobian_(problem),
        kinematics_(problem) {
    AccelerationSystem::discretized_by({});  // until an integrator says who it is
  }

  int size() const override { return layout_.size(); }
  void pack(const State& state, VectorOut y) const override { y = state.z; }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y;
  }
  OdeSystem* ode() override { return this; }
  std::string explain(Status status, double t, VectorIn y) const override {
    return problem_.explain(status, t, y);
  }

  void discretized_by(const Discretization& by) override {
    if (!feedback_.automatic) return;
    unit_gains_ = feedback_gains(by, shape_.order);
    unit_velocity_gain_ = feedback_gains(by, 1).front();
    held_ = holds_feedback(by);
    AccelerationSystem::starting(waits_);
  }

  void starting(bool yes) override {
    if (!feedback_.automatic) return;
    waits_ = yes;
    set_gains();
    r_.setZero();
    gain_step_.renew();
  }

  bool begin_step(double t, VectorIn y, double h) override {
    if (!feedback_.automatic) return false;
    const bool other = gain_step_.begin(t, h);
    if (other) set_gains();
    if (held_) evaluate_feedback(t, y);
    return other || held_;
  }

  std::vector<double> anchored() const override {
    return feedback_.automatic ? std::vector{gain_step_.value()} : std::vector<double>{};
  }
  void restore_anchor(const std::vector<double>& values) override {
    if (feedback_.automatic) gain_step_.restore(values.front());
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
  Status acceleration(double t, VectorIn y, VectorOut a, State* at) {
    if (feedback_.active() && !held_) evaluate_feedback(t, y);
    work_.unforced = at && feedback_.automatic ? &unforced_ : nullptr;
    const Status status = problem_.acceleration(t, y, r_, a, multipliers_, work_);
    if (at) {
      const Vector& reported = feedback_.automatic ? unforced_ : multipliers_;
      at->lambda = reported.head(shape_.ng);
      at->kappa = reported.tail(shape_.nk);
    }
    return status;
  }

  void set_gains() {
    const int m = shape_.order;
    const double h = gain_step_.value();
    feedback_.gains.assign(unit_gains_.size(), 0);
    feedback_.velocity_gain = 0;
    if (h == 0 || waits_) return;  // h = 0: no step has begun
    for (int j = 0; j < m; ++j) {
      const auto i = static_cast<std::size_t>(j);
      feedback_.gains[i] = unit_gains_[i] / std::pow(h, m - j);
    }
    feedback_.velocity_gain = unit_velocity_gain_ / h;
  }

  void evaluate_feedback(double t, VectorIn y) {
    Parts parts = Part::position;
    if (shape_.order > 1) parts = parts | Part::rates;
    if (shape_.nk > 0) parts = parts | Part::velocity;
    problem_.evaluate(parts, Point(t, y), feedback_parts_);
    auto r_g = r_.head(shape_.ng);
    r_g = -feedback_.gains[0] * feedback_parts_.g;
    for (int j = 1; j < shape_.order; ++j)
      r_g -= feedback_.gains[static_cast<std::size_t>(j)] * feedback_parts_.rates.col(j - 1);
    if (shape_.nk > 0) r_.tail(shape_.nk) = -feedback_.velocity_gain * feedback_parts_.w;
  }

  void feedback_jacobian(double t, VectorIn y, MatrixOut r_z);

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  Feedback feedback_;
  std::vector<double> unit_gains_;  // automatic ones, for step 1
  double unit_velocity_gain_ = 0;
  bool held_ = false;   // r is that of the step's start
  bool waits_ = false;  // for the end of a multistep method's start
  GainStep gain_step_;
  Workspace work_;
  Evaluation feedback_parts_, kinematic_parts_;
  Vector r_, no_r_, multipliers_, unforced_, a_;
  AccelerationJacobian acceleration_jacobian_;
  Matrix r_z_;
  Manifold kinematics_;
};

// r_z along displacements: d g^(j) / d x_i = binomial(j, i) L_{j-i}.
void AccelerationSystem::feedback_jacobian(double t, VectorIn y, MatrixOut r_z) {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv;
  Parts parts = Part::jacobian;
  if (shape_.order > 1) parts = parts | Part::rate_jacobian;
  if (nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  problem_.evaluate(parts, Point(t, y), feedback_parts_);
  r_z.setZero();
  for (int j = 0; j < shape_.order; ++j) {
    const double gain = feedback_.gains[static_cast<std::size_t>(j)];
    for (int i = 0; i <= j; ++i) {
      const Matrix& block =
          i == j ? feedback_parts_.G : feedback_parts_.L[static_cast<std::size_t>(j - i - 1)];
      r_z.block(0, i * nv, ng, nv) -= gain * binomial(j, i) * block;
    }
  }
  if (nk > 0) {
    r_z.block(ng, 0, nk, nv) = -feedback_.velocity_gain * feedback_parts_.w_x;
    r_z.block(ng, nv, nk, nv) = -feedback_.velocity_gain * feedback_parts_.K;
  }
}

Status AccelerationSystem::jacobian(double t, VectorIn y, MatrixOut rhs_y) {
  ++work().jacobians;
  const int nv = shape_.nv, nq = shape_.nq;
  if (held_) r_.swap(no_r_);  // a Jacobian that is kept must not depend on the step in which it was made
  Status status = acceleration(t, y, a_, nullptr);
  if (held_) r_.swap(no_r_);
  if (status != Status::ok) return status;
  if (feedback_.active() && !held_) {
    if (r_z_.size() == 0) r_z_.setZero(shape_.multipliers(), layout_.tangent_size());
    feedback_jacobian(t, y, r_z_);
  }
  status = acceleration_jacobian_.compute(t, y, a_, multipliers_, r_z_);
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

std::unique_ptr<System> acceleration_system(const Problem& problem, const Feedback& feedback) {
  return std::make_unique<AccelerationSystem>(problem, feedback);
}

}  // namespace driftless::formulations

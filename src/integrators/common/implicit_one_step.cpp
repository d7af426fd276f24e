#include "implicit_one_step.hpp"

#include <algorithm>
#include <optional>

#include <driftless/core/carried_multipliers.hpp>

namespace driftless::integrators {

namespace {

// R(x) = (1 + (1 - theta) x)/(1 - theta x)
Discretization discretization_of(double theta) {
  Discretization by;
  by.moments = {1};
  while (by.moments.size() < Discretization::enough) by.moments.push_back(theta * by.moments.back());
  return by;
}

class ImplicitOneStep final : public Integrator, public CarriedMultipliers {
 public:
  ImplicitOneStep(const OneStage& stage, const NewtonSettings& newton)
      : theta_(stage.theta),
        by_(discretization_of(stage.theta)),
        interpolant_(stage.interpolant),
        settings_(newton) {}

  Status start(System& system, State& state) override {
    system_ = &system;
    ode_ = system.ode();
    newton_.reset();
    own_.reset();
    if (ode_) own_ = ode_as_dae(system);
    dae_ = ode_ ? own_.get() : system.dae();
    newton_.emplace(*dae_, system.work(), settings_);
    const int n = system.size();
    for (Vector* v : {&y_, &f_, &y_last_, &f_last_, &slope_, &y_stage_, &y_new_, &f_new_, &bend_})
      v->setZero(n);
    candidate_ = state;
    multipliers_ = Multipliers::evaluated;
    t_ = state.t;
    h_last_ = 0;
    system.begin_step({.discretization = by_, .t = t_}, y_);
    if (!ode_)
      if (const Status status = system.multipliers(state); status != Status::ok) return status;
    system.pack(state, y_);
    return ode_ ? ode_->rhs(t_, y_, f_, &state) : Status::ok;
  }

  Discretization discretization() const override { return by_; }

  Step attempt(double h) override {
    const double t = t_ + theta_ * h, c = 1 / (theta_ * h);
    if (system_->begin_step({.discretization = by_, .t = t_, .h = h}, y_) && ode_) {
      const Status status = ode_->rhs(t_, y_, f_);
      if (status != Status::ok) return failed(status, t_, y_);
    }
    y_stage_ = y_ + (theta_ * h) * slope_;
    if (!y_stage_.allFinite()) return failed(Status::not_finite, t, y_stage_);
    Status status = newton_->solve(t, c, y_, y_stage_);
    if (status != Status::ok && h_last_ != 0) {
      y_stage_ = y_;
      status = newton_->solve(t, c, y_, y_stage_);
    }
    if (status != Status::ok) return failed(status, t, y_stage_);
    y_new_ = y_stage_ + ((1 - theta_) / theta_) * (y_stage_ - y_);
    system_->unpack(t_ + h, y_new_, candidate_);
    if (!y_new_.allFinite() || !candidate_.z.allFinite()) return failed(Status::not_finite, t_ + h, y_new_);
    return {.state = &candidate_};
  }

  Status accept(State& state, const Vector* move) override {
    if (!ode_) {
      // The multipliers of a step belong to where it led; a state that was moved from there has its own.
      const Status status = move ? system_->multipliers(state) : system_->complete(state);
      if (status != Status::ok) return status;
      multipliers_ = move ? Multipliers::evaluated : driftless::carried_multipliers(*system_);
    }
    system_->pack(state, y_new_);
    if (ode_)
      if (const Status status = ode_->rhs(state.t, y_new_, f_new_, &state); status != Status::ok)
        return status;
    h_last_ = state.t - t_;
    t_ = state.t;
    slope_ = (y_new_ - y_) / h_last_;
    y_last_.swap(y_);
    f_last_.swap(f_);
    y_.swap(y_new_);
    f_.swap(f_new_);
    bent_ = false;
    newton_->accepted();
    return Status::ok;
  }

  Status interpolate(double t, State& state) override {
    const double s = h_last_ == 0 ? 1 : 1 - (t_ - t) / h_last_;
    y_stage_ = (1 - s) * y_last_ + s * y_;
    if (interpolant_ == Interpolant::parabola && h_last_ != 0) {
      if (!bent_) {
        y_new_ = (h_last_ / 2) * (f_last_ - f_);
        newton_->smooth(y_new_, bend_);
        bent_ = true;
      }
      y_stage_ += (s * (1 - s)) * bend_;
    }
    system_->unpack(t, y_stage_, state);
    return Status::ok;
  }

  Multipliers carried_multipliers() const override { return multipliers_; }

  // What Newton's method keeps, the slope of the last step, which it starts with, and of a DAE the unknowns: its multipliers at the
  // base are those of the last step, not those that belong to the state.
  std::vector<double> memory() const override {
    std::vector<double> memory = newton_->memory();
    memory.push_back(h_last_);
    memory.insert(memory.end(), slope_.begin(), slope_.end());
    if (!ode_) memory.insert(memory.end(), y_.begin(), y_.end());
    return memory;
  }
  bool remember(const std::vector<double>& memory) override {
    const auto n = slope_.size();
    auto end = memory.end();
    if (!ode_) std::copy_n(end -= n, n, y_.begin());
    std::copy_n(end -= n, n, slope_.begin());
    h_last_ = *--end;
    return newton_->remember(memory);
  }

 private:
  Step failed(Status status, double t, const Vector& y) const {
    return {.status = status, .failed_t = t, .failed_y = &y};
  }

  const double theta_;
  const Discretization by_;
  const Interpolant interpolant_;
  const NewtonSettings settings_;
  System* system_ = nullptr;
  OdeSystem* ode_ = nullptr;        // null: the system is a DAE
  std::unique_ptr<DaeSystem> own_;  // the view of an ODE
  DaeSystem* dae_ = nullptr;
  std::optional<Newton> newton_;
  Multipliers multipliers_ = Multipliers::evaluated;  // of the base
  double t_ = 0, h_last_ = 0;
  Vector y_, f_;            // the base and its derivative
  Vector y_last_, f_last_;  // the base before the last accepted step
  Vector slope_;            // of the last accepted step
  Vector bend_;             // of the parabola over it, once somebody asked: bent_
  bool bent_ = false;
  Vector y_stage_, y_new_, f_new_;
  State candidate_;
};

}  // namespace

std::unique_ptr<Integrator> implicit_one_step(const OneStage& stage, const NewtonSettings& newton) {
  return std::make_unique<ImplicitOneStep>(stage, newton);
}

}  // namespace driftless::integrators

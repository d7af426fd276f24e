#include "multiplier_dae.hpp"
#include "regularized_core.hpp"
#include "regularized_system.hpp"

namespace driftless::formulations {

namespace {

class RegularizedDae final : public MultiplierDae {
 public:
  RegularizedDae(const Problem& problem, const Regularization& how, const Feedback& feedback)
      : MultiplierDae(problem), core_(problem, how, feedback), place_(Vector::Zero(nz_ + ns_)) {}

  std::string explain(Status status, double t, VectorIn y) const override {
    return core_.explain(status, t, y.head(nz_));
  }
  std::vector<std::string> notes() const override { return core_.notes(); }
  bool begin_step(const StepContext& step, VectorIn y) override {
    return core_.begin_step(step, y.head(nz_));
  }
  void anchor(const State& state) override { core_.anchor_implicit(state); }
  std::vector<double> anchored() const override { return core_.anchored(); }
  void restore_anchor(const std::vector<double>& values) override { core_.restore_anchor(values); }
  Status multipliers(State& state) override {
    ++work().rhs;
    return core_.report(state.t, state.z, state);
  }
  Status complete(State& state) override {
    const Status status = MultiplierDae::complete(state);
    if (status == Status::ok) core_.take_least_norm(state.t, state.z, state);
    return status;
  }

 private:
  Status motion(double t, VectorIn z, VectorIn rate, VectorIn s, VectorOut top, VectorOut rows) override {
    if (const Status status = core_.solve(t, z); status != Status::ok) return status;
    core_.forces.top(rate, s, top);
    core_.forces.rows(s, rows);
    return top.allFinite() && rows.allFinite() ? Status::ok : Status::not_finite;
  }

  Status motion_jacobian(double t, VectorIn z, VectorIn rate, VectorIn s, Blocks& out) override {
    place_ << z, s;
    return core_.linearize(t, place_, [&] {
      if (const Status status = core_.solve(t, z); status != Status::ok) return status;
      const Matrix& r_z = core_.feedback_jacobian(t, z);
      if (const Status status = core_.forces.linearize_rows(t, z, rate, s, r_z); status != Status::ok)
        return status;
      out.top_rate = core_.forces.W();
      out.top_z = core_.forces.top_z();
      out.top_s = core_.forces.P();
      out.rows_z = core_.forces.rows_z();
      out.rows_s = core_.forces.rows_y();
      return Status::ok;
    });
  }

  Status acceleration(double t, VectorIn z, VectorOut a) override {
    const Status status = core_.solve(t, z);
    a = core_.forces.a();
    return status;
  }

  mutable RegularizedCore core_;  // explaining a failure repeats it
  Vector place_;
};

}  // namespace

std::unique_ptr<System> regularized_dae(const Problem& problem, const Regularization& how,
                                        const Feedback& feedback) {
  Feedback at_new_point = feedback;
  at_new_point.at_new_point = true;
  return std::make_unique<RegularizedDae>(problem, how, at_new_point);
}

}  // namespace driftless::formulations

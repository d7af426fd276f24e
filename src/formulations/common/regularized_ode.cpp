#include "level_ode.hpp"
#include "regularized_core.hpp"
#include "regularized_system.hpp"

namespace driftless::formulations {

namespace {

class RegularizedOde final : public LevelOde {
 public:
  RegularizedOde(const Problem& problem, const Regularization& how, const Feedback& feedback)
      : LevelOde(problem), core_(problem, how, feedback) {}

  std::string explain(Status status, double t, VectorIn y) const override {
    return core_.explain(status, t, y);
  }

  std::vector<std::string> notes() const override { return core_.notes(); }
  bool begin_step(const StepContext& step, VectorIn y) override { return core_.begin_step(step, y); }
  void anchor(const State&) override { core_.anchor(); }
  std::vector<double> anchored() const override { return core_.anchored(); }
  void restore_anchor(const std::vector<double>& values) override { core_.restore_anchor(values); }

  Status multipliers(State& state) override {
    ++work().rhs;
    return core_.report(state.t, state.z, state);
  }

  Status rhs(double t, VectorIn y, VectorOut dy, State* at) override {
    ++work().rhs;
    level_rates(t, y, dy);
    if (at && core_.feedback.automatic()) {
      if (const Status status = core_.report(t, y, *at); status != Status::ok) return status;
    }
    if (const Status status = core_.solve(t, y); status != Status::ok) return status;
    dy.tail(layout_.nv) = core_.forces.a();
    if (at && !core_.feedback.automatic()) core_.give(t, y, *at);
    return Status::ok;
  }

  Status jacobian(double t, VectorIn y, MatrixOut rhs_y) override {
    ++work().jacobians;
    return core_.linearize(t, y, [&] { return derivatives(t, y, rhs_y); });
  }

 private:
  Status derivatives(double t, VectorIn y, MatrixOut rhs_y) {
    if (const Status status = core_.solve(t, y); status != Status::ok) return status;
    const Matrix& r_z = core_.feedback_jacobian(t, y);
    if (const Status status = core_.forces.linearize(t, y, r_z); status != Status::ok) return status;
    return level_jacobian(t, y, core_.forces.a_z(), rhs_y);
  }

  mutable RegularizedCore core_;  // explaining a failure repeats it
};

}  // namespace

std::unique_ptr<System> regularized_ode(const Problem& problem, const Regularization& how,
                                        const Feedback& feedback) {
  return std::make_unique<RegularizedOde>(problem, how, feedback);
}

}  // namespace driftless::formulations

#include <optional>

#include "level_ode.hpp"
#include "regularized_core.hpp"
#include "regularized_fields.hpp"
#include "regularized_system.hpp"

namespace driftless::formulations {

namespace {

class RegularizedOde final : public LevelOde {
 public:
  RegularizedOde(const Problem& problem, const Regularization& how, const Feedback& feedback)
      : LevelOde(problem), core_(problem, how, feedback) {
    if (core_.sparse) fields_.emplace(problem, *core_.sparse, false);
  }

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

  bool factors_itself() const override { return fields_.has_value(); }
  Status linearize(double t, VectorIn y) override {
    ++work().jacobians;
    return core_.linearize(t, y, [&] {
      if (const Status status = core_.solve(t, y); status != Status::ok) return status;
      return fields_->linearize(t, y, core_.forces.y(), core_.followed_gains(),
                                core_.followed_velocity_gain());
    });
  }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return fields_->real_matrix(work()); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return fields_->complex_matrix(work());
  }

 private:
  Status derivatives(double t, VectorIn y, MatrixOut rhs_y) {
    if (const Status status = core_.solve(t, y); status != Status::ok) return status;
    const Matrix& r_z = core_.feedback_jacobian(t, y);
    if (const Status status = core_.whole->linearize(t, y, r_z); status != Status::ok) return status;
    return level_jacobian(t, y, core_.whole->a_z(), rhs_y);
  }

  mutable RegularizedCore core_;  // explaining a failure repeats it
  std::optional<RegularizedFields> fields_;
};

}  // namespace

std::unique_ptr<System> regularized_ode(const Problem& problem, const Regularization& how,
                                        const Feedback& feedback) {
  return std::make_unique<RegularizedOde>(problem, how, feedback);
}

}  // namespace driftless::formulations

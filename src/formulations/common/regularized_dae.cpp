#include <optional>

#include <driftless/core/sparse_dynamics.hpp>
#include "multiplier_dae.hpp"
#include "regularized_core.hpp"
#include "regularized_fields.hpp"
#include "regularized_system.hpp"

namespace driftless::formulations {

namespace {

class RegularizedDae final : public MultiplierDae {
 public:
  RegularizedDae(const Problem& problem, const Regularization& how, const Feedback& feedback)
      : MultiplierDae(problem, sparse_dynamics(problem) ? Storage::sparse : Storage::whole),
        core_(problem, how, feedback),
        place_(Vector::Zero(nz_ + ns_)) {
    if (core_.sparse) fields_.emplace(problem, *core_.sparse, true);
  }

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

  // With matrices without zeros (regularized_fields.hpp).
  Status linearize(double t, VectorIn y, VectorIn yp) override {
    if (!fields_) return MultiplierDae::linearize(t, y, yp);
    ++work().jacobians;
    return core_.linearize(t, y, [&] {
      if (const Status status = core_.solve(t, y.head(nz_)); status != Status::ok) return status;
      return fields_->linearize(t, y.head(nz_), y.tail(ns_), core_.followed_gains(),
                                core_.followed_velocity_gain());
    });
  }
  void times_rate_matrix(VectorIn x, VectorOut product) const override {
    product.head(nz_) = x.head(nz_);
    product.tail(ns_).setZero();
  }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override {
    return fields_ ? fields_->real_matrix(work()) : MultiplierDae::real_matrix();
  }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return fields_ ? fields_->complex_matrix(work()) : MultiplierDae::complex_matrix();
  }

 private:
  // Large mechanisms: the equations of motion divided by W, rate - a, with a of the multipliers s where eps is given, and else of those that s equals.
  void acceleration_left(VectorIn rate, VectorIn s, VectorOut top) {
    if (core_.sparse->how().epsilon) {
      core_.sparse->at(s, there_);
      top = rate - there_.a;
    } else {
      top = rate - core_.forces.a();
    }
  }

  Status motion(double t, VectorIn z, VectorIn rate, VectorIn s, VectorOut top, VectorOut rows) override {
    if (const Status status = core_.solve(t, z); status != Status::ok) return status;
    if (core_.whole)
      core_.whole->top(rate, s, top);
    else
      acceleration_left(rate, s, top);
    core_.forces.rows(s, rows);
    return top.allFinite() && rows.allFinite() ? Status::ok : Status::not_finite;
  }

  Status motion_jacobian(double t, VectorIn z, VectorIn rate, VectorIn s, Blocks& out) override {
    place_ << z, s;
    return core_.linearize(t, place_, [&] {
      if (const Status status = core_.solve(t, z); status != Status::ok) return status;
      const Matrix& r_z = core_.feedback_jacobian(t, z);
      if (const Status status = core_.whole->linearize_rows(t, z, rate, s, r_z); status != Status::ok)
        return status;
      out.top_rate = core_.whole->W();
      out.top_z = core_.whole->top_z();
      out.top_s = core_.whole->P();
      out.rows_z = core_.whole->rows_z();
      out.rows_s = core_.whole->rows_y();
      return Status::ok;
    });
  }

  Status acceleration(double t, VectorIn z, VectorOut a) override {
    const Status status = core_.solve(t, z);
    a = core_.forces.a();
    return status;
  }

  mutable RegularizedCore core_;  // explaining a failure repeats it
  std::optional<RegularizedFields> fields_;
  SparseRegularizedForces::There there_;
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

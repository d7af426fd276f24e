#include <algorithm>

#include <driftless/core/manifold.hpp>

#include "regularized_core.hpp"
#include "regularized_system.hpp"

namespace driftless::formulations {

namespace {

class RegularizedOde final : public System, public OdeSystem {
 public:
  RegularizedOde(const Problem& problem, const Regularization& how, const Feedback& feedback)
      : problem_(problem),
        shape_(problem.shape()),
        layout_(shape_.layout()),
        core_(problem, how, feedback),
        kinematics_(problem) {}

  int size() const override { return layout_.size(); }
  void pack(const State& state, VectorOut y) const override { y = state.z; }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y;
  }
  OdeSystem* ode() override { return this; }
  std::string explain(Status status, double t, VectorIn y) const override {
    return core_.explain(status, t, y);
  }

  void discretized_by(const Discretization& by) override { core_.feedback.discretized_by(by); }
  void starting(bool yes) override { core_.feedback.starting(yes); }
  bool begin_step(double t, VectorIn y, double h) override { return core_.begin_step(t, y, h); }
  void anchor(const State&) override { core_.anchor(); }
  std::vector<double> anchored() const override { return core_.anchored(); }
  void restore_anchor(const std::vector<double>& values) override { core_.restore_anchor(values); }

  Status multipliers(State& state) override {
    ++work().rhs;
    return core_.report(state.t, state.z, state);
  }

  Status rhs(double t, VectorIn y, VectorOut dy, State* at) override {
    ++work().rhs;
    const int higher = (layout_.order - 2) * layout_.nv;
    if (shape_.own_kinematics)
      problem_.coordinate_rates(t, y.head(layout_.nq), y.tail(layout_.nv), dy.head(layout_.nq), workspace_);
    else if (layout_.order > 1)
      std::copy_n(y.data() + layout_.nq, layout_.nv + higher, dy.data());
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
    const int nv = shape_.nv, nq = shape_.nq, rest = (layout_.order - 1) * nv;
    if (const Status status = core_.solve(t, y); status != Status::ok) return status;
    const Matrix& r_z = core_.feedback_jacobian(t, y);
    if (const Status status = core_.forces.linearize(t, y, r_z); status != Status::ok) return status;
    rhs_y.setZero();
    if (shape_.own_kinematics) {
      problem_.evaluate(Part::kinematics | Part::kinematics_jacobian, Point(t, y), kinematic_parts_);
      rhs_y.topLeftCorner(nq, nq) = kinematic_parts_.Nv_q;
      rhs_y.block(0, nq, nq, nv) = kinematic_parts_.N;
    } else {
      rhs_y.block(0, nq, rest, rest).diagonal().setOnes();
    }
    kinematics_.by_coordinates(t, y, core_.forces.a_z(), rhs_y.bottomRows(nv));
    return rhs_y.allFinite() ? Status::ok : Status::not_finite;
  }

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  mutable RegularizedCore core_;  // explaining a failure repeats it
  Workspace workspace_;
  Evaluation kinematic_parts_;
  Manifold kinematics_;
};

}  // namespace

std::unique_ptr<System> regularized_ode(const Problem& problem, const Regularization& how,
                                        const Feedback& feedback) {
  return std::make_unique<RegularizedOde>(problem, how, feedback);
}

}  // namespace driftless::formulations

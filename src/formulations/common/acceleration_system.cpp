#include "acceleration_system.hpp"

#include <cmath>

#include <driftless/core/feedback_gains.hpp>
#include <driftless/core/manifold.hpp>

namespace driftless::formulations {

namespace {

// What the Jacobian needs beyond the right-hand side; sized when it is first asked for.
struct Linearization {
  Matrix B, C, top, bottom, a_z, NtN;
  Vector multipliers_z, delta, none;
  linalg::SaddlePoint saddle, normal;

  void prepare(const Shape& shape) {
    const int nv = shape.nv, rows = shape.multipliers(), tangent = shape.layout().tangent_size();
    B.setZero(nv, rows);
    C.setZero(rows, nv);
    top.setZero(nv, tangent);
    bottom.setZero(rows, tangent);
    a_z.setZero(nv, tangent);
    NtN.setZero(nv, nv);
    multipliers_z.setZero(rows);
    delta.setZero(nv);
    saddle = linalg::SaddlePoint({nv, rows, shape.mass, shape.mass_blocks});
    normal = linalg::SaddlePoint({nv, 0, linalg::MassStructure::dense, {}});
  }
};

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
        a_(Vector::Zero(shape_.nv)) {
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
      dy.head(layout_.nv + higher) = y.tail(layout_.nv + higher);
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
  Evaluation feedback_parts_, linear_;
  Linearization linearization_;
  Vector r_, no_r_, multipliers_, unforced_, a_;
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

// The saddle-point equations differentiated:  M a_z + B l_z = f_z - (M a)_z - (B l)_z,  C a_z = r_z - (C a +
// c)_z.
Status AccelerationSystem::jacobian(double t, VectorIn y, MatrixOut rhs_y) {
  ++work().jacobians;
  const int nv = shape_.nv, nq = shape_.nq, ng = shape_.ng, nk = shape_.nk, tangent = layout_.tangent_size();
  if (held_) r_.swap(no_r_);  // a Jacobian that is kept must not depend on the step in which it was made
  const Status status = acceleration(t, y, a_, nullptr);
  if (held_) r_.swap(no_r_);
  if (status != Status::ok) return status;
  Parts parts = Part::mass | Part::jacobian | Part::force_jacobian | Part::mass_product_jacobian |
                Part::multiplier_jacobian | Part::curvature_jacobian | Part::input;
  if (nk > 0) parts = parts | Part::velocity_jacobian;
  if (shape_.own_kinematics) parts = parts | Part::kinematics | Part::kinematics_jacobian;
  problem_.evaluate(parts, Point(t, y, a_, multipliers_.head(ng), multipliers_.tail(nk)), linear_);

  Linearization& s = linearization_;
  if (s.a_z.size() == 0) s.prepare(shape_);
  s.B.leftCols(ng) = linear_.B;
  s.C.topRows(ng) = linear_.G;
  if (nk > 0) {
    s.B.rightCols(nk) = linear_.K.transpose();
    s.C.bottomRows(nk) = linear_.K;
  }
  s.top = linear_.f_z;
  s.top.leftCols(nv) -= linear_.Ma_x + linear_.Bl_x;
  s.bottom.setZero();
  if (feedback_.active() && !held_) feedback_jacobian(t, y, s.bottom);
  s.bottom.topRows(ng) -= linear_.c_z;
  s.bottom.bottomRows(nk) -= linear_.ck_z;
  if (const auto factored = s.saddle.factor(linear_.M, s.B, s.C); factored != linalg::FactorStatus::ok)
    return status_of(factored);
  for (int j = 0; j < tangent; ++j)
    s.saddle.solve(s.top.col(j), s.bottom.col(j), s.a_z.col(j), s.multipliers_z);

  rhs_y.setZero();
  const int rest = (layout_.order - 1) * nv;  // columns of the levels from 1 on
  rhs_y.bottomRightCorner(nv, rest) = s.a_z.rightCols(rest);
  if (shape_.own_kinematics) {
    rhs_y.topLeftCorner(nq, nq) = linear_.Nv_q;
    rhs_y.block(0, nq, nq, nv) = linear_.N;
    // By coordinates: a displacement of q is N^+ of a change of q; changes across the unit sphere do not
    // matter to the motion.
    s.NtN.noalias() = linear_.N.transpose().lazyProduct(linear_.N);
    if (const auto factored = s.normal.factor(s.NtN, Matrix(0, nv)); factored != linalg::FactorStatus::ok)
      return status_of(factored);
    for (int j = 0; j < nq; ++j) {
      s.delta = linear_.N.row(j).transpose();
      s.normal.solve(s.delta, s.none, s.delta, s.none);
      rhs_y.bottomRows(nv).col(j).noalias() = s.a_z.leftCols(nv).lazyProduct(s.delta);
    }
  } else {
    rhs_y.block(0, nq, rest, rest).diagonal().setOnes();
    rhs_y.bottomLeftCorner(nv, nq) = s.a_z.leftCols(nv);
  }
  return rhs_y.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace

std::unique_ptr<System> acceleration_system(const Problem& problem, const Feedback& feedback) {
  return std::make_unique<AccelerationSystem>(problem, feedback);
}

}  // namespace driftless::formulations

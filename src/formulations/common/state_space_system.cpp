#include "state_space_system.hpp"

#include <driftless/core/whole_matrices.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <driftless/linalg/rank.hpp>

#include "acceleration_jacobian.hpp"
#include "local_coordinates.hpp"

namespace driftless::formulations {

namespace {

constexpr double largest_stretch = 1.2;  // of chosen coordinates
constexpr double risky_stretch = 10;     // of given ones: worth a note
// and the end of them: an adaptive method would creep along such points for ever
constexpr double singular_stretch = 1e4;

class StateSpaceSystem final : public System, public OdeSystem {
 public:
  StateSpaceSystem(const Problem& problem, MatrixIn R)
      : problem_(problem),
        shape_(problem.shape()),
        layout_(shape_.layout()),
        coordinates_(problem, R),
        free_q_(shape_.nv - shape_.ng),
        free_v_(free_q_ - shape_.nk),
        no_r_(Vector::Zero(shape_.multipliers())),
        multipliers_(no_r_),
        a_(Vector::Zero(shape_.nv)),
        rates_(Vector::Zero(shape_.nq)),
        delta_(Vector::Zero(layout_.tangent_size())),
        acceleration_jacobian_(problem) {
    linearized_.y.setZero(size());
    linearized_.from.q.setZero(shape_.nq);
  }

  int size() const override { return coordinates_.size(); }
  OdeSystem* ode() override { return this; }

  void pack(const State& state, VectorOut y) const override {
    if (!coordinates_.ready()) coordinates_.choose(state.t, state.z);
    coordinates_.pack(state.z, y);
  }
  // A state that cannot be had is not finite; explain() says why.
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    if (coordinates_.solve(t, y) == Status::ok)
      state.z = coordinates_.z();
    else
      state.z.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  // At the point solved for last: a method estimates the error of a state that it has just unpacked.
  void unpack_error(VectorIn error_y, VectorOut error_z) const override {
    if (!coordinates_.solved()) {
      error_z.setConstant(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    coordinates_.linearize();
    coordinates_.displacement(error_y, delta_);
    const int rest = (layout_.order - 1) * layout_.nv;
    error_z.tail(rest) = delta_.tail(rest);
    if (shape_.own_kinematics)
      error_z.head(layout_.nq).noalias() = coordinates_.N().lazyProduct(delta_.head(layout_.nv));
    else
      error_z.head(layout_.nq) = delta_.head(layout_.nv);
  }

  void anchor(const State& state) override {
    coordinates_.choose(state.t, state.z);
    linearized_.known = lost_ = false;
  }
  bool refresh(State& state) override {
    coordinates_.begin_at(state.t, state.q());
    if (coordinates_.given()) return watch(state.t);
    if (coordinates_.stretch() <= largest_stretch) return false;
    anchor(state);
    ++changes_;
    return true;
  }

  // Chart and beginning, where and from where the last Jacobian was computed, and what notes() tells.
  std::vector<double> anchored() const override {
    std::vector<double> values = coordinates_.memory();
    const Linearized& l = linearized_;
    const double known = l.known ? 1 : 0, changes = static_cast<double>(changes_);
    values.insert(values.end(), {known, l.t, l.from.t, changes, worst_, worst_t_});
    values.insert(values.end(), l.y.begin(), l.y.end());
    values.insert(values.end(), l.from.q.begin(), l.from.q.end());
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    coordinates_.remember(values);
    auto next = values.begin() + static_cast<std::ptrdiff_t>(coordinates_.memory_size());
    linearized_.known = next[0] != 0;
    linearized_.t = next[1];
    linearized_.from.t = next[2];
    changes_ = static_cast<long>(next[3]);
    worst_ = next[4];
    worst_t_ = next[5];
    lost_ = worst_ > singular_stretch;
    std::copy_n(next + 6, size(), linearized_.y.begin());
    std::copy_n(next + 6 + size(), shape_.nq, linearized_.from.q.begin());
  }

  std::vector<std::string> notes() const override {
    if (changes_ > 0)
      return {fmt::format("state-space: the coordinates were changed {} time{}", changes_,
                          changes_ == 1 ? "" : "s")};
    if (worst_ > risky_stretch)
      return {
          fmt::format("state-space: R x hardly determined x at t = {:.6g}, where an error of x is {:.2g} "
                      "times that of R x; a motion that "
                      "passes such a point may be wrong from there on: compare with a run without R",
                      worst_t_, worst_)};
    return {};
  }

  Status multipliers(State& state) override {
    ++work().rhs;
    return acceleration(state.t, state.z, &state);
  }

  Status rhs(double t, VectorIn y, VectorOut dy, State* at) override {
    ++work().rhs;
    Status status = lost_ ? Status::rank_loss : coordinates_.solve(t, y);
    if (status == Status::ok) status = acceleration(t, coordinates_.z(), at);
    if (status != Status::ok) return status;
    if (coordinates_.one_chart()) {
      const int higher = size() - free_q_;
      dy.head(higher) = y.tail(higher);
    } else {
      const Vector& z = coordinates_.z();
      problem_.coordinate_rates(t, z.head(shape_.nq), z.tail(shape_.nv), rates_, work_);
      dy.head(free_q_).noalias() = coordinates_.R(0).lazyProduct(rates_);
    }
    dy.tail(free_v_).noalias() = coordinates_.R(layout_.order - 1).lazyProduct(a_);
    return dy.allFinite() ? Status::ok : Status::not_finite;
  }

  Status jacobian(double t, VectorIn y, MatrixOut rhs_y) override;
  std::string explain(Status status, double t, VectorIn y) const override;

 private:
  // Where the last Jacobian was computed, and where Newton's method for q began then: asked for once more, it has
  // the same bits.
  struct Linearized {
    bool known = false;
    double t = 0;
    Vector y;
    LocalCoordinates::Beginning from;
  };

  Status acceleration(double t, VectorIn z, State* at) {
    const Status status = problem_.acceleration(t, z, no_r_, a_, multipliers_, work_);
    if (at) {
      at->lambda = multipliers_.head(shape_.ng);
      at->kappa = multipliers_.tail(shape_.nk);
    }
    return status;
  }
  // The stretch of given coordinates, which nobody changes.
  bool watch(double t) {
    if (coordinates_.stretch() > worst_) {
      worst_ = std::min(coordinates_.stretch(), std::numeric_limits<double>::max());
      worst_t_ = t;
    }
    lost_ = coordinates_.stretch() > singular_stretch;
    return false;
  }
  Status linearize(double t, VectorIn y, MatrixOut rhs_y);
  void size_matrices();

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  mutable LocalCoordinates coordinates_;  // solving for z changes its scratch memory only
  const int free_q_, free_v_;
  Workspace work_;
  Vector no_r_, multipliers_, a_, rates_;
  mutable Vector delta_;
  long changes_ = 0;
  double worst_ = 1, worst_t_ = 0;  // stretch of given coordinates
  bool lost_ = false;               // they no longer determine x
  Linearized linearized_;
  AccelerationJacobian acceleration_jacobian_;
  Evaluation kinematic_parts_;
  Vector unit_;  // for the Jacobian, as what follows; sized when it is first asked for
  Matrix z_y_, R_a_z_, Nv_x_, rates_y_;
};

void StateSpaceSystem::size_matrices() {
  if (unit_.size() > 0) return;
  unit_.setZero(size());
  z_y_.setZero(layout_.tangent_size(), size());
  R_a_z_.setZero(free_v_, layout_.tangent_size());
  Nv_x_.setZero(shape_.nq, shape_.nv);
  rates_y_.setZero(shape_.nq, size());
}

Status StateSpaceSystem::jacobian(double t, VectorIn y, MatrixOut rhs_y) {
  ++work().jacobians;
  size_matrices();
  Linearized& l = linearized_;
  const bool again = l.known && l.t == t && l.y == y && !(l.from == coordinates_.beginning());
  if (!again) {
    l.known = true;
    l.t = t;
    l.y = y;
    l.from = coordinates_.beginning();
    return linearize(t, y, rhs_y);
  }
  const LocalCoordinates::Beginning now = coordinates_.beginning();
  coordinates_.begin_at(l.from.t, l.from.q);
  const Status status = linearize(t, y, rhs_y);
  coordinates_.begin_at(now.t, now.q);
  return status;
}

Status StateSpaceSystem::linearize(double t, VectorIn y, MatrixOut rhs_y) {
  const int nv = shape_.nv, rest = size() - free_q_;
  Status status = coordinates_.solve(t, y);
  if (status == Status::ok) status = acceleration(t, coordinates_.z(), nullptr);
  if (status == Status::ok)
    status = acceleration_jacobian_.compute(t, coordinates_.z(), a_, multipliers_, Matrix());
  if (status != Status::ok) return status;
  coordinates_.linearize();
  for (int j = 0; j < size(); ++j) {
    unit_.setZero();
    unit_(j) = 1;
    coordinates_.displacement(unit_, z_y_.col(j));
  }

  rhs_y.setZero();
  if (coordinates_.one_chart()) {
    rhs_y.block(0, free_q_, rest, rest).diagonal().setOnes();
  } else if (shape_.own_kinematics) {  // (N v)' = (N v)_q N delta_0 + N delta_1
    problem_.evaluate(Part::kinematics | Part::kinematics_jacobian, Point(t, coordinates_.z()),
                      kinematic_parts_);
    Nv_x_.noalias() = kinematic_parts_.Nv_q.lazyProduct(kinematic_parts_.N);
    rates_y_.noalias() = Nv_x_.lazyProduct(z_y_.topRows(nv));
    rates_y_.noalias() += kinematic_parts_.N.lazyProduct(z_y_.bottomRows(nv));
    rhs_y.topRows(free_q_).noalias() = coordinates_.R(0).lazyProduct(rates_y_);
  } else {
    rhs_y.topRows(free_q_).noalias() = coordinates_.R(0).lazyProduct(z_y_.bottomRows(nv));
  }
  R_a_z_.noalias() = coordinates_.R(layout_.order - 1).lazyProduct(acceleration_jacobian_.a_z());
  rhs_y.bottomRows(free_v_).noalias() = R_a_z_.lazyProduct(z_y_);
  return rhs_y.allFinite() ? Status::ok : Status::not_finite;
}

std::string StateSpaceSystem::explain(Status status, double t, VectorIn y) const {
  const Status found = lost_ ? Status::rank_loss : coordinates_.solve(t, y);
  const Vector& z = coordinates_.z();
  if (found == Status::ok) return problem_.explain(status, t, z);
  if (found == Status::not_finite) return problem_.explain(found, t, z);
  Evaluation e;
  problem_.evaluate(shape_.nk > 0 ? Part::jacobian | Part::velocity_jacobian : Parts(Part::jacobian),
                    Point(t, z), e);
  Matrix C(shape_.multipliers(), shape_.nv);
  C.topRows(shape_.ng) = e.G;
  if (shape_.nk > 0) C.bottomRows(shape_.nk) = e.K;
  if (linalg::rank(C) < C.rows()) return problem_.explain(Status::rank_loss, t, z);
  if (coordinates_.given())
    return fmt::format(
        "the coordinates R x do not determine x at t = {:.10g}; leave R out, so that coordinates are chosen "
        "and changed "
        "automatically",
        t);
  return fmt::format(
      "no x on the constraints was found that has the coordinates of t = {:.10g} (chosen at an earlier time, "
      "they reach "
      "no farther); use a smaller step",
      t);
}

}  // namespace

std::unique_ptr<System> state_space_system(const Problem& problem, MatrixIn R) {
  check_whole_matrices(problem.shape());
  return std::make_unique<StateSpaceSystem>(problem, R);
}

}  // namespace driftless::formulations

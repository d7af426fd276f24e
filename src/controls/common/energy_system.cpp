#include "energy_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <driftless/core/feedback_gains.hpp>

namespace driftless::controls {

namespace {

constexpr const char* work_name = "work";
constexpr double never = std::numeric_limits<double>::quiet_NaN();

// Values of a state are looked up and changed; one that lacks the extra gets it.
const Extra* find_work(const State& state) {
  const auto found = std::find_if(state.extras.begin(), state.extras.end(),
                                  [](const Extra& extra) { return extra.name == work_name; });
  return found == state.extras.end() ? nullptr : &*found;
}

double work_of(const State& state) {
  const Extra* extra = find_work(state);
  return extra && extra->value.size() == 1 ? extra->value(0) : 0;
}

void set_work(State& state, double value) {
  for (Extra& extra : state.extras)
    if (extra.name == work_name) {
      extra.value.setConstant(1, value);
      return;
    }
  state.extras.push_back({work_name, Vector::Constant(1, value)});
}

}  // namespace

std::optional<std::string> energy_control_refuses(const Shape& shape) {
  if (shape.has_energy) return std::nullopt;
  return "it steers the energy, and this problem has none; use it for models with a function `energy`, or "
         "leave "
         "it out";
}

EnergySystem::EnergySystem(const char* control, const Problem& problem, std::unique_ptr<System> inner)
    : problem_(problem),
      manifold_(problem),
      inner_(std::move(inner)),
      n_(problem.shape().layout().size()),
      here_(problem.shape().layout(), problem.shape().ng, problem.shape().nk),
      y_(Vector::Zero(n_ + 1)),
      dy_(y_),
      node_t_(never),
      node_y_(y_) {
  if (!inner_->ode() || inner_->size() != n_)
    throw InputError(
        fmt::format("{}: it works on an ordinary differential equation for z = (x, x', ..), which this "
                    "formulation is not; "
                    "use `formulation = index1`, baumgarte or invariant-stabilized",
                    control));
}

void EnergySystem::pack(const State& state, VectorOut y) const {
  inner_->pack(state, y.head(n_));
  y(n_) = work_of(state);
}

void EnergySystem::unpack(double t, VectorIn y, State& state) const {
  inner_->unpack(t, y.head(n_), state);
  set_work(state, y(n_));
}

void EnergySystem::unpack_error(VectorIn error_y, VectorOut error_z) const {
  inner_->unpack_error(error_y.head(n_), error_z);
}

void EnergySystem::prepare(State& state) const {
  inner_->prepare(state);
  if (!find_work(state)) set_work(state, 0);
}

void EnergySystem::anchor(const State& state) {
  inner_->anchor(state);
  evaluate_energy(state.t, state.z);
  E0_ = energy_.energy - work_of(state);
  node_t_ = never;
}

std::vector<double> EnergySystem::anchored() const {
  std::vector<double> values = inner_->anchored();
  values.push_back(E0_);
  return values;
}

void EnergySystem::restore_anchor(const std::vector<double>& values) {
  E0_ = values.back();
  node_t_ = never;
  inner_->restore_anchor({values.begin(), values.end() - 1});
}

Status EnergySystem::multipliers(State& state) {
  pack(state, y_);
  return rhs(state.t, y_, dy_, &state);
}

std::string EnergySystem::explain(Status status, double t, VectorIn y) const {
  const auto z = y.head(n_);
  Evaluation energy;
  problem_.evaluate(Part::energy | Part::energy_gradient, Point(t, z), energy);
  if (status == Status::not_finite && z.allFinite() &&
      !(std::isfinite(energy.energy) && energy.energy_z.allFinite()))
    return fmt::format(
        "the energy is {} at t = {:.10g}, or its gradient is not finite; check the model there",
        energy.energy, t);
  return inner_->explain(status, t, z);
}

bool EnergySystem::begin_step(const StepContext& step, VectorIn y) {
  const bool changed = inner_->begin_step(step, y.head(n_));
  if (step.discretization != by_) {
    by_ = step.discretization;
    unit_rate_ = feedback_gains(by_, 1).front();
  }
  waits_ = step.starting;
  if (step.h == 0 || !holds()) return changed;
  if (changed || step.t != node_t_ || y != node_y_) {  // most integrators have just evaluated there
    ++work().rhs;
    if (evaluate(step.t, y, true, dy_) != Status::ok) return changed;  // the step will say why
  }
  return hold(step.t, step.h) || changed;
}

void EnergySystem::evaluate_energy(double t, VectorIn z) {
  problem_.evaluate(Part::energy | Part::energy_gradient, Point(t, z), energy_);
}

// y' with multipliers, psi and its gradient.
Status EnergySystem::evaluate(double t, VectorIn y, bool node, VectorOut dy) {
  const auto z = y.head(n_);
  if (node) node_t_ = never;
  Status status = inner_->ode()->rhs(t, z, dy.head(n_), &here_);
  if (status != Status::ok) return status;
  evaluate_energy(t, z);
  psi_ = energy_.energy - E0_ - y(n_);
  dy(n_) = power_.at(problem_, t, z, here_.lambda, here_.kappa);
  status = steer(t, z, dy(n_), node, dy.head(n_));
  if (node && status == Status::ok) {
    node_t_ = t;
    node_y_ = y;
  }
  return status;
}

Status EnergySystem::rhs(double t, VectorIn y, VectorOut dy, State* at) {
  ++work().rhs;
  const Status status = evaluate(t, y, at != nullptr, dy);
  if (at) {
    at->lambda = here_.lambda;
    at->kappa = here_.kappa;
  }
  return status != Status::ok || dy.allFinite() ? status : Status::not_finite;
}

Status EnergySystem::jacobian(double t, VectorIn y, MatrixOut rhs_y) {
  ++work().jacobians;
  rhs_y.setZero();
  Status status = inner_->ode()->jacobian(t, y.head(n_), rhs_y.topLeftCorner(n_, n_));
  if (status == Status::ok) status = evaluate(t, y, false, dy_);
  if (status == Status::ok)
    status = add_derivatives(t, y.head(n_), rhs_y.topLeftCorner(n_, n_), rhs_y.col(n_).head(n_));
  return status != Status::ok || rhs_y.allFinite() ? status : Status::not_finite;
}

}  // namespace driftless::controls

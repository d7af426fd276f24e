#include "constrained_base.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/invariants_option.hpp>
#include <driftless/core/whole_matrices.hpp>

namespace driftless::formulations {

namespace {

std::string name_of_level(int level) {
  return level == 0 ? "mu" : level == 1 ? "eta" : fmt::format("eta{}", level);
}

int rows_of(const Shape& s, const ConstrainedForm& form, int invariants) {
  if (form.differentiated) return s.multipliers();
  return static_cast<int>(form.imposed.size()) * s.ng + (form.velocities ? s.nk : 0) + invariants;
}

int rows_beside(const Shape& s, const ConstrainedForm& form) {
  return form.beside * s.ng + (form.beside == s.order ? s.nk : 0);
}

}  // namespace

ConstrainedBase::ConstrainedBase(const Problem& problem, const ConstrainedForm& form)
    : problem_(problem),
      shape_(problem.shape()),
      layout_(shape_.layout()),
      form_(form),
      forces_(form.top == ConstrainedForm::Top::forces),
      keeps_offsets_(imposes_positions_alone(form, problem.shape())),
      chosen_(choose_invariants(problem, form.invariants)),
      nz_(layout_.size()),
      ns_(rows_of(shape_, form, chosen_.count())),
      nb_(rows_beside(shape_, form)),
      no_r_(Vector::Zero(shape_.multipliers())),
      a_(Vector::Zero(shape_.nv)),
      multipliers_(no_r_),
      compares_levels_(layout_.order > 1 && (form_.coupled || form_.beside > 1 || !form_.invariants.empty())),
      z_(Vector::Zero(nz_)) {
  lay_out();
}

void ConstrainedBase::lay_out() {
  const int ng = shape_.ng, nk = shape_.nk;
  int first = nz_ + (forces_ ? ng + nk : 0);
  const auto add = [&](const std::string& name, int count) {
    blocks_.add(name, first, count);
    first += count;
  };
  for (int level = 0; level < form_.stabilized; ++level) add(name_of_level(level), ng);
  if (!forces_ && form_.velocities) add("eta_w", nk);
  add("mu_i", chosen_.count());

  index_.assign(static_cast<std::size_t>(nz_ + ns_), 2);
  for (int i = 0; i < nz_; ++i)
    index_[static_cast<std::size_t>(i)] =
        i < layout_.offset(layout_.order - 1) || ng == 0 ? 0 : form_.velocity_index;
  if (forces_)
    for (int i = 0; i < ng; ++i) index_[static_cast<std::size_t>(nz_ + i)] = form_.lambda_index;
  if (form_.differentiated) std::fill(index_.begin() + nz_, index_.end(), 1);
}

void ConstrainedBase::pack(const State& state, VectorOut y) const {
  y.head(nz_) = state.z;
  if (forces_) {
    y.segment(nz_, shape_.ng) = state.lambda;
    y.segment(nz_ + shape_.ng, shape_.nk) = state.kappa;
  }
  blocks_.pack(state, y);
}

void ConstrainedBase::unpack(double t, VectorIn y, State& state) const {
  state.t = t;
  state.z = y.head(nz_);
  if (forces_) {
    state.lambda = y.segment(nz_, shape_.ng);
    state.kappa = y.segment(nz_ + shape_.ng, shape_.nk);
  }
  blocks_.unpack(y, state);
}

Status ConstrainedBase::multipliers(State& state) {
  ++work().rhs;
  const Status status = problem_.acceleration(state.t, state.z, no_r_, a_, multipliers_, workspace_);
  state.lambda = multipliers_.head(shape_.ng);
  state.kappa = multipliers_.tail(shape_.nk);
  return status;
}

Status ConstrainedBase::rates(const State& state, VectorOut yp) {
  ++work().rhs;
  const int nv = shape_.nv;
  yp.setZero();
  if (layout_.order > 1) {
    const int higher = (layout_.order - 2) * nv;
    yp.segment(layout_.nq, higher) = state.z.tail(higher);
    if (shape_.own_kinematics)
      problem_.coordinate_rates(state.t, state.q(), state.v(), yp.head(layout_.nq), workspace_);
    else
      yp.head(nv) = state.v();
  }
  return problem_.acceleration(state.t, state.z, no_r_, yp.segment(nz_ - nv, nv), multipliers_, workspace_);
}

Multipliers ConstrainedBase::carried_multipliers() const {
  if (!forces_) return Multipliers::evaluated;
  return form_.generalized.own_lambda ? Multipliers::asked_for : Multipliers::of_step;
}

void ConstrainedBase::anchor(const State& state) {
  manifold().anchor(state.t, state.z);
  unit_of_time_.jumped();
  if (keeps_offsets_) offsets_ = offsets_at_start(problem_, state.t, state.z);
}

std::vector<double> ConstrainedBase::anchored() const {
  std::vector<double> values = manifold().anchored();
  if (keeps_offsets_) append_offsets(offsets_, shape_.ng, values);
  values.push_back(linearized_by_);
  for (const double value : unit_of_time_.memory(layout_)) values.push_back(value);
  return values;
}

void ConstrainedBase::restore_anchor(const std::vector<double>& values) {
  const auto own = values.end() - 1 - static_cast<std::ptrdiff_t>(UnitOfTime::memory_size(layout_));
  const auto offsets = own - (keeps_offsets_ ? shape_.ng : 0);
  manifold().anchor({values.begin(), offsets});
  if (keeps_offsets_) offsets_ = offsets_from(&*offsets, shape_.ng);
  measure_time_by(own[0]);
  unit_of_time_.remember(&own[1], layout_);
}

std::string ConstrainedBase::explain(Status status, double t, VectorIn y) const {
  if (status == Status::singular_step)
    if (const std::string why = explain_singular(t); !why.empty()) return why;
  if (status == Status::singular_step && chosen_.count() > 0)
    if (const std::string which =
            Manifold(problem_, chosen_, shape_.nv > most_whole_velocities ? Storage::sparse : Storage::whole)
                .dependent_invariants(t, y.head(nz_));
        !which.empty())
      return fmt::format(
          "the invariants of this formulation are not independent at t = {:.10g}: {}; leave it out of "
          "`invariants`",
          t, which);
  const bool divides =
      form_.mass_metric || form_.differentiated || (form_.stabilized > 0 && form_.D.kind == Direction::input);
  if (status == Status::singular_mass && divides)
    return fmt::format(
        "the mass matrix is singular at t = {:.10g}, and this formulation divides by it; use ggl or "
        "projected-invariants with "
        "D=transpose",
        t);
  return problem_.explain(status, t, y.head(nz_));
}

bool ConstrainedBase::begin_step(const StepContext& step, VectorIn y) {
  stages_ = has_stages(step.discretization);
  if (step.h == 0) {
    framed_ = false;
    return false;
  }
  const double t = step.t, h = step.h;
  if (size_of_mechanism_ < 0) size_of_mechanism_ = problem_.scales(t, y.head(shape_.nq)).length;
  start_step(t, y);
  if (offsets_.size() > 0) follow_rows_left_out(problem_, t, y.head(nz_), left_out(), offsets_);
  if (layout_.order > 1 && form_.stabilized > 0)
    notes_.pushed(pushed_speed(y), y.segment(layout_.offset(1), shape_.nv).lpNorm<Eigen::Infinity>(), h,
                  size_of_mechanism_);
  if (stages_ && shape_.norms() > 0) keep_frame(t, y);
  if (compares_levels_ && !form_.model_time) measure_time_by(unit_of_time(t, y, h));
  return false;
}

// Where eta is an impulse, a displacement of velocities is that impulse divided by a mass.
double ConstrainedBase::unit_of_time(double t, VectorIn y, double h) {
  const double tau = unit_of_time_.begin(problem_, t, y.head(nz_), h);
  if (!form_.mass_metric && form_.beside != layout_.order && !along_forces()) return tau;
  const double mass = mean_mass(t, y);
  return mass > 0 ? tau / std::sqrt(mass) : tau;
}

Point::View ConstrainedBase::place(VectorIn y) {
  if (shape_.norms() == 0) return {y.data(), nz_};
  z_ = y.head(nz_);
  problem_.normalize(z_.head(layout_.nq));
  return {z_.data(), nz_};
}

}  // namespace driftless::formulations

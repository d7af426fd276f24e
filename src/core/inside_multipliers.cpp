#include "inside_multipliers.hpp"

#include <array>
#include <cmath>

#include "step_interior.hpp"

namespace driftless {

namespace {

// Of a step: away from its ends and from the stages of radau5, where interpolants are exact, and from 0.4,
// where its d vanishes.
constexpr double places[] = {0.3, 0.8};
constexpr double good_part = 0.05;  // of the difference
constexpr double several = 5;       // times what the step's own are off by at its ends
constexpr double stiff = 10;        // times the relative change of positions

// Gauss's formula with three points on [0, 1]: exact for what steps are interpolated with.
struct GaussPoint {
  double x, weight;
};
constexpr std::array<GaussPoint, 3> gauss = {
    {{0.1127016653792583, 5. / 18}, {0.5, 8. / 18}, {0.8872983346207417, 5. / 18}}};

void stack(const State& state, Vector& values) {
  values.resize(state.lambda.size() + state.kappa.size());
  values << state.lambda, state.kappa;
}

}  // namespace

bool InsideMultipliers::interpolated_are_better(StepInterior& step) {
  if (!decided_) better_ = decide(step);
  decided_ = true;
  return better_;
}

double InsideMultipliers::size(const Vector& values) const {
  double largest = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (usual_[i] > 0) largest = std::max(largest, std::abs(values[i]) / usual_[i]);
  return largest;
}

bool InsideMultipliers::evaluate(State& at, Vector& values) {
  if (system_.multipliers(at) != Status::ok) return false;
  stack(at, values);
  return values.allFinite();
}

bool InsideMultipliers::decide(StepInterior& step) {
  if (problem_.shape().order < 2 || problem_.shape().multipliers() == 0) return false;
  for (const double place : places) {
    const Blame verdict = blame(step, place);
    if (verdict == Blame::state) return true;
    if (verdict == Blame::not_stiff) return false;
  }
  return false;
}

InsideMultipliers::Blame InsideMultipliers::blame(StepInterior& step, double place) {
  const double t = step.from().t + place * (step.to().t - step.from().t);
  at_ = step.to();
  if (!find_interpolation_error(step, t, displaced_) || step.as_stepped(t, at_) != Status::ok)
    return Blame::not_stiff;
  stack(at_, own_);
  if (!evaluate(at_, there_)) return Blame::not_stiff;
  at_.z.head(displaced_.size()) += displaced_;
  if (problem_.shape().norms() > 0) problem_.normalize(at_.q());
  if (!evaluate(at_, moved_)) return Blame::not_stiff;
  usual_ = there_.cwiseAbs().cwiseMax(own_.cwiseAbs());
  for (const State* end : {&step.from(), &step.to()}) {  // one may pass zero here
    stack(*end, gap_to_);
    usual_ = usual_.cwiseMax(gap_to_.cwiseAbs());
  }
  moved_ -= there_;
  const double by_state = size(moved_), difference = size(there_ - own_);
  // Without stiffness multipliers change with positions no more than in proportion, that of d to the motion
  // in the step.
  const auto count = displaced_.size();
  const double motion = (step.to().z.head(count) - step.from().z.head(count)).norm();
  if (by_state * motion <= stiff * displaced_.norm()) return Blame::not_stiff;
  if (by_state <= good_part * difference) return Blame::not_clear;
  if (!find_gap(step, step.from(), gap_from_) || !find_gap(step, step.to(), gap_to_)) return Blame::not_stiff;
  own_ += (1 - place) * gap_from_ + place * gap_to_;
  return size(there_ - own_) > several * std::max(size(gap_from_), size(gap_to_)) ? Blame::state
                                                                                  : Blame::not_clear;
}

bool InsideMultipliers::find_gap(StepInterior& step, const State& end, Vector& gap) {
  between_ = end;
  if (step.interpolated(end.t, between_) != Status::ok) return false;
  stack(between_, moved_);
  between_ = end;
  if (!evaluate(between_, gap)) return false;
  gap -= moved_;
  return true;
}

// Of the levels below the highest one, as entries of z.
bool InsideMultipliers::find_interpolation_error(StepInterior& step, double t, Vector& error) {
  const Shape& shape = problem_.shape();
  const Layout layout = shape.layout();
  const double t_0 = step.from().t;
  error.setZero(layout.offset(layout.order - 1));
  between_ = step.to();
  for (const GaussPoint& point : gauss) {
    if (step.interpolated(t_0 + point.x * (t - t_0), between_) != Status::ok) return false;
    for (int j = 0; j + 1 < layout.order; ++j) {
      auto sum = error.segment(layout.offset(j), layout.width(j));
      if (j == 0 && shape.own_kinematics) {
        rates_.resize(layout.nq);
        problem_.coordinate_rates(between_.t, between_.q(), between_.v(), rates_, workspace_);
        sum += ((t - t_0) * point.weight) * rates_;
      } else {
        sum += ((t - t_0) * point.weight) * between_.level(j + 1);
      }
    }
  }
  if (step.interpolated(t, between_) != Status::ok) return false;
  error -= between_.z.head(error.size());
  if (step.interpolated(t_0, between_) != Status::ok) return false;
  error += between_.z.head(error.size());
  return error.allFinite();
}

void InsideMultipliers::correct(const StepInterior& step, State& at) const {
  const double s = (at.t - step.from().t) / (step.to().t - step.from().t);
  const auto ng = at.lambda.size(), nk = at.kappa.size();
  at.lambda += (1 - s) * gap_from_.head(ng) + s * gap_to_.head(ng);
  at.kappa += (1 - s) * gap_from_.tail(nk) + s * gap_to_.tail(nk);
}

}  // namespace driftless

#include <driftless/observers/energy_monitor.hpp>

#include <array>
#include <limits>

namespace driftless::observers {

namespace {

struct GaussPoint {
  double x, weight;  // on [0, 1]
};
constexpr std::array<GaussPoint, 4> gauss = {{{0.06943184420297371, 0.17392742256872693},
                                              {0.33000947820757187, 0.32607257743127307},
                                              {0.66999052179242813, 0.32607257743127307},
                                              {0.93056815579702629, 0.17392742256872693}}};

}  // namespace

void EnergyMonitor::start(const RunInfo& run) {
  problem_ = &run.problem;
  balance_ = {};
  between_ = run.start;
  const Shape& s = problem_->shape();
  zero_.setZero(s.multipliers());
  multipliers_.setZero(s.multipliers());
  a_.setZero(s.nv);
  if (!s.has_energy) return;
  balance_.start = balance_.end = energy(run.start);
}

void EnergyMonitor::step(const AcceptedStep& step) {
  if (!problem_->shape().has_energy) return;
  balance_.end = energy(step.to);
  if (!has_work()) return;
  const double h = step.to.t - step.from.t;
  for (const auto& point : gauss) {
    const Status status = step.dense.interpolate(step.from.t + point.x * h, between_);
    balance_.work +=
        status == Status::ok ? h * point.weight * power(between_) : std::numeric_limits<double>::quiet_NaN();
  }
}

// What an action puts in or takes out is work too.
void EnergyMonitor::reset(const State& before, const State& after) {
  if (!problem_->shape().has_energy) return;
  balance_.end = energy(after);
  balance_.work += balance_.end - energy(before);
}

void EnergyMonitor::finish(Solution& solution) {
  if (!problem_->shape().has_energy) return;
  balance_.balance = balance_.end - balance_.start - balance_.work;
  solution.energy = balance_;
}

double EnergyMonitor::energy(const State& state) {
  problem_->evaluate(Part::energy, Point(state.t, state.z), parts_);
  return parts_.energy;
}

double EnergyMonitor::power(const State& state) {
  const Shape& s = problem_->shape();
  double power = 0;
  if (s.has_power) {
    problem_->evaluate(Part::power, Point(state.t, state.z), parts_);
    power = parts_.power;
  }
  return s.moving || s.given_input ? power + constraint_power(state) : power;
}

bool EnergyMonitor::has_work() const {
  const Shape& s = problem_->shape();
  return s.has_power || (s.order == 2 && s.multipliers() > 0 && (s.moving || s.given_input));
}

// Constraints that stand still do no work; those that move push.
double EnergyMonitor::constraint_power(const State& state) {
  const Shape& s = problem_->shape();
  if (s.order != 2 || s.multipliers() == 0) return 0;
  if (problem_->acceleration(state.t, state.z, zero_, a_, multipliers_, work_) != Status::ok) return 0;
  Parts parts = Part::input;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  problem_->evaluate(parts, Point(state.t, state.z), parts_);
  double power = 0;
  if (s.ng > 0) power -= state.v().dot(parts_.B.lazyProduct(multipliers_.head(s.ng)));
  if (s.nk > 0) power -= state.v().dot(parts_.K.transpose().lazyProduct(multipliers_.tail(s.nk)));
  return power;
}

}  // namespace driftless::observers

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
  dense_ = nullptr;
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
  dense_ = &step.dense;
  from_ = step.from.t;
  to_ = step.to.t;
  if (Power::of_constraints(problem_->shape())) {
    rates_from_ = rates(step.from);
    rates_to_ = rates(step.to);
  }
  work_before_ = balance_.work;
  balance_.work += work_between(from_, to_);
}

double EnergyMonitor::work_between(double from, double to) {
  const double h = to - from;
  double work = 0;
  for (const auto& point : gauss) {
    if (dense_->interpolate(from + point.x * h, between_) != Status::ok)
      return std::numeric_limits<double>::quiet_NaN();
    work += h * point.weight * power(between_);
  }
  return work;
}

EnergyBalance EnergyMonitor::at(const State& state) {
  EnergyBalance balance = balance_;
  balance.end = energy(state);
  if (dense_ && state.t < to_) balance.work = work_before_ + work_between(from_, state.t);
  balance.balance = balance.end - balance.start - balance.work;
  return balance;
}

EnergyBalance EnergyMonitor::so_far() const {
  EnergyBalance balance = balance_;
  balance.balance = balance.end - balance.start - balance.work;
  return balance;
}

// What an action puts in or takes out is work too.
void EnergyMonitor::reset(const State& before, const State& after) {
  if (!problem_->shape().has_energy) return;
  balance_.end = energy(after);
  balance_.work += balance_.end - energy(before);
}

void EnergyMonitor::finish(Solution& solution) {
  if (!problem_->shape().has_energy) return;
  solution.energy = balance_ = so_far();
}

double EnergyMonitor::energy(const State& state) {
  problem_->evaluate(Part::energy, Point(state.t, state.z), parts_);
  return parts_.energy;
}

double EnergyMonitor::power(const State& state) {
  const Shape& s = problem_->shape();
  if (Power::of_constraints(s) &&
      problem_->acceleration(state.t, state.z, zero_, a_, multipliers_, work_) != Status::ok)
    multipliers_.setZero();
  const double power =
      power_.at(*problem_, state.t, state.z, multipliers_.head(s.ng), multipliers_.tail(s.nk));
  if (!Power::of_constraints(s)) return power;
  const double part = (state.t - from_) / (to_ - from_);
  return power + multipliers_.dot(rates(state) - (1 - part) * rates_from_ - part * rates_to_);
}

Vector EnergyMonitor::rates(const State& state) {
  const Shape& s = problem_->shape();
  Parts parts = s.ng > 0 ? Parts(Part::rates) : Parts(Part::velocity);
  if (s.nk > 0) parts = parts | Part::velocity;
  problem_->evaluate(parts, Point(state.t, state.z), parts_);
  Vector rates(s.multipliers());
  if (s.ng > 0) rates.head(s.ng) = parts_.rates.col(0);
  if (s.nk > 0) rates.tail(s.nk) = parts_.w;
  return rates;
}

bool EnergyMonitor::has_work() const {
  return Power::any(problem_->shape());
}

}  // namespace driftless::observers

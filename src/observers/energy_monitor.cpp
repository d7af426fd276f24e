#include <driftless/observers/energy_monitor.hpp>

#include <array>

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
  if (!problem_->shape().has_energy) return;
  balance_.start = balance_.end = energy(run.start);
}

void EnergyMonitor::step(const AcceptedStep& step) {
  if (!problem_->shape().has_energy) return;
  balance_.end = energy(step.to);
  if (!problem_->shape().has_power) return;
  const double h = step.to.t - step.from.t;
  for (const auto& point : gauss) {
    step.dense.interpolate(step.from.t + point.x * h, between_);
    balance_.work += h * point.weight * power(between_);
  }
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
  problem_->evaluate(Part::power, Point(state.t, state.z), parts_);
  return parts_.power;
}

}  // namespace driftless::observers

// EnergyMonitor: energy at start and end, and the balance  E(end) - E(start) - W,  W the work of the power
// input P, integrated over each accepted step by Gauss's formula with four points on the integrator's
// interpolant. Zero for an exact solution.
#pragma once

#include <optional>

#include <driftless/core/observer.hpp>

namespace driftless::observers {

class EnergyMonitor final : public Observer {
 public:
  void start(const RunInfo& run) override;
  void step(const AcceptedStep& step) override;
  void finish(Solution& solution) override;

 private:
  double energy(const State& state);
  double power(const State& state);
  const Problem* problem_ = nullptr;
  Evaluation parts_;
  State between_;
  EnergyBalance balance_;
};

}  // namespace driftless::observers

// EnergyMonitor: energy at start and end, and the balance  E(end) - E(start) - W,  zero for an exact solution. W is the
// work of the power input and of constraint forces (core/power.hpp), integrated over each accepted step by Gauss's formula with four points on the integrator's interpolant.
// That is not quite on constraints that move: by g' = r there beyond what it is at the ends of the step, and without lambda . r the work would be
// that of an interpolant and not of the motion.
#pragma once

#include <optional>

#include <driftless/core/observer.hpp>
#include <driftless/core/power.hpp>

namespace driftless::observers {

class EnergyMonitor final : public Observer {
 public:
  void start(const RunInfo& run) override;
  void step(const AcceptedStep& step) override;
  void reset(const State& before, const State& after) override;
  void finish(Solution& solution) override;

  // From the start to a state at the end of the last step or inside of it.
  EnergyBalance at(const State& state);
  EnergyBalance so_far() const;  // to the end of the last step
  bool has_work() const;         // or does the energy alone tell?

 private:
  double energy(const State& state);
  double power(const State& state);
  Vector rates(const State& state);  // g' and w, where constraints do work
  double work_between(double from, double to);
  const Problem* problem_ = nullptr;
  Evaluation parts_;
  Power power_;
  Workspace work_;
  Vector zero_, a_, multipliers_;
  Vector rates_from_, rates_to_;  // at the ends of the last step
  State between_;
  EnergyBalance balance_;
  Integrator* dense_ = nullptr;  // of the last step; there was none yet: null
  double from_ = 0, to_ = 0;     // when it began and ended
  double work_before_ = 0;
};

}  // namespace driftless::observers

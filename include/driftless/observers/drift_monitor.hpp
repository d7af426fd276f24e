// DriftMonitor: how far accepted steps lie off the constraints: the largest |g|, and the largest |g'|, ..,
// |g^(m-1)|, |w|.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/observer.hpp>

namespace driftless::observers {

struct DriftSample {
  double t, position, velocity;
};

// Of one state; NaN where the constraints cannot be evaluated there.
DriftSample drift_at(Manifold& manifold, const State& state);

class DriftMonitor final : public Observer {
 public:
  explicit DriftMonitor(bool keep_history = false) : keep_history_(keep_history) {}
  void start(const RunInfo& run) override;
  void step(const AcceptedStep& step) override;
  void finish(Solution& solution) override;
  const std::vector<DriftSample>& history() const { return history_; }

 private:
  void measure(const State& state);
  bool keep_history_;
  std::unique_ptr<Manifold> manifold_;
  Drift drift_;
  std::vector<DriftSample> history_;
};

}  // namespace driftless::observers

#include <driftless/observers/drift_monitor.hpp>

#include <limits>

namespace driftless::observers {

DriftSample drift_at(Manifold& manifold, const State& state) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (manifold.evaluate(state.t, state.z) != Status::ok) return {state.t, nan, nan};
  const int ng = manifold.shape().ng;
  const Vector& h = manifold.h();
  return {state.t, ng > 0 ? h.head(ng).cwiseAbs().maxCoeff() : 0,
          h.size() > ng ? h.tail(h.size() - ng).cwiseAbs().maxCoeff() : 0};
}

void DriftMonitor::start(const RunInfo& run) {
  manifold_ = std::make_unique<Manifold>(run.problem);
  drift_ = {};
  history_.clear();
  measure(run.start);
}

void DriftMonitor::step(const AcceptedStep& step) {
  measure(step.to);
}

void DriftMonitor::measure(const State& state) {
  if (manifold_->empty()) return;
  const DriftSample sample = drift_at(*manifold_, state);
  // Written so that a NaN stays.
  if (!(sample.position <= drift_.position)) drift_.position = sample.position;
  if (!(sample.velocity <= drift_.velocity)) drift_.velocity = sample.velocity;
  if (keep_history_) history_.push_back(sample);
}

void DriftMonitor::finish(Solution& solution) {
  if (!manifold_->empty()) solution.drift = drift_;
}

}  // namespace driftless::observers

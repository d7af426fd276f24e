#include <driftless/observers/drift_monitor.hpp>

namespace driftless::observers {

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
  manifold_->evaluate(state.t, state.z);
  const int ng = manifold_->shape().ng;
  const Vector& h = manifold_->h();
  const double position = ng > 0 ? h.head(ng).cwiseAbs().maxCoeff() : 0;
  const double velocity = h.size() > ng ? h.tail(h.size() - ng).cwiseAbs().maxCoeff() : 0;
  // Written so that a NaN stays.
  if (!(position <= drift_.position)) drift_.position = position;
  if (!(velocity <= drift_.velocity)) drift_.velocity = velocity;
  if (keep_history_) history_.push_back({state.t, position, velocity});
}

void DriftMonitor::finish(Solution& solution) {
  if (!manifold_->empty()) solution.drift = drift_;
}

}  // namespace driftless::observers

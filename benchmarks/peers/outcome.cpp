#include "outcome.hpp"

#include <algorithm>
#include <chrono>

#include <driftless/observers/drift_monitor.hpp>

extern "C" [[gnu::noinline]] void driftless_peers_counted(const std::function<void()>* solve_call) {
  (*solve_call)();
}

namespace driftless::benchmarks {

const char* const counted_function = "driftless_peers_counted";

double counted(const std::function<void()>& solve_call) {
  const auto begin = std::chrono::steady_clock::now();
  driftless_peers_counted(&solve_call);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void DriftWatch::see(const State& state) {
  const auto sample = observers::drift_at(manifold_, state);
  drift_ = {std::max(drift_.position, sample.position), std::max(drift_.velocity, sample.velocity)};
}

}  // namespace driftless::benchmarks

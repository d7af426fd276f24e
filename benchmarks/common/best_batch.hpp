// Seconds that one call takes, from the best of several batches of calls: what else runs on the machine only ever adds to them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>

namespace driftless::benchmarks {

// call(i) with i = 0, 1, ..
template <class Call>
double best_batch(const Call& call) {
  constexpr int batches = 7;
  constexpr double seconds_enough = 0.02;  // of a batch
  using Clock = std::chrono::steady_clock;
  double best = HUGE_VAL;
  std::size_t i = 0;
  call(i++);  // memory is allocated there
  for (int batch = 0; batch < batches; ++batch) {
    const auto begin = Clock::now();
    double seconds = 0;
    int calls = 0;
    while (seconds < seconds_enough) {
      call(i++), ++calls;
      seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    best = std::min(best, seconds / calls);
  }
  return best;
}

}  // namespace driftless::benchmarks

// Watches a run from outside: the time inside the solver's calls, the energy after every step, the memory, and the error at the end.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include <sys/resource.h>
#include <Eigen/Core>

#include "bars.hpp"

namespace driftless::benchmarks::scaling {

class RunWatch {
 public:
  explicit RunWatch(double seconds_limit) : limit_(seconds_limit), memory_(resident()) {}

  template <class Call>
  auto timed(Call&& call) {
    struct Stop {
      RunWatch& watch;
      std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
      ~Stop() {
        watch.seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      }
    } stop{*this};
    return call();
  }
  double seconds() const { return seconds_; }
  bool out_of_time() const { return seconds_ > limit_; }
  long memory() const { return resident() - memory_; }  // kB

  void see(double kinetic, double potential) {
    if (std::isnan(first_)) first_ = kinetic + potential;
    last_ = kinetic + potential;
    largest_kinetic_ = std::max(largest_kinetic_, kinetic);
  }

  // Of n-four-bar: distance of B_0 from where it should be. Of the chain: |E - E_0| over the largest kinetic energy seen.
  double error(Mechanism mechanism, int N, double t, const Eigen::Vector2d& tip) const {
    if (mechanism == Mechanism::n_four_bar) return (tip - exact_tip(N, t)).norm();
    return std::abs(last_ - first_) / largest_kinetic_;
  }

 private:
  static long resident() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  }

  double limit_, seconds_ = 0, first_ = NAN, last_ = 0, largest_kinetic_ = 0;
  long memory_;
};

}  // namespace driftless::benchmarks::scaling

// Progress: a bar on standard error while a run takes its time; nothing unless a person is watching.
#pragma once

#include <chrono>
#include <cstdio>

#include <driftless/core/observer.hpp>

namespace driftless::observers {

class Progress final : public Observer {
 public:
  explicit Progress(std::FILE* stream = stderr) : stream_(stream) {}
  void start(const RunInfo& run) override;
  void step(const AcceptedStep& step) override;
  void finish(Solution& solution) override;
  static bool watched();  // is standard error a terminal?

 private:
  std::FILE* stream_;
  double t_start_ = 0, t_end_ = 0;
  long steps_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace driftless::observers

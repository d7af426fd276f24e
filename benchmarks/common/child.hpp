// A piece of work in a process of its own, so that its memory is its own, and so that what takes too long or
// dies harms nobody else.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace driftless::benchmarks {

struct ChildReport {
  nlohmann::json answer;     // null where the work came to no end
  std::string failure = {};  // one sentence, then
  bool out_of_time = false;  // and why
  int signal = 0;            // of which it died, where nobody here sent it
  double processor_seconds = 0;
  double megabytes = 0;  // by which the largest resident size grew over that of a process that does nothing
};

// The limit is for all that the work does, setting up included; beyond it the process is ended. It is
// processor time: on a busy machine a process may wait for a minute, and that says nothing about what it
// does.
ChildReport in_child(const std::function<nlohmann::json()>& work, double seconds_limit);

}  // namespace driftless::benchmarks

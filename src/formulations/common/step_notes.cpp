#include "step_notes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless::formulations {

namespace {

constexpr double least_rate = 1e-12;  // of positions

}  // namespace

void StepNotes::pushed(double push, double speed) {
  push_ = std::max(push_, push);
  speed_ = std::max(speed_, speed);
}

std::vector<std::string> StepNotes::notes() const {
  std::vector<std::string> notes;
  // It vanishes on the exact solution; at rest both are roundoff.
  if (push_ > 0.3 * speed_ && push_ > least_rate)
    notes.push_back(
        fmt::format("stabilizing multipliers moved positions at a rate of {:.2g}, as fast as the motion "
                    "itself ({:.2g}): the result may be wrong; use a smaller step, or another D",
                    push_, speed_));
  return notes;
}

}  // namespace driftless::formulations

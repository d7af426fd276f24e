#include "step_notes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless::formulations {

namespace {

constexpr double least_part = 1e-6;  // of the mechanism's size: a move that matters

}  // namespace

void StepNotes::pushed(double push, double speed, double h, double size_of_mechanism) {
  moved_ += push * std::abs(h) / size_of_mechanism;
  push_ = std::max(push_, push);
  speed_ = std::max(speed_, speed);
}

std::vector<std::string> StepNotes::notes() const {
  std::vector<std::string> notes;
  // It vanishes on the exact solution; at rest both are roundoff, or what is left of errors of the start.
  if (push_ > 0.3 * speed_ && moved_ > least_part)
    notes.push_back(
        fmt::format("stabilizing multipliers moved positions at a rate of {:.2g}, as fast as the motion "
                    "itself ({:.2g}): the result may be wrong; use a smaller step, or another D",
                    push_, speed_));
  return notes;
}

}  // namespace driftless::formulations

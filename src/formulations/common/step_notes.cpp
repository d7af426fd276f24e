#include "step_notes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless::formulations {

void StepNotes::pushed(double push, double speed) {
  push_ = std::max(push_, push);
  speed_ = std::max(speed_, speed);
}

std::vector<std::string> StepNotes::notes(bool by_equal_steps) const {
  std::vector<std::string> notes;
  if (push_ > 0.3 * speed_)  // it vanishes on the exact solution
    notes.push_back(
        fmt::format("stabilizing multipliers moved positions at a rate of {:.2g}, as fast as the motion "
                    "itself ({:.2g}): the result may be wrong; use a smaller step, or another D",
                    push_, speed_));
  // lambda of index 3 is a second difference of positions.
  if (by_equal_steps && std::abs(step_ - before_) > 1e-6 * step_)
    notes.push_back(fmt::format(
        "lambda of index3 at the end has an error that does not get smaller with the step: the last step, "
        "{:.3g}, {}; choose a step of which the whole time is a multiple, or another formulation",
        step_, before_ == 0 ? "was the first" : fmt::format("followed one of {:.3g}", before_)));
  return notes;
}

}  // namespace driftless::formulations

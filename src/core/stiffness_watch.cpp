#include "stiffness_watch.hpp"

#include <fmt/format.h>

namespace driftless {

namespace {

constexpr double near_limit = 0.9;  // steps at the limit of stability go a little up and down
constexpr double good_part = 0.1;   // of all steps

}  // namespace

void StiffnessWatch::step(const StabilityUse& use) {
  ++steps_;
  if (!(use.part > near_limit)) {
    if (++others_ >= calm) phase_ = 0;
    return;
  }
  others_ = 0;
  ++phase_;
  if (phase_ == enough) stiff_ += enough;
  if (phase_ > enough) ++stiff_;
  if (phase_ >= enough) settling_ += 1 / use.rate, ++counted_;
}

bool StiffnessWatch::limited() const {
  return static_cast<double>(stiff_) > good_part * static_cast<double>(steps_);
}

std::string StiffnessWatch::note(bool constrained) const {
  if (!limited()) return {};
  return fmt::format(
      "{} of {} steps were as short as the stability of this explicit method asks, not the tolerance: the "
      "problem is "
      "stiff, something in it settles within {:.1g} units of time, much faster than the motion changes; try "
      "{}, "
      "which takes steps as long as the tolerance allows",
      stiff_, steps_, settling_ / static_cast<double>(counted_),
      constrained ? "--formulation ggl --integrator bdf" : "--integrator bdf");
}

}  // namespace driftless

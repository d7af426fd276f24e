#include "stiffness_watch.hpp"

#include <numbers>

#include <fmt/format.h>

namespace driftless {

namespace {

constexpr double near_limit = 0.7;  // steps at the limit of stability go a little up and down
constexpr double good_part = 0.1;   // of all steps
constexpr double few = 0.4;         // of a radian, in a step: less than 16 steps to a period
constexpr long many = 200;          // fewer cost nothing

const char* implicit(const Shape& shape) {
  return shape.order > 1 && shape.multipliers() > 0 ? "`formulation = ggl` with `integrator = bdf` or radau5 "
                                                      "(docs/stiffness.md says which formulation)"
                                                    : "`integrator = bdf` or radau5";
}

}  // namespace

void StiffnessWatch::step(const StabilityUse& use) {
  ++steps_;
  const bool vibrates = use.rate < 0;
  if (vibrates && use.part > few) ++vibrating_, periods_ -= 1 / use.rate;
  if (vibrates || !(use.part > near_limit)) {
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
  return stiff_ >= many && static_cast<double>(stiff_) > good_part * static_cast<double>(steps_);
}

std::string StiffnessWatch::note(const Shape& shape) const {
  if (!limited()) return {};
  return fmt::format(
      "{} of {} steps were as short as the stability of this explicit method asks: the problem is stiff, "
      "something in it "
      "settles within about {:.1g} s and is followed all the time; an implicit method may take far fewer "
      "steps, {}",
      stiff_, steps_, settling_ / static_cast<double>(counted_), implicit(shape));
}

std::string StiffnessWatch::vibration(long rejected, const Shape& shape) const {
  if (vibrating_ < many || !(static_cast<double>(vibrating_) > good_part * static_cast<double>(steps_)))
    return {};
  return fmt::format(
      "{} of {} attempts at a step failed: something vibrates with a period of about {:.1g} s and is "
      "followed all the "
      "time, with so few steps to a period that this method is at the limit of its stability and of its "
      "accuracy; if "
      "something damps the vibration, {} may take far fewer steps, and if nothing does, no implicit method "
      "follows it "
      "in fewer: give it a damper where it does not matter",
      rejected, rejected + steps_, 2 * std::numbers::pi * periods_ / static_cast<double>(vibrating_),
      implicit(shape));
}

}  // namespace driftless

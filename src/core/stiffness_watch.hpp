// StiffnessWatch: whether the stability of an explicit method, and not the tolerance, decides how long steps are (Hairer, Wanner II, IV.2).
// The method says how large h |lambda| was in a step, as a part of what it can take along the negative real axis. Steps that are as long as
// accuracy allows have a small part; where something settles much faster than the motion changes (a stiff spring with a damper, a controller,
// a state of almost no mass), the part stays near 1 whatever the tolerance. Fifteen such steps before six others come are a stiff phase.
// Fast oscillations that nothing damps do not show: explicit methods are stable to about 1 along the imaginary axis, and accuracy asks for more.
// Private to core.
#pragma once

#include <string>

#include <driftless/core/integrator.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

class StiffnessWatch {
 public:
  void step(const StabilityUse& use);  // of an accepted step

  bool limited() const;  // a good part of all steps
  // Since the last calm phase: what an end brought about by short steps may have to do with it.
  bool in_stiff_phase() const { return phase_ >= enough; }
  std::string note(const Shape& shape) const;  // what to tell and what to do

 private:
  static constexpr int enough = 15, calm = 6;

  long steps_ = 0, stiff_ = 0;
  int phase_ = 0, others_ = 0;
  double settling_ = 0;  // sum of 1 / |lambda| in stiff phases
  long counted_ = 0;     // of its terms
};

}  // namespace driftless

// StiffnessWatch: whether the stability of an explicit method, and not the tolerance, decides how long steps are (Hairer, Wanner II, IV.2).
// The method says how large h |lambda| was in a step, as a part of what it can take along the negative real axis. Steps that are as long as
// accuracy allows have a small part; where something settles much faster than the motion changes (a stiff spring with a damper, a controller,
// a state of almost no mass), the part stays near 1 whatever the tolerance. Fifteen such steps before six others come are a stiff phase.
// Vibrations that hardly anything damps are told apart from that by the method (StabilityUse): explicit methods are stable to about 1
// along the imaginary axis, where they are not accurate either, so that steps go up and down there and many are rejected. An implicit method is not
// better at following a vibration.
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
  // Of a run with many rejected steps that something vibrating has brought about; empty: nothing did.
  std::string vibration(long rejected, const Shape& shape) const;

 private:
  static constexpr int enough = 15, calm = 6;

  long steps_ = 0, stiff_ = 0;
  int phase_ = 0, others_ = 0;
  double settling_ = 0;  // sum of 1 / |lambda| in stiff phases
  long counted_ = 0;     // of its terms
  long vibrating_ = 0;   // steps that are a few to a period
  double periods_ = 0;   // sum of 1 / omega in them
};

}  // namespace driftless

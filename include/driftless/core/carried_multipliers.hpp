// CarriedMultipliers: systems whose unknowns contain lambda and kappa, and integrators that leave in a
// state what a step made of these, say so by implementing this as well. Without it the multipliers of an
// accepted state are evaluated at it.
//
// A step's own multipliers have the errors of the step: of order 1 in the first step of a multistep method,
// of a lower order than the state's in Runge-Kutta methods, of the size of the corrector's tolerance. Steps
// are continued with them; whoever shows a state evaluates those that belong to it.
#pragma once

namespace driftless {

enum class Multipliers {
  evaluated,  // at the state, by the law of the formulation
  of_step,    // unknowns of the step
  asked_for   // the same, and an option asks for them: they are shown as they are
};

class CarriedMultipliers {
 public:
  virtual ~CarriedMultipliers() = default;
  // Of a system: what unpack() and complete() leave in a state. Of an integrator: what the last accepted
  // state has.
  virtual Multipliers carried_multipliers() const = 0;
};

// Of a system or an integrator.
template <class Object>
Multipliers carried_multipliers(const Object& object) {
  const auto* carries = dynamic_cast<const CarriedMultipliers*>(&object);
  return carries ? carries->carried_multipliers() : Multipliers::evaluated;
}

// What steps leave in a state. An integrator that carries none has them evaluated, also where they are unknowns of the system.
template <class System, class Integrator>
Multipliers multipliers_left(const System& system, const Integrator& integrator) {
  const bool carries = dynamic_cast<const CarriedMultipliers*>(&integrator) != nullptr;
  return carries ? carried_multipliers(system) : Multipliers::evaluated;
}

}  // namespace driftless

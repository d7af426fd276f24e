// Traits: what is known of a method before anything runs, as plain data. The file of a method fills them in; the rules of what fits with
// what (src/catalog/rules.cpp) and the loop read them. Where options matter they belong to the object that was made with these options.
#pragma once

#include <vector>

#include <driftless/core/system.hpp>

namespace driftless {

// How the equations of a formulation answer a violation by themselves.
enum class OwnAnswer {
  none,
  imposed,  // positions are imposed through velocities: a violation d left over moves them by d/h
  positions,  // the same, and g' is left to the order of the method: to move positions for it is an error in every step
  feedback,  // gains on every level, made to remove all of it within a few steps
};

struct FormulationTraits {
  // What is answered. Without constraints of that kind there is no answer either.
  enum class Answered {
    positions,    // of order 2 and more
    constraints,  // all of them
    anything      // also invariants
  };

  OwnAnswer answer = OwnAnswer::none;
  Answered answered = Answered::constraints;
  bool suits_any_order = false;          // its feedback suits methods that change their order, too
  std::vector<SystemShape> shapes = {};  // that it gives with its options; empty: all that its entry names
};

struct IntegratorTraits {
  bool error_estimate = false;
  bool changes_order = false;      // so that no gains can be made for it
  bool continues_values = false;   // a step continues several past values, not the last one
  bool leaves_velocities = false;  // with g = 0 alone imposed, off the constraints along M^-1 B by design
};

// Equations that answer a violation by themselves have nothing to do beside a stabilizer that leaves nothing of it. One that leaves a
// part, or answers the violation of before the step a second time, may make violations grow together with them.
struct StabilizerTraits {
  bool corrects = false;  // states after a step; what follows says how
  bool late = false;  // what was wrong before the step, so that nothing of the step's own error is removed
  bool leaves_nothing = false;
  bool moves_positions = false;
  bool moves_velocities = false;
  bool positions_for_velocities = false;  // by the transposed rows of g', which reach into the positions
  bool each_level_by_itself = false;      // and every level
  bool along_forces = false;              // of constraint: M^-1 B

  bool removes_errors() const { return corrects && !late; }
};

struct ControllerTraits {
  bool needs_error_estimate = false;
  bool needs_step = false;         // `step` must be given
  bool chooses_order = false;      // of a method that has several
  bool judges_tangential = false;  // errors, less the part that a stabilizer removes
};

struct ControlTraits {
  bool steers_energy = false;
};

}  // namespace driftless

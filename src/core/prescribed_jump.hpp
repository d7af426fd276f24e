// What a constraint prescribes over time and no mechanism can follow: a value, a rate or an acceleration that jumps.
#pragma once

#include <optional>
#include <string>

#include <driftless/core/problem.hpp>

namespace driftless {

struct PrescribedJump {
  int row = 0;    // of the position constraints
  int level = 0;  // 0: the value jumps, 1: its rate, 2: its acceleration
  double t = 0, by = 0;
};

// The first one within `reach` of the state's time, the lowest level before the others; a jump counts beyond 1e-8 of the problem's length (in a
// time of `time_scale` for rates, in its square for accelerations).
std::optional<PrescribedJump> prescribed_jump(const Problem& problem, const State& state, double reach,
                                              double time_scale);

// What jumps, when, by how much and what to do.
std::string jump_text(const Problem& problem, const PrescribedJump& jump);

}  // namespace driftless

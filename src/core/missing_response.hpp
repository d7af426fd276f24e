// What does not respond in M a = f + B lambda, G a + c = 0: constraints that their forces cannot move, and motions without mass. Cold.
#pragma once

#include <string>

#include <driftless/core/problem.hpp>

namespace driftless {

// The position constraints that B lambda does not reach within two derivatives, here and at places around: their index is above 3. Empty: there is
// none, or it is so at this place alone.
std::string constraints_of_high_index(const Problem& problem, double t, VectorIn z);

// The velocities of motions that the constraints allow and that move no mass. Empty: none is found, or it would take long.
std::string massless_motion(const Problem& problem, double t, VectorIn z);

}  // namespace driftless

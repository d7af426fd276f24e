// Implicit methods with one stage, written for F(t, y, y') = 0:
//   F(t_0 + theta h, Y, (Y - y_0)/(theta h)) = 0       a backward Euler step of length theta h,
//   y_1 = Y + (1 - theta)/theta (Y - y_0)              continued to the end
// theta = 1 is backward Euler, theta = 1/2 the implicit midpoint rule.
//
// Newton's method starts at y_0 continued by the slope of the last step, in the first step at y_0 itself, and
// tries y_0 too where the other start fails: y' at a start off the slow motion of a stiff system may be so
// large that a continuation by it leads nowhere.
//
// Between steps, with s in [0, 1]:
//   chord      (1 - s) y_0 + s y_1                                   error h^2
//   parabola   chord + s (1 - s) A^-1 h (f_0 - f_1)/2                error h^3,  A = I - theta h f_y
// A^-1 changes the last term by O(h^3) only, and bounds it where f is stiff: there h f is huge although y is
// not, and Hermite's polynomial would leave the solution between the steps by h |f|/8.
#pragma once

#include <memory>

#include <driftless/core/integrator.hpp>

#include "newton.hpp"

namespace driftless::integrators {

enum class Interpolant { chord, parabola };

struct OneStage {
  double theta = 1;
  Interpolant interpolant = Interpolant::chord;
};

std::unique_ptr<Integrator> implicit_one_step(const OneStage& stage, const NewtonSettings& newton);

}  // namespace driftless::integrators

// Gains that choose themselves: feedback U = - sum_j gains_j g^(j) for g^(m) = U, discretised with step h.
//
// Multistep methods (forward Euler among them) evaluate U at every step anyway, and the discretised loop is linear:
//   (d/dt + s/h)^m g = 0, gains_j = binomial(m, j) (s/h)^(m-j)
// with s = argmin of the spectral radius of y' = -(s/h) y. No other gains have a smaller radius: in d/dt -> w =
// (z - 1)/(h sum_i weights_i z^-i) the loop is a polynomial in w, so that every root of it, real or complex, stands
// for itself, and the best place for one is the best place for all. Where there are several such places (two-step
// Adams-Bashforth: |s| = 2/3, from the double root alpha, beta = (4/3)/h, (4/9)/h^2 to the pair of alpha = (4/9)/h) the
// real one suffers least when h changes.
//
// Implicit multistep methods damp any s at the new point; theirs is Discretization::decay.
//
// Methods with stages would answer the errors of their own stages, which are larger than the drift. There U is
// sampled at the step's start and held; the chain g, g', .., g^(m-1) then obeys
//   x_{n+1} = A x_n + B U_n,   A_ij = moments_{j-i} h^{j-i},   B_i = moments_{m-i} h^{m-i}
// and the gains make it deadbeat, (A - B gains)^m = 0 (Ackermann's formula): 1/h for m = 1; 1/h^2 and 1.5/h for m = 2.
#pragma once

#include <limits>
#include <vector>

#include <driftless/core/discretization.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless {

bool holds_feedback(const Discretization& by);  // U is sampled at the step's start

// s of the multistep methods.
double fastest_decay(const std::vector<double>& weights);

// c_0, .., c_{m-1}: the gain of g^(j) is c_j/h^(m-j).
std::vector<double> feedback_gains(const Discretization& by, int m);

// The step that gains belong to. Steps that differ by roundoff keep it. Gains for a step far shorter than the one before,
// such as the last one of a run, would ask to end in it what drift the longer one left, with a large velocity; and when
// a step is tried again with a smaller size, the correction would be as large in a shorter step, and the error of that
// step no smaller. So it shrinks by a tenth from one step to the next at most.
class GainStep {
 public:
  double value() const { return h_; }  // 0: none yet
  void restore(double h) { h_ = h; }   // of an earlier run, which then goes on with the very same gains
  void renew() { new_ = true; }        // the gains themselves are others
  bool begin(double t, double h);      // a step of size h begins at t; true: other gains than before

 private:
  double h_ = 0, accepted_ = 0;  // of the step that is tried, of the one before
  double t_ = std::numeric_limits<double>::quiet_NaN();
  bool new_ = false;
};

// Spectral radius of the discretised loop with such gains, step 1, for implicit multistep methods at order 1. 0 where the loop is deadbeat. Cold.
double feedback_radius(const Discretization& by, const std::vector<double>& gains);

}  // namespace driftless

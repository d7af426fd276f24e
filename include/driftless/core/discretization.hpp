// Discretization: what an integrator makes of linear feedback, as far as a System must know to choose its gains.
//   multistep   y_{n+1} = y_n + h sum weights_i f_{n-i}   at equal steps; forward Euler has the single weight 1
//   implicit multistep methods for stiff equations damp any decay: there is no best one
//   one step    y_{n+1} = R(h J) y_n for y' = J y,  R(x) = 1 + sum_k moments_k x^k,  k = 1, 2, ..
//               moments_k = b^T A^(k-1) 1 of a Runge-Kutta method, 1/k! up to its order
#pragma once

#include <cstddef>
#include <vector>

namespace driftless {

struct Discretization {
  static constexpr std::size_t enough = 8;  // moments, for systems of any order that occurs

  std::vector<double> weights = {};  // empty: a one-step method
  double decay = 0;  // > 0: an implicit multistep method, which damps y' = -(decay/h) y within a few steps
  std::vector<double> moments = {};  // of a one-step method, the first ones; those that are missing are 1/k!

  bool operator==(const Discretization&) const = default;
};

}  // namespace driftless

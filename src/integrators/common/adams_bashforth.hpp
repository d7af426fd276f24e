// Adams-Bashforth methods of k steps and order k, with steps of any size:
//   y_{n+1} = y_n + integral over [t_n, t_{n+1}] of the polynomial through f_n, .., f_{n-k+1}
//           = y_n + h sum w_i f_{n-i}
// The weights belong to the actual times t_n, .., t_{n-k+1} (Hairer, Norsett, Wanner I, section III.5); at
// equal distances they are the classical ones of section III.1. The first k - 1 steps are the starter's.
//
// f is evaluated once per step, at the accepted state: what a stabilizer moved is in the base and in every f.
//
// Between steps, with P through f_{n+1}, .., f_{n-k+2}, theta = (t - t_n)/h in [0, 1] and
// b = theta^2 (3 - 2 theta):
//   y(t) = y_n + integral over [t_n, t] of P + b (y_{n+1} - y_n - integral over [t_n, t_{n+1}] of P)
// which is continuously differentiable across steps whatever a stabilizer did, and exact to degree k. Inside
// the first k - 1 steps the starter interpolates.
#pragma once

#include <array>
#include <memory>

#include <driftless/core/integrator.hpp>

namespace driftless::integrators {

constexpr int adams_steps_max = 5;
using AdamsValues = std::array<double, adams_steps_max>;

// w_i with integral over [0, x] of the polynomial through (nodes_i, f_i) = sum w_i f_i, for the first `count`
// nodes, which are distinct. Weights beyond them are 0.
AdamsValues integration_weights(const AdamsValues& nodes, int count, double x);

// 2 <= k <= adams_steps_max; the starter is a one-step method.
std::unique_ptr<Integrator> adams_bashforth(int k, std::unique_ptr<Integrator> starter);

}  // namespace driftless::integrators

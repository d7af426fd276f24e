// The steps of RATTLE (rattle.cpp has the equations), solved in velocities. A Problem gives M v' = f - G^T lambda, and with
// P = (M a)_q at a = v, so that P v = M' v along the motion,
//   F = -H_q = f + P v
// V = v(q_0, p_h) and V_1 = v(q_1, p_h), multipliers times h/2:
//   M_0 (V - v_0) + G_0^T nu = (h/2) F(q_0, V),    M_1 (V_1 - V) = (M_0 - M_1) V,    q_1 = q_0 + h/2 (V + V_1),    g(q_1) = 0
//   M_1 (v_1 - V_1) + G_1^T mu = (h/2) F(q_1, V_1),                                  G_1 v_1 + g_t = 0
// The first line is iterated: F, M_1 and g at the last iterate, one saddle-point matrix [M_0, G_0^T; G_1, 0] with the G_1 of where the
// motion leads to second order, renewed only if that is too far away. The rate is of order h where M depends on q or f on v, else h^3.
// The iteration goes on until what it would still change is below roundoff, or until it stops to come nearer; roundoff of q
// appears divided by h in V along M_0^-1 G_0^T, which the second line takes away again. q and v are sums of increments, with what
// rounding cut off carried to the next step. M is taken as constant until it is seen to change; the results are the same bits.
#pragma once

#include <memory>

#include <driftless/core/integrator.hpp>

namespace driftless::integrators {

struct RattleSettings {
  bool any_forces = false;  // also those that are no part of a Hamiltonian system
  int iterations = 100;     // at most
};

std::unique_ptr<Integrator> rattle_steps(const RattleSettings& settings);

}  // namespace driftless::integrators

// rattle: the symplectic integrator of constrained Hamiltonian systems H(q, p) = p^T M(q)^-1 p/2 + V(q), g(q) = 0, of order 2 and
// symmetric, in q and p = M v. With v(q, p) = M(q)^-1 p, F = -H_q and step h,
//   p_h = p_0 + h/2 (F(q_0, v(q_0, p_h)) - G(q_0)^T lambda),     q_1 = q_0 + h/2 (v(q_0, p_h) + v(q_1, p_h)),    g(q_1) = 0
//   p_1 = p_h + h/2 (F(q_1, v(q_1, p_h)) - G(q_1)^T mu),         G(q_1) v(q_1, p_1) + g_t = 0
// Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1.4, (1.26); Jay, SIAM J. Numer. Anal. 33 (1996); Andersen, J. Comput.
// Phys. 52 (1983) for constant M, where it is explicit but for the multipliers. For `index3`, whose g = 0 it imposes; g' = 0 holds, too.
// Fails where the iteration for p_h, lambda and q_1 does not converge: a step in which the mechanism turns by much, stiff damping
// (forces=any).
#include <driftless/core/entries.hpp>

#include "common/rattle_steps.hpp"

namespace driftless::integrators {

namespace {

std::optional<std::string> refuses_shape(const Shape& shape) {
  const std::string others = "use radau5, or `formulation = index2` with half-explicit";
  if (shape.order != 2)
    return "momenta M v belong to systems of order 2, and this one has order " + std::to_string(shape.order) +
           "; " + others;
  if (shape.nk > 0)
    return "systems with velocity constraints are not Hamiltonian, and nothing would be symplectic; " +
           others;
  if (shape.given_input)
    return "B is given and is not G^T, so that constraint forces do work and the system is not "
           "Hamiltonian; " +
           others;
  if (shape.own_kinematics)
    return "q' = N(q) v, and M v is no canonical momentum of such coordinates; " + others;
  return std::nullopt;
}

}  // namespace

IntegratorEntry rattle() {
  return {
      .summary = "RATTLE, order 2, symmetric and symplectic in (q, M v), keeps g = 0 and g' = 0, fixed step",
      .shapes = {SystemShape::mechanical_positions},
      .order = 2,
      .dense_order = 2,
      .options = {{.name = "forces",
                   .fallback = "conservative",
                   .help = "conservative: refuses forces that do not come from energies; any: carries them, "
                           "and is symmetric but not symplectic then",
                   .choices = {"conservative", "any"}},
                  {.name = "iterations",
                   .fallback = "100",
                   .help = "most iterations for the first half of a step",
                   .at_least = 1,
                   .integer = true}},
      .make =
          [](const OptionValues& o) {
            return rattle_steps(
                {.any_forces = o.word("forces") == "any", .iterations = o.integer("iterations")});
          },
      .refuses = refuses_shape};
}

}  // namespace driftless::integrators

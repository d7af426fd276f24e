// direct-regularization: the equation for the multipliers, shifted until it is regular. Petzold, Ren, Maly (1997), (2.12) and (2.13), (4.8):
//   M x^(m) = f - B y,    (G M^-1 B + eps I) y = R
//   R = G M^-1 f + c + sum_j gamma_j g^(j)          c: the curvature, which they leave out for m >= 2; curvature=off does
// It is a soft constraint: g is off by eps y/gamma_0. Options as in `trust-region`.
// Fails where G M^-1 B is not symmetric and positive semidefinite, which it is for B = G^T; and at singular configurations a given
// eps acts earlier than that of `trust-region`, so that drift decides more easily about the branch.
#include <driftless/core/entries.hpp>

#include "common/regularized_formulation.hpp"

namespace driftless::formulations {

FormulationEntry direct_regularization() {
  return {.summary = "baumgarte with G M^-1 B + epsilon I: constraints soft enough for any rank",
          .shapes = {SystemShape::ode, SystemShape::dae},
          .options = regularization_options(
              "(A + epsilon I) y = R with A = G M^-1 B; auto: as small as the size of y allows"),
          .make =
              [](const OptionValues& o) {
                return regularized_formulation(linalg::Damping::shifted, "direct-regularization", o);
              },
          .stabilizer = "none",
          .takes_mass = true};
}

}  // namespace driftless::formulations

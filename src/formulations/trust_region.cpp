// trust-region: multipliers of least size that satisfy the fed-back constraint as well as they can, so that redundant constraints and
// singular configurations do no harm. Petzold, Ren, Maly (1997), (2.10) and (2.11), (4.6) and (4.7), (4.16):
//   M x^(m) = f - B y,    ((G M^-1 B)^T G M^-1 B + eps I) y = (G M^-1 B)^T R
//   R = G M^-1 f + c + sum_j gamma_j g^(j)          c: the curvature, which they leave out for m >= 2; curvature=off does
// For eps = 0 it is `baumgarte`. eps=auto keeps it at roundoff size while |y| stays within three times its recent size, and lets the size
// of y decide where it would not. Gains: common/regularized_formulation.hpp; singular M and scales: common/regularized_forces.hpp.
// Fails over many passages of a singular configuration with feedback=velocity, where drift of positions is amplified by each.
#include <driftless/core/entries.hpp>

#include "common/regularized_formulation.hpp"

namespace driftless::formulations {

FormulationEntry trust_region() {
  return {.summary = "baumgarte with bounded multipliers: through redundant and singular constraints",
          .shapes = {SystemShape::ode, SystemShape::dae},
          .options = regularization_options(
              "(A^T A + epsilon I) y = A^T R with A = G M^-1 B; auto: as small as the size of y allows"),
          .make =
              [](const OptionValues& o) {
                return regularized_formulation(linalg::Damping::least_squares, "trust-region", o);
              },
          .stabilizer = "none",
          .takes_mass = true};
}

}  // namespace driftless::formulations

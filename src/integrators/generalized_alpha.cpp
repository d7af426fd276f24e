// generalized-alpha: Newmark's formulas with an acceleration-like alpha beside the true a = v' (Chung, Hulbert, 1993; for constraints Arnold, Bruls,
// Numer. Algorithms 44, 2007, (8), and, stabilized, Arnold, Bruls, Cardona, Numer. Math. 129, 2015),
//   q_1 = q_0 (+) (h v_0 + h^2 (1/2 - beta) alpha_0 + h^2 beta alpha_1 + h D mu),     v_1 = v_0 + h (1 - gamma) alpha_0 + h gamma alpha_1
//   (1 - alpha_m) alpha_1 + alpha_m alpha_0 = (1 - alpha_f) a_1 + alpha_f a_0
//   M a_1 = f - B lambda - K^T kappa,   0 = w,   0 = g  (`index3`, mu = 0),   or  0 = g and 0 = g'  (`ggl`, D of the step's start)
//   alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),  gamma = 1/2 + alpha_f - alpha_m,  beta = (gamma + 1/2)^2/4
// rho, the spectral radius at infinite frequency, says how much of fast oscillations is left after a step: 1 keeps them (the trapezoidal rule),
// 0 removes them at once; with g = 0 alone imposed 1 is unstable. Order 2 in q, v and the multipliers, which needs starting values of a kind (common/alpha_steps.hpp). (+) is
// addition or, for quaternions, rotation. Fails to be economical at tight tolerances: it has order 2 only.
#include <driftless/core/entries.hpp>

#include "common/alpha_steps.hpp"

namespace driftless::integrators {

namespace {

std::optional<std::string> refuses(const Shape& shape) {
  if (shape.order == 2) return std::nullopt;
  return "it is made of accelerations, and this system has order " + std::to_string(shape.order) +
         "; use bdf or radau5";
}

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> all = newton_options();
  for (OptionSpec& option : all)
    if (option.name == "tolerance") {
      option.fallback = "1e-12";
      option.help = "fixed steps: error left by Newton's method, relative to 1 + |z|";
    }
  all.insert(
      all.begin(),
      {.name = "rho",
       .fallback = "0.8",
       .help = "spectral radius at infinite frequency: 1 keeps fast oscillations, 0 removes them at once",
       .at_least = 0,
       .at_most = 1});
  return all;
}

}  // namespace

IntegratorEntry generalized_alpha() {
  return {.summary = "generalized-alpha method, order 2, damps fast oscillations as wished, adaptive",
          .shapes = {SystemShape::mechanical_positions, SystemShape::mechanical_both},
          .order = 2,
          .traits = {.error_estimate = true, .leaves_velocities = true},
          .dense_order = 2,
          .options = options(),
          .make =
              [](const OptionValues& o) {
                return alpha_steps({.rho = o.number("rho"),
                                    .newton = newton_settings(o),
                                    .tolerance_given = o.given("tolerance")});
              },
          .refuses = refuses};
}

}  // namespace driftless::integrators

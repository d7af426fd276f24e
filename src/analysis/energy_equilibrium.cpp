#include <driftless/analysis/energy_equilibrium.hpp>

#include <cmath>
#include <string>

#include <driftless/core/errors.hpp>

namespace driftless::analysis {

namespace {

constexpr int highest_order = 9;
constexpr double vanishes = 1e-12;

void check(double h, const CircleGains& gains) {
  if (!(h > 0)) throw InputError("the step is " + std::to_string(h) + " (must be above 0)");
  if (!(gains.mu_v > 0))
    throw InputError("mu_v is " + std::to_string(gains.mu_v) +
                     " (must be above 0: without energy control psi does not settle)");
  if (!(gains.beta > 0))
    throw InputError("beta is " + std::to_string(gains.beta) +
                     " (must be above 0: without it Phi does not settle)");
}

CircleEquilibrium at_damping(double c, const CircleGains& gains) {
  return {.Phi = -gains.alpha / gains.beta * c, .Phi_rate = c, .psi = -c / gains.mu_v};
}

// w and R^2 at theta, and how far theta is from a solution.
struct Rotation {
  std::complex<double> w;
  double R2, excess;
};

Rotation rotation(const MultistepMethod& method, double h, const CircleGains& gains, double theta) {
  const std::complex<double> w = discrete_rate(method, h, theta);
  const double R2 = 1 / (1 + 2 * gains.alpha / gains.beta * w.real());
  return {w, R2, R2 * std::norm(w) - 1 + 2 * w.real() / gains.mu_v};
}

}  // namespace

double leading_damping(const MultistepMethod& method, double h) {
  const std::vector<double> a = truncation_coefficients(method, highest_order);
  double sign = 1;
  for (int k = 1; k <= highest_order; k += 2, sign = -sign)
    if (const double a_k = a[static_cast<std::size_t>(k)]; std::abs(a_k) > vanishes)
      return sign * a_k * std::pow(h, k);
  throw InputError("the method has no damping error up to h^" + std::to_string(highest_order) +
                   "; its errors on the circle are of higher order");
}

CircleEquilibrium leading_equilibrium(const MultistepMethod& method, double h, const CircleGains& gains) {
  check(h, gains);
  return at_damping(leading_damping(method, h), gains);
}

CircleEquilibrium predicted_equilibrium(const MultistepMethod& method, double h, const CircleGains& gains) {
  CircleEquilibrium result = leading_equilibrium(method, h, gains);
  const double a1h = truncation_coefficients(method, 1)[1] * h;
  if (std::abs(a1h) > vanishes * h) result.Phi *= (1 - 2 * a1h / gains.mu_v) / (1 + 2 * a1h * a1h);
  return result;
}

// By the secant method from the exact motion, theta = h.
CircleEquilibrium discrete_equilibrium(const MultistepMethod& method, double h, const CircleGains& gains) {
  check(h, gains);
  double theta = h, last = h * (1 - 1e-4);
  Rotation here = rotation(method, h, gains, theta), before = rotation(method, h, gains, last);
  for (int i = 0; i < 50; ++i) {
    const double slope = (here.excess - before.excess) / (theta - last);
    const double next = theta - here.excess / slope;
    if (!std::isfinite(next) || next <= 0 || next > 3 * h) break;
    last = theta;
    before = here;
    theta = next;
    here = rotation(method, h, gains, theta);
    if (std::abs(theta - last) > 4e-16 * theta && here.excess != 0) continue;
    if (!(here.R2 > 0)) break;
    return {.Phi = (here.R2 - 1) / 2,
            .Phi_rate = here.R2 * here.w.real(),
            .psi = -here.w.real() / gains.mu_v,
            .omega = theta / h};
  }
  throw InputError("the discretised circle has no equilibrium near the exact motion for h = " +
                   std::to_string(h) + "; use a smaller step or larger gains");
}

}  // namespace driftless::analysis

#include <driftless/analysis/truncation.hpp>

#include <cmath>
#include <string>

#include <driftless/core/errors.hpp>

namespace driftless::analysis {

namespace {

// Coefficients of sum_j c_j e^(-j u) as a power series in u.
std::vector<double> exponential_series(const std::vector<double>& c, int last) {
  std::vector<double> series(static_cast<std::size_t>(last) + 1, 0.0);
  for (std::size_t j = 0; j < c.size(); ++j) {
    double term = c[j];  // c_j (-j)^k / k!
    for (std::size_t k = 0; k < series.size(); ++k) {
      series[k] += term;
      term *= -static_cast<double>(j) / static_cast<double>(k + 1);
    }
  }
  return series;
}

double size_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

}  // namespace

MultistepMethod forward_euler() {
  return {};
}

MultistepMethod adams_method(const std::vector<double>& b) {
  MultistepMethod method{.rho = {1, -1}, .sigma = {0}};
  method.sigma.insert(method.sigma.end(), b.begin(), b.end());
  return method;
}

// By backward differences: b = sum_m gamma_m nabla^m, gamma_m + gamma_{m-1}/2 + .. + gamma_0/(m+1) = 1
// (Hairer, Norsett, Wanner I, III.1).
MultistepMethod adams_bashforth(int steps) {
  if (steps < 1)
    throw InputError("Adams-Bashforth methods have at least 1 step, not " + std::to_string(steps));
  const auto n = static_cast<std::size_t>(steps);
  std::vector<double> gamma(n), b(n, 0.0), difference = {1};  // difference: the weights of nabla^m
  for (std::size_t m = 0; m < n; ++m) {
    gamma[m] = 1;
    for (std::size_t i = 0; i < m; ++i) gamma[m] -= gamma[i] / static_cast<double>(m - i + 1);
    for (std::size_t i = 0; i <= m; ++i) b[i] += gamma[m] * difference[i];
    difference.push_back(0);
    for (std::size_t i = m + 1; i > 0; --i) difference[i] -= difference[i - 1];
  }
  return adams_method(b);
}

std::vector<double> truncation_coefficients(const MultistepMethod& method, int last) {
  if (last < 0)
    throw InputError("the last truncation coefficient wanted is a_" + std::to_string(last) +
                     " (at least a_0)");
  // A = sigma/(rho/u); rho begins with u if the method is consistent.
  const std::vector<double> rho = exponential_series(method.rho, last + 1),
                            sigma = exponential_series(method.sigma, last);
  const double roundoff = 1e-12 * (size_of(method.rho) + size_of(method.sigma));
  if (std::abs(rho[0]) > roundoff || std::abs(rho[1] - sigma[0]) > roundoff || std::abs(rho[1]) <= roundoff)
    throw InputError("the multistep method is not consistent: rho(1) = " + std::to_string(rho[0]) +
                     " (must be 0), rho'(1) = " + std::to_string(rho[1]) + " and sigma(1) = " +
                     std::to_string(sigma[0]) + " (must be equal); check its coefficients");
  std::vector<double> a(static_cast<std::size_t>(last) + 1);
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k] = sigma[k];
    for (std::size_t i = 0; i < k; ++i) a[k] -= a[i] * rho[k - i + 1];
    a[k] /= rho[1];
  }
  return a;
}

// rho sums to 0, so that e^-ix - 1 may be summed instead of e^-ix: without it small theta would cancel.
std::complex<double> discrete_rate(const MultistepMethod& method, double h, double theta) {
  std::complex<double> rho = 0, sigma = 0;
  for (std::size_t j = 0; j < method.rho.size(); ++j) {
    const double x = static_cast<double>(j) * theta, half = std::sin(x / 2);
    rho += method.rho[j] * std::complex<double>(-2 * half * half, -std::sin(x));
  }
  for (std::size_t j = 0; j < method.sigma.size(); ++j)
    sigma += method.sigma[j] * std::polar(1.0, -static_cast<double>(j) * theta);
  return rho / (h * sigma);
}

}  // namespace driftless::analysis

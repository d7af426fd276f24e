#include "convergence/tolerance_fit.hpp"

#include <cmath>

#include "support/reference_error.hpp"

namespace driftless::tests {

const std::vector<ToleranceCase>& tolerance_cases() {
  static const std::vector<ToleranceCase> cases = {
      {"andrews", "Andrews' squeezing mechanism", "recomputed, 15 digits"},
      {"car-axis", "car axis on a bumpy road", "test set, 21 digits"},
      {"sundials-slider-crank", "slider-crank of SUNDIALS' example idaSlCrank", "recomputed, ten decimals"}};
  return cases;
}

const std::vector<Method>& bdf_methods() {
  static const std::vector<Method> methods = {
      {.formulation = "ggl", .integrator = "bdf"},
      {.formulation = "index1", .integrator = "bdf", .stabilizer = "post"}};
  return methods;
}

ToleranceFit fit_tolerances(const std::string& problem, const Method& method) {
  ToleranceFit fit;
  std::vector<double> x, y;
  for (int j = loosest; j <= tightest; ++j) {
    fit.errors.push_back(q_error_at_end(problem, method, std::pow(10, -j / 2.0)));
    x.push_back(-j / 2.0);
    y.push_back(std::log10(fit.errors.back()));
  }
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, rest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  fit.slope = xy / xx;
  for (std::size_t i = 0; i < x.size(); ++i) rest += std::pow(y[i] - mean_y - fit.slope * (x[i] - mean_x), 2);
  fit.scatter = std::sqrt(rest / (n - 2));
  return fit;
}

}  // namespace driftless::tests

#include <driftless/core/step_controller.hpp>

#include <algorithm>
#include <cmath>

namespace driftless {

double Tolerance::norm(VectorIn error, VectorIn a, VectorIn b) const {
  double sum = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i) {
    const double scaled = error(i) / (atol + rtol * std::max(std::abs(a(i)), std::abs(b(i))));
    sum += scaled * scaled;
  }
  return std::sqrt(sum / static_cast<double>(error.size()));
}

}  // namespace driftless

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

double error_size(const Step& step, const Tolerance& tolerance, VectorIn from) {
  const double size = tolerance.norm(*step.error, from, step.state->z);
  if (!step.second_error || size == 0) return size;
  return size * (size / std::hypot(size, 0.1 * tolerance.norm(*step.second_error, from, step.state->z)));
}

}  // namespace driftless

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

namespace {

double norm_of(VectorIn error, const Step& step, const Tolerance& tolerance, VectorIn from) {
  return step.sizes ? tolerance.norm(error, *step.sizes, *step.sizes)
                    : tolerance.norm(error, from, step.state->z);
}

}  // namespace

double error_size(const Step& step, const Tolerance& tolerance, VectorIn from) {
  const double size = norm_of(*step.error, step, tolerance, from);
  if (!step.second_error || size == 0) return size;
  return size * (size / std::hypot(size, 0.1 * norm_of(*step.second_error, step, tolerance, from)));
}

OrderSizes order_sizes(const Step& step, const Tolerance& tolerance, VectorIn from) {
  const auto size = [&](const Vector* error) {
    return error ? std::optional(norm_of(*error, step, tolerance, from)) : std::nullopt;
  };
  const OrderErrors& at = step.orders;
  return {step.order, size(at.two_below), size(at.below), size(at.same), size(at.above)};
}

}  // namespace driftless

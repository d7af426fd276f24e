#include <driftless/core/step_controller.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <driftless/core/problem.hpp>

namespace driftless {

namespace {

// The largest speed that errors of velocities are compared with where there is no motion: 1, and for mechanisms of more than a kilometre what an
// acceleration of 1 makes of their length. Roundoff of positions comes back in velocities divided by the step, and steps of large mechanisms that
// are judged by 1 m/s never rise out of it.
double ordinary_speed(double length) {
  return std::max(1.0, std::min(length / 1024, std::sqrt(length)));
}

}  // namespace

Tolerance Tolerance::of(std::optional<double> rtol, std::optional<double> atol) {
  const double relative = rtol.value_or(Tolerance{}.rtol);
  return {.rtol = relative, .atol = atol.value_or(rtol ? relative : Tolerance{}.atol)};
}

Tolerance Tolerance::of(std::optional<double> rtol, std::optional<double> atol, const Problem& problem) {
  Tolerance tolerance = of(rtol, atol);
  const Shape& s = problem.shape();
  const Scales scales = problem.scales(0, Vector::Zero(s.nq));
  const Vector& sizes = scales.error_sizes;
  if (sizes.size() == 0) return tolerance;
  tolerance.reaches.resize(sizes.size());
  tolerance.reaches.head(s.nq) = scales.coordinates;
  tolerance.reaches.tail(s.nv).setConstant(std::numeric_limits<double>::infinity());
  tolerance.by_sizes = !atol;
  if (atol) {
    tolerance.floors = Vector::Constant(sizes.size(), *atol);
  } else {
    tolerance.floors = tolerance.rtol * sizes;
    tolerance.floors.tail(s.nv) =
        tolerance.floors.tail(s.nv).cwiseMin(tolerance.rtol * ordinary_speed(scales.length));
  }
  const Vector moves =
      sizes.tail(s.nv);  // a displacement of a body is as large as it is in a second at this speed
  tolerance.displacements = tolerance.rtol * moves;
  tolerance.displacements += atol ? Vector::Constant(s.nv, *atol) : Vector(tolerance.displacements);
  return tolerance;
}

Tolerance Tolerance::times(double factor) const {
  Tolerance tolerance = *this;
  tolerance.rtol *= factor, tolerance.atol *= factor;
  tolerance.floors *= factor, tolerance.displacements *= factor;
  return tolerance;
}

std::string Tolerance::text() const {
  return by_sizes ? fmt::format("rtol = {:g} (atol by the size of bodies)", rtol)
                  : fmt::format("rtol = {:g} and atol = {:g}", rtol, atol);
}

double Tolerance::norm(VectorIn error, VectorIn a, VectorIn b) const {
  double sum = 0;
  // Systems in coordinates of their own have less entries than State::z, and these have no sizes.
  const Eigen::Index sized = error.size() >= floors.size() ? floors.size() : 0;
  for (Eigen::Index i = 0; i < sized; ++i) {
    const double magnitude = std::min(std::max(std::abs(a(i)), std::abs(b(i))), reaches(i));
    const double scaled = error(i) / (floors(i) + rtol * magnitude);
    sum += scaled * scaled;
  }
  for (Eigen::Index i = sized; i < error.size(); ++i) {
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

#include "extrapolation.hpp"

#include <array>
#include <cmath>

namespace driftless::problems {

namespace {

constexpr int columns = 8;

// The increment of y, not y: extrapolation magnifies the roundoff of what it is given some hundred times.
Vector midpoint(const std::function<Vector(double, const Vector&)>& f, double t, const Vector& y, double h,
                int substeps) {
  const double s = h / substeps;
  Vector before = Vector::Zero(y.size()), now = s * f(t, y);
  for (int i = 1; i < substeps; ++i) {
    Vector next = before + 2 * s * f(t + i * s, y + now);
    before = std::move(now);
    now = std::move(next);
  }
  return now;
}

// Aitken and Neville's scheme in h^2, along one row of the table after the other.
Vector step(const std::function<Vector(double, const Vector&)>& f, double t, const Vector& y, double h) {
  std::array<Vector, columns> row;
  for (int j = 0; j < columns; ++j) {
    Vector value = midpoint(f, t, y, h, 2 * (j + 1));
    for (int k = 0; k < j; ++k) {
      Vector& left = row[static_cast<std::size_t>(k)];
      const double ratio = static_cast<double>(j + 1) / (j - k);
      const Vector better = value + (value - left) / (ratio * ratio - 1);
      left = std::move(value);
      value = better;
    }
    row[static_cast<std::size_t>(j)] = std::move(value);
  }
  return row.back();
}

}  // namespace

Vector extrapolated(const std::function<Vector(double, const Vector&)>& f, double t0, Vector y, double t,
                    double longest_step) {
  const double steps = std::ceil(std::abs(t - t0) / longest_step), h = steps > 0 ? (t - t0) / steps : 0;
  for (int i = 0; i < static_cast<int>(steps); ++i) y += step(f, t0 + i * h, y, h);
  return y;
}

}  // namespace driftless::problems

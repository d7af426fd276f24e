// Splines: functions y(x) through given points that are smooth there too, between any two points a polynomial of degree 3 or 5.
//
//   x_i <= x <= x_{i+1}   y = c0 + c1 h + .. + c5 h^5,  h = x - x_i
//   degree 3              y, y', y'' continuous
//   degree 5              y to y'''' continuous
//
// Why two degrees: the error of a step is known only where the accelerations are smooth in it, twice differentiable at the least.
// What is a force needs y'' continuous, for it enters them itself. What is a motion or a curve enters by its second derivative, and
// has to have two more that are continuous. The lower degree is better where it suffices: near a sharp bend it overshoots less.
// Why these splines: the error is O(h^(degree + 1)), and a condition at one point is felt only near it. They overshoot where points bend
// sharply, without bound where two of them stand close together: for points that are smooth, and for curves in the plane (profile.hpp).
// Why not-a-knot ends (the first (degree + 1)/2 pieces are one polynomial, and so are the last): the error keeps its order up to the
// ends, and every polynomial up to the degree comes out exactly; natural ends (y'' = 0) would spoil the outer pieces to O(h^2). Too
// few points for the degree give the polynomial through them: 3 their parabola, 2 their line.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace driftless::mechanics {

// One piece, in h = x - at; for any scalar.
struct Polynomial {
  double at = 0;
  std::array<double, 6> c = {};

  template <class T>
  T value(const T& h) const {
    return c[0] + h * (c[1] + h * (c[2] + h * (c[3] + h * (c[4] + h * c[5]))));
  }
  template <class T>
  T slope(const T& h) const {
    return c[1] + h * (2 * c[2] + h * (3 * c[3] + h * (4 * c[4] + h * (5 * c[5]))));
  }
  template <class T>
  T second_derivative(const T& h) const {
    return 2 * c[2] + h * (6 * c[3] + h * (12 * c[4] + h * (20 * c[5])));
  }
  // The integral from 0 to h.
  template <class T>
  T area(const T& h) const {
    return h * (c[0] + h * (c[1] / 2 + h * (c[2] / 3 + h * (c[3] / 4 + h * (c[4] / 5 + h * (c[5] / 6))))));
  }
};

// Through n >= 2 points, x_i increasing: a line with the slope at the end, n - 1 pieces, a line. The degree is 3 or 5.
std::vector<Polynomial> open_spline(std::span<const double> x, std::span<const double> y, int degree);

// With y and as many derivatives the same at both ends, through n + 1 >= 4 points of which the last repeats the first y: n pieces.
std::vector<Polynomial> periodic_spline(std::span<const double> x, std::span<const double> y, int degree);

// Which piece holds x where they change at `breaks` (one fewer than pieces). The last of them belongs to the piece before it, so
// that derivatives at both ends of an open spline are those inside.
std::size_t piece_at(std::span<const double> breaks, double x);

}  // namespace driftless::mechanics

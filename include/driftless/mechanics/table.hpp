// Table: a smooth function y(x) through points that a user measured or prescribes (the curve of a spring, a given motion).
//
//   x_i <= x <= x_{i+1}   y = c0 + c1 h + c2 h^2 + c3 h^3,  h = x - x_i,   with y, y', y'' continuous
//   beyond the ends       the straight line with the slope there
//
// Why a cubic spline with y'' continuous: a spring's stiffness is y' and a prescribed motion's acceleration y''. Newton's method and
// the error estimate of a step need the one smooth and the other without jumps; interpolants that never overshoot (Akima, monotone
// cubics) have jumps in y'' at every point. The price: near a sharp bend the spline overshoots a little; points close to each other
// on both sides of it help.
// Why not-a-knot ends (the first two pieces are one cubic, and the last two): the error is O(h^4) up to the ends and every cubic
// comes out exactly; natural ends (y'' = 0) would spoil the outer pieces to O(h^2). 3 points give their parabola, 2 their line.
// Why lines beyond the ends: continued cubics grow with the cube of the overrun, and a spring may begin to pull where it should
// push. There y'' jumps (to 0) at the ends: where a motion gets that far, give the table more points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <driftless/autodiff/scalar.hpp>

namespace driftless::mechanics {

// One piece of a spline, in h = x - at.
struct Cubic {
  double at = 0, c0 = 0, c1 = 0, c2 = 0, c3 = 0;

  template <class T>
  T value(const T& h) const {
    return c0 + h * (c1 + h * (c2 + h * c3));
  }
  template <class T>
  T slope(const T& h) const {
    return c1 + h * (2 * c2 + h * (3 * c3));
  }
  template <class T>
  T second_derivative(const T& h) const {
    return 2 * c2 + h * (6 * c3);
  }
  // The integral from 0 to h.
  template <class T>
  T area(const T& h) const {
    return h * (c0 + h * (c1 / 2 + h * (c2 / 3 + h * (c3 / 4))));
  }
};

// The spline of the head comment through n >= 2 points, x_i increasing: a line, n - 1 cubics, a line.
std::vector<Cubic> open_spline(std::span<const double> x, std::span<const double> y);

// The spline with y, y', y'' the same at both ends, through n + 1 >= 4 points of which the last repeats the first y: n cubics.
std::vector<Cubic> periodic_spline(std::span<const double> x, std::span<const double> y);

// Which piece holds x where they change at `breaks` (one fewer than pieces). The last of them belongs to the piece before it, so
// that derivatives at both ends of an open spline are those inside.
std::size_t piece_at(std::span<const double> breaks, double x);

class Table {
 public:
  // At least 2 points, x strictly increasing; else InputError.
  Table(const std::vector<double>& x, const std::vector<double>& y);

  // For any autodiff scalar; no memory is allocated. The piece is chosen by the innermost value.
  template <autodiff::Scalar T>
  T value(const T& x) const {
    const Cubic& piece = pieces_[index(x)];
    return piece.value(T(x - piece.at));
  }
  template <autodiff::Scalar T>
  T slope(const T& x) const {
    const Cubic& piece = pieces_[index(x)];
    return piece.slope(T(x - piece.at));
  }
  template <autodiff::Scalar T>
  T second_derivative(const T& x) const {
    const Cubic& piece = pieces_[index(x)];
    return piece.second_derivative(T(x - piece.at));
  }
  // The integral from the first argument to x, continuation included: what a potential energy is made of.
  template <autodiff::Scalar T>
  T antiderivative(const T& x) const {
    const std::size_t i = index(x);
    return areas_[i] + pieces_[i].area(T(x - pieces_[i].at));
  }
  double integral(double from, double to) const { return antiderivative(to) - antiderivative(from); }

  double first_argument() const { return breaks_.front(); }
  double last_argument() const { return breaks_.back(); }

 private:
  template <class T>
  std::size_t index(const T& x) const {
    using autodiff::value_of;
    return piece_at(breaks_, value_of(x));
  }

  std::vector<double> breaks_;  // the arguments
  std::vector<Cubic> pieces_;   // one more
  std::vector<double> areas_;   // antiderivative where a piece has h = 0
};

}  // namespace driftless::mechanics

// Table: a smooth function y(x) through points that a user measured or prescribes (the curve of a spring, a given motion).
//
//   between the points   a spline (spline.hpp): cubic where y is a force, quintic where it is a motion
//   beyond the ends      the straight line with the slope there
//
// Why two kinds: the accelerations a and the multipliers lambda solve
//   M a + G^T lambda = f     a spring's curve enters by its value: f has y(q)
//   G a = y'' + ..           a prescribed motion y(t) enters by its second derivative
// A cubic has y'' continuous: a spring's force is as smooth as Newton's method and the error estimate of a step want it, and
// overshoots least near a sharp bend (points close to each other on both sides of it help). A cubic motion would give a and lambda
// a kink at every point, and steps that reach across one errors that no estimate sees. The quintic, with y'''' continuous, makes
// them as smooth as the spring does.
// Why lines beyond the ends: continued polynomials grow with a power of the overrun, and a spring may begin to pull where it should
// push. There y'' jumps (to 0) at the ends: where a motion gets that far, give the table more points.
#pragma once

#include <cstddef>
#include <vector>

#include <driftless/autodiff/scalar.hpp>
#include <driftless/mechanics/spline.hpp>

namespace driftless::mechanics {

class Table {
 public:
  // At least 2 points, x strictly increasing; else InputError.
  Table(const std::vector<double>& x, const std::vector<double>& y) : Table(x, y, 3) {}
  // The quintic through the same points. Motion asks for it itself.
  Table for_motion() const;

  // For any autodiff scalar; no memory is allocated. The piece is chosen by the innermost value.
  template <autodiff::Scalar T>
  T value(const T& x) const {
    const Polynomial& piece = pieces_[index(x)];
    return piece.value(T(x - piece.at));
  }
  // The integral from the first argument to x, continuation included: what a potential energy is made of.
  template <autodiff::Scalar T>
  T antiderivative(const T& x) const {
    const std::size_t i = index(x);
    return areas_[i] + pieces_[i].area(T(x - pieces_[i].at));
  }

  double first_argument() const { return breaks_.front(); }
  double last_argument() const { return breaks_.back(); }

 private:
  Table(const std::vector<double>& x, const std::vector<double>& y, int degree);

  template <class T>
  std::size_t index(const T& x) const {
    using autodiff::value_of;
    return piece_at(breaks_, value_of(x));
  }

  std::vector<double> breaks_;      // the arguments
  std::vector<Polynomial> pieces_;  // one more
  std::vector<double> areas_;       // antiderivative where a piece has h = 0
};

}  // namespace driftless::mechanics

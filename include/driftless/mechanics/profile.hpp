// Profile: a smooth curve C(u) in the plane through given points, and how far a point p is from it: what a point on a curve needs.
//
// u is the length of the chords up to a point, each coordinate a quintic spline of u (spline.hpp): periodic where the curve is closed,
// else with not-a-knot ends and continued beyond them by its tangent lines. Direction, normal and curvature, seen along growing u:
//   t = C'/|C'|,   n = t turned left by 90 degrees,   kappa = (x' y'' - y' x'')/|C'|^3     (positive where the curve turns left)
// The distance has a sign, positive LEFT of the direction in which the points were given: inside a closed curve that runs
// counter-clockwise, outside one that runs clockwise. At the foot point u, the nearest on the curve, (C(u) - p) . C'(u) = 0 and
//   phi = n . (p - C(u)).
// Moving p = C + phi n, with dC = t ds and dn = -kappa t ds, gives dp = (1 - kappa phi) t ds + n dphi, and so
//   grad phi = n,   Hessian = dn/dp = -kappa/(1 - kappa phi) t t^T.
// Why quintic: a point that is to stay on the curve has phi'' = 0, that is n . a = kappa (t . v)^2. The acceleration a is as smooth
// along the curve as kappa, and errors of steps are known only where it is twice differentiable. So is kappa here, because C has
// four derivatives that are continuous; with cubics it would have a kink at every given point.
// Its distance from the curve that the points were taken from: O(d^6) where the distances d of neighbours change little by little,
// O(d^4) where they do so at random, for then the length of chords is not smooth along that curve.
// It fails at a centre of curvature (kappa phi = 1: infinite), and where two points of the curve are equally near: phi has a kink
// there, or jumps where they show p different sides. Near the curve that is so only where it crosses itself, or where the tangent
// lines of an open one, which belong to it, come back to it; and at the ends of an open one kappa drops to 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <driftless/autodiff/dual_jet.hpp>
#include <driftless/mechanics/spline.hpp>

namespace driftless::mechanics {

// The order up to which a scalar carries derivatives, mixed ones included.
template <class T>
constexpr inline int derivative_order = 0;
template <int N, class T>
constexpr inline int derivative_order<autodiff::Dual<N, T>> = 1 + derivative_order<T>;
template <int K, class T>
constexpr inline int derivative_order<autodiff::Jet<K, T>> = K + derivative_order<T>;
template <int N, int K, class T>
constexpr inline int derivative_order<autodiff::DualJet<N, K, T>> = std::max(1, K) + derivative_order<T>;

struct ProfileDistance {
  double value = 0;
  double dx = 0, dy = 0;
  double dxx = 0, dxy = 0, dyy = 0;
};

// C and its derivatives by u.
struct ProfilePoint {
  double x = 0, y = 0, dx = 0, dy = 0, ddx = 0, ddy = 0;
};

class Profile {
 public:
  enum class Kind { open, closed };

  // Open: at least 2 points. Closed: at least 4, not all on a line; the last may repeat the first. Else InputError.
  Profile(const std::vector<double>& x, const std::vector<double>& y, Kind kind);

  // The signed distance for any autodiff scalar, its derivatives exact to the order that T carries; no memory is allocated.
  template <autodiff::Scalar T>
  T distance(const T& x, const T& y) const;
  // The same with derivatives by the formulas above.
  ProfileDistance second_order(double x, double y) const;

  // u of the point of the curve that is nearest to (x, y).
  double nearest(double x, double y) const;
  // u runs from 0 to end(). Beyond, a closed curve begins again, and an open one continues straight on.
  double end() const { return end_; }
  ProfilePoint at(double u) const;
  double curvature(double u) const;
  // Along the curve from 0 to end().
  double length() const { return length_; }
  Kind kind() const { return kind_; }

 private:
  // Where the nearest point is, and the slope by u of (C - p) . C' there: |C'|^2 (1 - kappa phi).
  struct Foot {
    std::size_t piece = 0;
    double h = 0, slope = 0;
  };
  // A point of the curve; d/dh there.
  struct Sample {
    double h = 0, x = 0, y = 0, dx = 0, dy = 0;
  };
  // A piece, the samples on it and half its length.
  struct Run {
    std::size_t piece = 0, first = 0, last = 0;
    double reach = 0;
  };
  Foot foot(double x, double y) const;
  double root(std::size_t piece, double from, double to, double x, double y) const;
  ProfilePoint on_piece(std::size_t piece, double h) const;
  void take_samples();

  Kind kind_;
  double end_ = 0, length_ = 0, roundoff_ = 0;  // roundoff: of u
  std::vector<double> breaks_;                  // where pieces change
  std::vector<Polynomial> x_, y_;               // an open curve's first and last are its tangent lines
  std::vector<Sample> samples_;
  std::vector<Run> runs_;
};

// A step of Newton's method with the slope as it is on double makes u exact to one order more: without a step it is exact to order 0.
// And phi is stationary in u at the foot point (d phi/du = -kappa |C'| t . (p - C) = 0), so that u exact to order m gives
// phi exact to order 2 m + 1. The value of u stays as found, so that the value of phi does not depend on T.
template <autodiff::Scalar T>
T Profile::distance(const T& x, const T& y) const {
  using autodiff::sqrt, autodiff::value_of;
  const Foot found = foot(value_of(x), value_of(y));
  const Polynomial &cx = x_[found.piece], &cy = y_[found.piece];
  T h(found.h);
  for (int m = 0; m < derivative_order<T> / 2; ++m) {
    const T condition = (cx.value(h) - x) * cx.slope(h) + (cy.value(h) - y) * cy.slope(h);
    h -= (condition - value_of(condition)) / found.slope;
  }
  const T dx = cx.slope(h), dy = cy.slope(h);
  return (dx * (y - cy.value(h)) - dy * (x - cx.value(h))) / sqrt(dx * dx + dy * dy);
}

}  // namespace driftless::mechanics

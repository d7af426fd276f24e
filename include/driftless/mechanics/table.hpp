// Table: a function y(x) through points that a user measured or prescribes (the curve of a spring, a given motion).
//
//   between the points      pchip    keeps their shape: never beyond two neighbours, flat where they are level (monotone_pieces.hpp)
//                           linear   straight lines
//                           spline   as smooth as can be, and beyond the points where they bend sharply (spline.hpp)
//   beyond the ends         hold     the value of the end
//                           linear   the straight line with the slope there
//                           error    none: NaN, which ends a run with the sentence of `fault`
//
// Each comes in two degrees, because the accelerations a and the multipliers lambda solve
//   M a + G^T lambda = f     a spring's curve enters by its value: f has y(q)
//   G a = y'' + ..           a prescribed motion y(t) enters by its second derivative
// A force needs y and a slope for Newton's method: cubic pieces. A motion needs y'' without jumps: quintic ones, through the same points.
// Why pchip where nothing is said: a spline of nine points on a bump of 0.05 rises to 5343 where two of them stand close together.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <driftless/autodiff/scalar.hpp>
#include <driftless/mechanics/spline.hpp>

namespace driftless::mechanics {

enum class Interpolation { linear, pchip, spline };
enum class Outside { hold, linear, error };

// In which units messages tell a table's numbers: SI for one of them, and its name.
struct TableUnits {
  double x = 1, y = 1;
  std::string x_name = {}, y_name = {};
};

struct TableOptions {
  Interpolation interpolation = Interpolation::pchip;
  Outside outside = Outside::hold;
  TableUnits units = {};
};

class Table {
 public:
  // At least 2 points, x strictly increasing; else InputError.
  Table(const std::vector<double>& x, const std::vector<double>& y, const TableOptions& options = {})
      : Table(x, y, options, 3) {}
  // The same points by pieces whose second derivatives meet, those of `linear` excepted. Motion asks for it itself.
  Table for_motion() const;

  // For any autodiff scalar; no memory is allocated. The piece is chosen by the innermost value.
  template <autodiff::Scalar T>
  T value(const T& x) const {
    const std::size_t i = index(x);
    if ((i == 0 || i == breaks_.size()) && options_.outside == Outside::error &&
        beyond(autodiff::value_of(x)))
      return T(std::numeric_limits<double>::quiet_NaN());
    return pieces_[i].value(T(x - pieces_[i].at));
  }
  // The integral from the first argument to x, what lies beyond the ends included (straight on, where that is an error): what a
  // potential energy is made of.
  template <autodiff::Scalar T>
  T antiderivative(const T& x) const {
    const std::size_t i = index(x);
    return areas_[i] + pieces_[i].area(T(x - pieces_[i].at));
  }

  double first_argument() const { return breaks_.front(); }
  double last_argument() const { return breaks_.back(); }
  // By more than the roundoff of a joint that is driven to the end.
  bool beyond(double x) const {
    const double slack = 1e-9 * (breaks_.back() - breaks_.front());
    return x < breaks_.front() - slack || x > breaks_.back() + slack;
  }
  const TableOptions& options() const { return options_; }
  const std::vector<double>& arguments() const { return breaks_; }
  // The piece up to argument i, and from there on; those before the first and after the last are what lies outside.
  const Polynomial& piece_before(std::size_t i) const { return pieces_[i]; }
  const Polynomial& piece_after(std::size_t i) const { return pieces_[i + 1]; }

  // "at 0.06 m, beyond its points (-0.05 to 0.05 m)"
  std::string told_beyond(double x) const;
  // Why there is no value at x; empty: there is one.
  std::string fault(double x) const;

 private:
  Table(const std::vector<double>& x, const std::vector<double>& y, const TableOptions& options, int degree);

  template <class T>
  std::size_t index(const T& x) const {
    using autodiff::value_of;
    return piece_at(breaks_, value_of(x));
  }

  TableOptions options_;
  std::vector<double> breaks_;      // the arguments
  std::vector<Polynomial> pieces_;  // one more
  std::vector<double> areas_;       // antiderivative where a piece has h = 0
};

// A number in a unit, in which SI for one is `unit`: "60 mm".
std::string amount_text(double si, double unit, const std::string& name);

}  // namespace driftless::mechanics

// y = sum_j a_j N_j(x), with the B-splines N_j of degree p on knots t: N_j > 0 between t_j and t_{j+p+1}, elsewhere 0. The rows
//   sum_j N_j(x_i) a_j = y_i
// have entries near the diagonal alone (de Boor, A Practical Guide to Splines, ch. IX, X and XIII).
//   open       knots: each end p + 1 times, between them the points without the (p - 1)/2 next to each end; a_0 .. a_{n-1}
//   periodic   knots: the points, over and over; a_{j+n} = a_j, so that the first rows and the last reach around the corner
// The matrix of an open spline is totally positive (no minor is negative). Elimination from the first row on keeps it so, and no
// entry grows: pivots need not be exchanged. Of a periodic one that is true once the last (p - 1)/2 unknowns are set aside. It has
// one solution for any number of points: the difference of two has zeros at all of them, hence the integral of y''^2 (degree 5: of
// y'''^2) over the period is 0, and so is y.
// Then the slopes at the points, for degree 5 the second derivatives too, make the pieces (hermite.hpp), so that these meet however large
// the roundoff in the a_j.
#include <driftless/mechanics/spline.hpp>

#include <algorithm>

#include "mechanics/hermite.hpp"

namespace driftless::mechanics {

namespace {

using Local = std::array<double, 6>;  // of the p + 1 B-splines that are not zero at a place
using std::size_t;

// A matrix with `reach` entries on each side of the diagonal. Solves by elimination without exchanges.
class Band {
 public:
  Band(size_t size, size_t reach) : size_(size), reach_(reach), entries_(size * (2 * reach + 1)) {}
  double& at(size_t row, size_t column) { return entries_[row * 2 * reach_ + reach_ + column]; }

  void eliminate() {
    for (size_t k = 0; k < size_; ++k)
      for (size_t i = k + 1; i < end(k); ++i) {
        const double factor = at(i, k) /= at(k, k);
        for (size_t j = k + 1; j < end(k); ++j) at(i, j) -= factor * at(k, j);
      }
  }
  void solve(std::vector<double>& right) {
    for (size_t k = 0; k < size_; ++k)
      for (size_t i = k + 1; i < end(k); ++i) right[i] -= at(i, k) * right[k];
    for (size_t k = size_; k-- > 0;) {
      for (size_t j = k + 1; j < end(k); ++j) right[k] -= at(k, j) * right[j];
      right[k] /= at(k, k);
    }
  }

 private:
  size_t end(size_t k) const { return std::min(k + reach_ + 1, size_); }
  size_t size_, reach_;
  std::vector<double> entries_;
};

// The points, and the B-splines for them.
class Collocation {
 public:
  Collocation(std::span<const double> x, std::span<const double> y, size_t degree, bool periodic)
      : x_(x),
        y_(y),
        p_(periodic ? degree : std::min(degree, x.size() - 1)),
        n_(x.size() - periodic),
        periodic_(periodic) {
    if (!periodic) {
      knots_.assign(p_ + 1, x.front());
      for (size_t k = 0; k + p_ + 1 < n_; ++k) knots_.push_back(x[k + (p_ + 1) / 2]);
      knots_.insert(knots_.end(), p_ + 1, x.back());
    }
    a_ = periodic ? periodic_solution() : open_solution();
  }

  // Between the points i and i + 1.
  Polynomial piece(size_t i) const {
    const size_t next = periodic_ && i + 1 == n_ ? 0 : i + 1;
    const Knot from{y_[i], derivative(i, 1), p_ > 3 ? derivative(i, 2) : 0},
        to{y_[i + 1], derivative(next, 1), p_ > 3 ? derivative(next, 2) : 0};
    Polynomial piece = (p_ > 3 ? quintic_between : cubic_between)(x_[i], x_[i + 1] - x_[i], from, to);
    auto& c = piece.c;
    std::fill(c.begin() + static_cast<std::ptrdiff_t>(p_) + 1, c.end(), 0.0);  // nothing but roundoff
    return piece;
  }

  double slope(size_t i) const { return derivative(i, 1); }

 private:
  // The number m of the knot from which on the point's B-splines are counted: t_m <= x_i, and m - p is the first of them.
  size_t knot(size_t i) const { return periodic_ ? i + p_ : std::clamp(i + (p_ + 1) / 2, p_, n_ - 1); }
  size_t unknown(size_t spline) const { return periodic_ ? (spline + n_ - (p_ - 1) / 2) % n_ : spline; }

  // How far knots are from a point: t_{m+1} .. t_{m+p} beyond it and t_m .. t_{m-p+1} before it.
  struct Distances {
    Local beyond = {}, before = {};
  };
  Distances distances(size_t i) const {
    Distances d;
    const size_t m = knot(i);
    for (size_t k = 0; k < p_; ++k) {
      d.beyond[k] = periodic_ ? around(i, i + k + 1) : knots_[m + k + 1] - x_[i];
      d.before[k] = periodic_ ? around(i + n_ * p_ - k, i + n_ * p_) : x_[i] - knots_[m - k];
    }
    return d;
  }
  // From one point to a later one, around the curve as often as the numbers say. A sum, so that no digits cancel.
  double around(size_t from, size_t to) const {
    const size_t turns = to / n_ - from / n_;
    from %= n_, to %= n_;
    if (turns == 0) return x_[to] - x_[from];
    return (x_[n_] - x_[from]) + static_cast<double>(turns - 1) * (x_[n_] - x_[0]) + (x_[to] - x_[0]);
  }

  // The B-splines of degree q at the point, by the recurrence over their degree.
  static Local values(const Distances& d, size_t q) {
    Local v{1};
    for (size_t k = 1; k <= q; ++k) {
      double carried = 0;
      for (size_t r = 0; r < k; ++r) {
        const double share = v[r] / (d.beyond[r] + d.before[k - 1 - r]);
        v[r] = carried + d.beyond[r] * share;
        carried = d.before[k - 1 - r] * share;
      }
      v[k] = carried;
    }
    return v;
  }

  // The derivative of sum a_j N_j is that of degree p - 1 with p (a_j - a_{j-1})/(t_{j+p} - t_j), and so on.
  double derivative(size_t i, size_t order) const {
    const Distances d = distances(i);
    Local a{};
    for (size_t k = 0; k <= p_; ++k) a[k] = a_[unknown(knot(i) - p_ + k)];
    for (size_t done = 0; done < order; ++done)
      for (size_t k = p_; k > done; --k)
        a[k] =
            static_cast<double>(p_ - done) * (a[k] - a[k - 1]) / (d.beyond[k - done - 1] + d.before[p_ - k]);
    const Local v = values(d, p_ - order);
    double sum = 0;
    for (size_t k = order; k <= p_; ++k) sum += a[k] * v[k - order];
    return sum;
  }

  // Calls use(unknown, entry) for the row of a point. The last B-spline only begins at a periodic spline's points.
  template <class Use>
  void row(size_t i, Use use) const {
    const Local v = values(distances(i), p_);
    for (size_t k = 0; k + periodic_ <= p_; ++k) use(unknown(knot(i) - p_ + k), v[k]);
  }

  std::vector<double> open_solution() const {
    const size_t reach = p_ - 1;  // beyond it are zeros
    Band band(n_, reach);
    for (size_t i = 0; i < n_; ++i)
      row(i, [&](size_t j, double entry) {
        if (i <= j + reach && j <= i + reach) band.at(i, j) = entry;
      });
    std::vector<double> a(y_.begin(), y_.end());
    band.eliminate();
    band.solve(a);
    return a;
  }

  // The unknowns set aside are z_0 and, for degree 5, z_1; the others are given - beside_0 z_0 - beside_1 z_1.
  std::vector<double> periodic_solution() const {
    const size_t aside = (p_ - 1) / 2, rest = n_ - aside;
    Band band(rest, aside);
    std::array<std::vector<double>, 2> beside;
    for (auto& column : beside) column.resize(rest);
    for (size_t i = 0; i < rest; ++i)
      row(i, [&](size_t j, double entry) { (j < rest ? band.at(i, j) : beside[j - rest][i]) += entry; });
    std::vector<double> a(y_.begin(), y_.begin() + static_cast<std::ptrdiff_t>(rest));
    band.eliminate();
    band.solve(a);
    for (auto& column : beside) band.solve(column);

    // The last rows, with that put in.
    double s[2][2] = {{0, 0}, {0, aside == 1 ? 1.0 : 0.0}}, right[2] = {0, 0};
    for (size_t q = 0; q < aside; ++q) {
      right[q] = y_[rest + q];
      row(rest + q, [&](size_t j, double entry) {
        if (j >= rest) {
          s[q][j - rest] += entry;
        } else {
          right[q] -= entry * a[j];
          for (size_t k = 0; k < 2; ++k) s[q][k] -= entry * beside[k][j];
        }
      });
    }
    const double determinant = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    const double z[2] = {(right[0] * s[1][1] - s[0][1] * right[1]) / determinant,
                         (s[0][0] * right[1] - s[1][0] * right[0]) / determinant};
    for (size_t i = 0; i < rest; ++i) a[i] -= beside[0][i] * z[0] + beside[1][i] * z[1];
    a.insert(a.end(), z, z + aside);
    return a;
  }

  std::span<const double> x_, y_;
  size_t p_, n_;
  bool periodic_;
  std::vector<double> knots_, a_;
};

}  // namespace

std::vector<Polynomial> open_spline(std::span<const double> x, std::span<const double> y, int degree) {
  const Collocation spline(x, y, static_cast<size_t>(degree), false);
  std::vector<Polynomial> pieces{{x.front(), {y.front(), spline.slope(0)}}};
  for (size_t i = 0; i + 1 < x.size(); ++i) pieces.push_back(spline.piece(i));
  pieces.push_back({x.back(), {y.back(), spline.slope(x.size() - 1)}});
  return pieces;
}

std::vector<Polynomial> periodic_spline(std::span<const double> x, std::span<const double> y, int degree) {
  const Collocation spline(x, y, static_cast<size_t>(degree), true);
  std::vector<Polynomial> pieces;
  for (size_t i = 0; i + 1 < x.size(); ++i) pieces.push_back(spline.piece(i));
  return pieces;
}

std::size_t piece_at(std::span<const double> breaks, double x) {
  if (x > breaks.back()) return breaks.size();
  return static_cast<size_t>(std::upper_bound(breaks.begin(), breaks.end() - 1, x) - breaks.begin());
}

}  // namespace driftless::mechanics

// The nearest point is sought in three steps. The nearest of the given points bounds the distance from above; half a piece's length
// bounds from below how near the piece can come, which leaves a few pieces; on these, (C - p) . C' changes its sign from - to +
// between two samples where the distance is least, and Newton's method, kept between them, finds it.
#include <driftless/mechanics/profile.hpp>

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::mechanics {

namespace {

struct Points {
  std::vector<double> x, y;

  double distance(std::size_t i, std::size_t j) const { return std::hypot(x[j] - x[i], y[j] - y[i]); }
  std::size_t farthest() const {
    std::size_t far = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
      if (distance(0, i) > distance(0, far)) far = i;
    return far;
  }
  double largest() const {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max({most, std::abs(x[i]), std::abs(y[i])});
    return most;
  }
  // Points nearer than this are one: roundoff of cos(2 pi) and the like.
  double same() const { return 1e-12 * distance(0, farthest()) + 1e-15 * largest(); }
  bool on_a_line() const {
    const std::size_t far = farthest();
    const double limit = same(), ex = (x[far] - x[0]) / distance(0, far),
                 ey = (y[far] - y[0]) / distance(0, far);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (std::abs(ex * (y[i] - y[0]) - ey * (x[i] - x[0])) > limit) return false;
    return true;
  }
};

// The points, without a last one that repeats the first.
Points checked(const std::vector<double>& x, const std::vector<double>& y, bool closed) {
  if (x.size() != y.size())
    throw InputError(
        fmt::format("the points of a curve have {} coordinates x and {} coordinates y; give as many of each",
                    x.size(), y.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw InputError(fmt::format(
          "the point x[{0}] = {1}, y[{0}] = {2} of a curve is not finite; give numbers", i, x[i], y[i]));
  Points points{x, y};
  const double same = x.empty() ? 0 : points.same();
  for (std::size_t i = 1; i < x.size(); ++i)
    if (points.distance(i - 1, i) <= same)
      throw InputError(
          fmt::format("the points {} and {} of a curve, counted from 0, coincide at ({}, {}); leave one out",
                      i - 1, i, x[i], y[i]));
  if (closed && x.size() > 1 && points.distance(x.size() - 1, 0) <= same)
    points.x.pop_back(), points.y.pop_back();
  const std::size_t n = points.x.size(), least = closed ? 4 : 2;
  if (n < least)
    throw InputError(fmt::format("{} curve has {} point{}{}; give at least {}",
                                 closed ? "a closed" : "an open", n, n == 1 ? "" : "s",
                                 closed ? ", a repeated first one not counted" : "", least));
  if (closed && points.on_a_line())
    throw InputError(fmt::format(
        "the {} points of a closed curve lie on one line; give points around an area, or make the curve open",
        n));
  return points;
}

double speed(double dx, double dy) {
  return std::sqrt(dx * dx + dy * dy);
}

// Gauss's quadrature with 5 points.
double arc_length(const Polynomial& x, const Polynomial& y, double from, double to) {
  constexpr std::array nodes{0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr std::array weights{0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double middle = (from + to) / 2, half = (to - from) / 2;
  const auto at = [&](double h) { return speed(x.slope(h), y.slope(h)); };
  double sum = weights[0] * at(middle);
  for (std::size_t i = 1; i < 3; ++i)
    sum += weights[i] * (at(middle - nodes[i] * half) + at(middle + nodes[i] * half));
  return half * sum;
}

double curvature_of(const ProfilePoint& c) {
  const double s = speed(c.dx, c.dy);
  return (c.dx * c.ddy - c.dy * c.ddx) / (s * s * s);
}

}  // namespace

Profile::Profile(const std::vector<double>& x, const std::vector<double>& y, Kind kind) : kind_(kind) {
  const bool closed = kind == Kind::closed;
  Points points = checked(x, y, closed);
  if (closed) points.x.push_back(points.x.front()), points.y.push_back(points.y.front());
  std::vector<double> u{0};
  for (std::size_t i = 1; i < points.x.size(); ++i) u.push_back(u.back() + points.distance(i - 1, i));
  end_ = u.back();
  roundoff_ = 2 * std::numeric_limits<double>::epsilon() * (end_ + points.largest());
  const auto spline = closed ? periodic_spline : open_spline;
  x_ = spline(u, points.x, 5), y_ = spline(u, points.y, 5);
  breaks_ = closed ? std::vector<double>(u.begin() + 1, u.end() - 1) : u;
  take_samples();
}

// As close as the tangent's turning asks for (0.25 rad, in the middle too, for a quintic may turn to and fro): between two of them a
// distance has one minimum at most, unless it is seen from near a centre of curvature.
void Profile::take_samples() {
  const std::size_t lines = kind_ == Kind::open ? 1 : 0;
  for (std::size_t piece = lines; piece + lines < x_.size(); ++piece) {
    const Polynomial &x = x_[piece], &y = y_[piece];
    const std::size_t next = (piece + 1) % x_.size();
    const double width = (next > 0 ? x_[next].at : end_) - x.at;
    Run run{.piece = piece, .first = samples_.size()};
    const auto add = [&](double from, double to, int halvings, auto& again) -> void {
      const double middle = (from + to) / 2, ax = x.slope(from), ay = y.slope(from);
      const auto straight = [&](double h) {
        const double bx = x.slope(h), by = y.slope(h);
        return ax * bx + ay * by > 0.97 * speed(ax, ay) * speed(bx, by);
      };
      if (straight(middle) && straight(to)) {
        samples_.push_back({from, x.value(from), y.value(from), ax, ay});
        run.reach += (arc_length(x, y, from, middle) + arc_length(x, y, middle, to)) / 2;
      } else if (halvings > 0) {
        again(from, middle, halvings - 1, again);
        again(middle, to, halvings - 1, again);
      } else {
        throw InputError(fmt::format(
            "a curve turns back sharply near ({:.4g}, {:.4g}), behind point {}, counted from 0; give more "
            "points around the bend, or leave out those that run back",
            x.value(from), y.value(from), piece - lines));
      }
    };
    for (int quarter = 0; quarter < 4; ++quarter) add(width * quarter / 4, width * (quarter + 1) / 4, 8, add);
    // The next piece's very numbers, so that no sign change is lost between the two.
    run.last = samples_.size();
    samples_.push_back({width, x_[next].c[0], y_[next].c[0], x_[next].c[1], y_[next].c[1]});
    runs_.push_back(run);
    length_ += 2 * run.reach;
  }
}

double Profile::root(std::size_t piece, double from, double to, double x, double y) const {
  const Polynomial &cx = x_[piece], &cy = y_[piece];
  double h = 0.5 * (from + to);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double gx = cx.value(h) - x, gy = cy.value(h) - y, dx = cx.slope(h), dy = cy.slope(h);
    const double condition = gx * dx + gy * dy;
    const double slope = dx * dx + dy * dy + gx * cx.second_derivative(h) + gy * cy.second_derivative(h);
    (condition > 0 ? to : from) = h;
    double next = h - condition / slope;
    if (!(slope > 0 && next >= from && next <= to)) next = 0.5 * (from + to);
    const double step = std::abs(next - h);
    h = next;
    if (step <= roundoff_) break;
  }
  return h;
}

Profile::Foot Profile::foot(double x, double y) const {
  const auto square = [&](double px, double py) { return (px - x) * (px - x) + (py - y) * (py - y); };
  const auto condition = [&](const Sample& s) { return (s.x - x) * s.dx + (s.y - y) * s.dy; };

  // Where nothing below is found (at the centre of a circle), the given point is as good as any.
  Foot best;
  double bound = std::numeric_limits<double>::infinity(), least = bound;
  for (std::size_t piece = 0; piece < x_.size(); ++piece)
    if (const double d = square(x_[piece].c[0], y_[piece].c[0]); d < bound) bound = d, best = {piece, 0};
  bound = std::sqrt(bound);

  const auto consider = [&](std::size_t piece, double h) {
    const double d = square(x_[piece].value(h), y_[piece].value(h));
    if (d < least) least = d, best = {piece, h};
  };
  const auto on_line = [&](const Sample& s) { return -condition(s) / (s.dx * s.dx + s.dy * s.dy); };
  const bool open = kind_ == Kind::open;
  if (open && condition(samples_.front()) > 0) consider(0, on_line(samples_.front()));
  for (const Run& run : runs_) {
    const Sample &a = samples_[run.first], &b = samples_[run.last];
    const double nearer = std::min(square(a.x, a.y), square(b.x, b.y));
    const double limit = bound + 1.001 * run.reach;
    if (nearer > limit * limit) continue;
    double before = condition(a);
    for (std::size_t i = run.first; i < run.last; ++i) {
      const double after = condition(samples_[i + 1]);
      if (before <= 0 && after > 0)
        consider(run.piece, root(run.piece, samples_[i].h, samples_[i + 1].h, x, y));
      before = after;
    }
  }
  if (open && condition(samples_.back()) <= 0) consider(x_.size() - 1, on_line(samples_.back()));

  const ProfilePoint c = on_piece(best.piece, best.h);
  best.slope = c.dx * c.dx + c.dy * c.dy + (c.x - x) * c.ddx + (c.y - y) * c.ddy;
  return best;
}

ProfilePoint Profile::on_piece(std::size_t piece, double h) const {
  const Polynomial &x = x_[piece], &y = y_[piece];
  return {x.value(h), y.value(h), x.slope(h), y.slope(h), x.second_derivative(h), y.second_derivative(h)};
}

ProfileDistance Profile::second_order(double x, double y) const {
  const Foot found = foot(x, y);
  const ProfilePoint c = on_piece(found.piece, found.h);
  const double s = speed(c.dx, c.dy), tx = c.dx / s, ty = c.dy / s, kappa = curvature_of(c);
  ProfileDistance d{.value = tx * (y - c.y) - ty * (x - c.x), .dx = -ty, .dy = tx};
  const double bend = -kappa / (1 - kappa * d.value);
  d.dxx = bend * tx * tx, d.dxy = bend * tx * ty, d.dyy = bend * ty * ty;
  return d;
}

double Profile::nearest(double x, double y) const {
  const Foot found = foot(x, y);
  return x_[found.piece].at + found.h;
}

ProfilePoint Profile::at(double u) const {
  if (kind_ == Kind::closed) u -= end_ * std::floor(u / end_);
  const std::size_t piece = piece_at(breaks_, u);
  return on_piece(piece, u - x_[piece].at);
}

double Profile::curvature(double u) const {
  return curvature_of(at(u));
}

}  // namespace driftless::mechanics

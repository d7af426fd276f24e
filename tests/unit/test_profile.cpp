// Curves whose distance is known otherwise: lines, circles, a parabola, an ellipse; and points placed at a known distance.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <span>

#include <driftless/core/errors.hpp>
#include <driftless/mechanics/profile.hpp>

#include "support/allocation_counter.hpp"

namespace driftless::mechanics {
namespace {

using autodiff::Dual, autodiff::DualJet, autodiff::Jet, std::numbers::pi;
using Kind = Profile::Kind;

// n points of an ellipse about (cx, cy), counter-clockwise where direction = 1; the last repeats the first, up to roundoff.
Profile ellipse(int n, double a, double b, double direction = 1, double cx = 0, double cy = 0) {
  std::vector<double> x, y;
  for (int i = 0; i <= n; ++i) {
    x.push_back(cx + a * std::cos(2 * pi * i / n));
    y.push_back(cy + b * direction * std::sin(2 * pi * i / n));
  }
  return Profile(x, y, Kind::closed);
}

const std::vector<double> rough_x{3.0, 1.1, 0.6, -1.5, -2.0, -0.7, 0.4, 1.4},
    rough_y{0.2, 1.0, 2.5, 1.4, -0.3, -1.0, -2.4, -1.3};

// u of the rough points, and of the first again where the curve is closed.
std::vector<double> chords(Kind kind) {
  std::vector<double> u{0};
  const std::size_t n = rough_x.size();
  for (std::size_t i = 1; i < n + (kind == Kind::closed); ++i)
    u.push_back(u.back() + std::hypot(rough_x[i % n] - rough_x[i - 1], rough_y[i % n] - rough_y[i - 1]));
  return u;
}

// The distance from (x, y) of the nearest of the points `curve(u)`, by trying many u and closing in on the best.
template <class Curve>
double least_distance(Curve curve, double x, double y, double from, double to) {
  const auto distance = [&](double u) {
    const auto [cx, cy] = curve(u);
    return std::hypot(cx - x, cy - y);
  };
  const double step = (to - from) / 4000;
  double best = from, least = distance(from);
  for (double u = from; u <= to; u += step)
    if (const double d = distance(u); d < least) least = d, best = u;
  double a = best - step, b = best + step;
  while (b - a > 1e-9) (distance(a + (b - a) / 3) < distance(b - (b - a) / 3) ? b : a) = (a + b) / 2;
  return distance((a + b) / 2);
}

TEST(Profile, LinesThroughTwoPointsAndMore) {
  // Direction (3, 4)/5, left normal (-4, 3)/5.
  for (const Profile& line :
       {Profile({1, 4}, {2, 6}, Kind::open), Profile({1, 1.3, 3.4, 4}, {2, 2.4, 5.2, 6}, Kind::open)})
    for (double along : {-20.0, 0.0, 0.4, 3.0, 5.0, 60.0})
      for (double across : {-7.0, -0.1, 0.0, 2.0}) {
        const double x = 1 + 0.6 * along - 0.8 * across, y = 2 + 0.8 * along + 0.6 * across;
        const ProfileDistance d = line.second_order(x, y);
        EXPECT_NEAR(std::hypot(line.distance(x, y) - across, d.value - across), 0, 1e-13);
        EXPECT_NEAR(line.nearest(x, y), along, 1e-13);
        EXPECT_NEAR(std::hypot(d.dx + 0.8, d.dy - 0.6), 0, 1e-14);
        EXPECT_NEAR(std::abs(d.dxx) + std::abs(d.dxy) + std::abs(d.dyy), 0, 1e-13);
      }
}

TEST(Profile, LeftIsPositive) {
  const Profile left = ellipse(40, 2, 2), right = ellipse(40, 2, 2, -1);
  EXPECT_NEAR(left.distance(0.5, 0.3), 2 - std::hypot(0.5, 0.3), 1e-4);  // counter-clockwise: inside is left
  EXPECT_NEAR(right.distance(0.5, 0.3), std::hypot(0.5, 0.3) - 2, 1e-4);
  EXPECT_NEAR(left.distance(0.0, 0.0), 2, 1e-4);  // all of the circle is as near
  for (double u : {-1.0, 1.0, 20.0}) EXPECT_NEAR(left.curvature(u), 0.5, 1e-2);
  EXPECT_NEAR(right.curvature(1.0), -0.5, 1e-2);
}

// Circle of radius 2 about (3, -1): phi = 2 - r, gradient -e, Hessian -(1 - e e^T)/r, length 4 pi.
TEST(Profile, CirclesConvergeWithOrderSix) {
  const auto errors = [](int n) {
    const Profile circle = ellipse(n, 2, 2, 1, 3, -1);
    std::array e{0.0, 0.0, 0.0, std::abs(circle.length() - 4 * pi)};
    for (double angle = 0; angle < 2 * pi; angle += 0.01)
      for (double r : {1.3, 2.0, 4.0}) {
        const double ex = std::cos(angle), ey = std::sin(angle);
        const ProfileDistance d = circle.second_order(3 + r * ex, -1 + r * ey);
        e[0] = std::max(e[0], std::abs(d.value - (2 - r)));
        e[1] = std::max(e[1], std::hypot(d.dx + ex, d.dy + ey));
        e[2] = std::max(e[2], std::hypot(d.dxx + ey * ey / r, d.dxy - ex * ey / r, d.dyy + ex * ex / r));
      }
    return e;
  };
  constexpr std::array orders{6, 5, 4, 6};  // of value, gradient, Hessian, length
  for (int n : {16, 32})
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(std::log2(errors(n)[i] / errors(2 * n)[i]), orders[i], 0.15) << n << " points, " << i;
}

// Three points with chords of one length give the parabola y = x^2 itself. From (0, a) with a < 1/2 the vertex is nearest, where
// kappa = 2; on the normal of (1/2, 1/4), along (-1, 1)/sqrt(2), kappa = 1/sqrt(2).
TEST(Profile, Parabola) {
  const Profile curve({-1, 0, 1}, {1, 0, 1}, Kind::open);
  for (double a : {-3.0, -0.2, 0.0, 0.3, 0.49}) {
    const ProfileDistance d = curve.second_order(0, a);
    EXPECT_NEAR(d.value, a, 1e-14);
    EXPECT_NEAR(std::hypot(d.dx, d.dy - 1, d.dyy), 0, 1e-13);
    EXPECT_NEAR(d.dxx, -2 / (1 - 2 * a), 1e-11);
  }
  const double c = std::sqrt(0.5);
  for (double phi : {-2.0, -0.3, 0.4}) {
    const ProfileDistance d = curve.second_order(0.5 - c * phi, 0.25 + c * phi);
    EXPECT_NEAR(d.value, phi, 1e-14);
    EXPECT_NEAR(std::hypot(d.dx + c, d.dy - c), 0, 1e-14);
    EXPECT_NEAR(d.dxy, -0.5 * c / (1 - c * phi), 1e-13);
  }
  for (double u : {0.0, curve.end()}) EXPECT_NEAR(curve.curvature(u), 2 / std::pow(5, 1.5), 1e-13);
  EXPECT_NEAR(curve.length(), std::sqrt(5) + std::asinh(2) / 2, 1e-11);
  // Beyond the ends: the tangents y = 2 x - 1 and y = -2 x - 1.
  EXPECT_NEAR(curve.distance(5.0, 9.1), 0.1 / std::sqrt(5), 1e-13);
  EXPECT_NEAR(curve.distance(-5.0, 8.0), -1 / std::sqrt(5), 1e-13);
  // On the axis beyond the centre of curvature two points are as near, (+-sqrt(a - 1/2), a - 1/2).
  EXPECT_NEAR(curve.distance(0.4, 0.7), curve.distance(-0.4, 0.7), 1e-15);
  EXPECT_NEAR(curve.distance(0.0, 1.0), std::sqrt(0.75), 1e-14);
}

TEST(Profile, NearestMeansOfTheWholeCurve) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> draw(-4, 4);
  const Profile fine = ellipse(400, 2, 1);
  for (Kind kind : {Kind::closed, Kind::open}) {
    const Profile curve(rough_x, rough_y, kind);
    const double beyond = kind == Kind::open ? 12 : 0;
    for (int i = 0; i < 300; ++i) {
      const double x = draw(generator), y = draw(generator), d = curve.distance(x, y);
      const auto place = [&](double u) { return std::pair(curve.at(u).x, curve.at(u).y); };
      EXPECT_NEAR(std::abs(d), least_distance(place, x, y, -beyond, curve.end() + beyond), 1e-11);
      const ProfilePoint c = curve.at(curve.nearest(x, y));
      EXPECT_NEAR((c.x - x) * c.dx + (c.y - y) * c.dy, 0, 2e-14) << x << " " << y;
      EXPECT_NEAR((c.dx * (y - c.y) - c.dy * (x - c.x)) / std::hypot(c.dx, c.dy), d, 1e-14);
      const auto exact = [](double a) { return std::pair(2 * std::cos(a), std::sin(a)); };
      const double sign = x * x / 4 + y * y < 1 ? 1 : -1;
      EXPECT_NEAR(fine.distance(x, y), sign * least_distance(exact, x, y, 0, 2 * pi), 1e-8);
    }
  }
  // The middle of a long piece is nearest, though the point opposite is nearer than the piece's ends.
  const Profile thin({-2, 2, 2, 0, -2}, {0, 0, 1, 1, 1}, Kind::closed);
  EXPECT_NEAR(thin.distance(0.0, -1.0), -1 - thin.at(2).y, 1e-14);
}

TEST(Profile, IsSmoothAtThePoints) {
  for (Kind kind : {Kind::open, Kind::closed}) {
    const Profile curve(rough_x, rough_y, kind);
    for (std::size_t i = 0; i < rough_x.size(); ++i) {
      const double u = chords(kind)[i];
      const ProfilePoint a = curve.at(u - 1e-9), b = curve.at(u), c = curve.at(u + 1e-9);
      EXPECT_NEAR(std::hypot(b.x - rough_x[i], b.y - rough_y[i]), 0, 1e-14);
      EXPECT_NEAR(std::hypot(a.dx - c.dx, a.dy - c.dy), 0, 1e-7) << i;
      if (kind == Kind::open && (i == 0 || i + 1 == rough_x.size())) continue;
      EXPECT_NEAR(std::hypot(a.ddx - c.ddx, a.ddy - c.ddy), 0, 1e-6) << i;
    }
  }
}

// One-sided differences of second order; a cubic would have a jump of kappa' at every point.
TEST(Profile, CurvatureIsTwiceDifferentiableAtThePoints) {
  for (Kind kind : {Kind::open, Kind::closed}) {
    const Profile curve(rough_x, rough_y, kind);
    const std::vector<double> u = chords(kind);
    for (std::size_t i = kind == Kind::open ? 1 : 0; i + 1 < u.size(); ++i) {
      const auto slope = [&](double e) {
        return (4 * curve.curvature(u[i] + e) - curve.curvature(u[i] + 2 * e) - 3 * curve.curvature(u[i])) /
               (2 * e);
      };
      const auto bend = [&](double e) {
        return (2 * curve.curvature(u[i]) - 5 * curve.curvature(u[i] + e) +
                4 * curve.curvature(u[i] + 2 * e) - curve.curvature(u[i] + 3 * e)) /
               (e * e);
      };
      EXPECT_NEAR(slope(-1e-4), slope(1e-4), 1e-4) << i;
      EXPECT_NEAR(bend(-1e-4), bend(1e-4), 2e-1) << i;
    }
  }
}

// Simpson's rule on the speed.
TEST(Profile, LengthsAreThoseOfTheCurve) {
  for (Kind kind : {Kind::open, Kind::closed}) {
    const Profile curve(rough_x, rough_y, kind);
    const int n = 40000;
    double sum = 0;
    for (int i = 0; i <= n; ++i) {
      const ProfilePoint c = curve.at(curve.end() * (i - (i == n ? 1e-12 : 0)) / n);
      sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * std::hypot(c.dx, c.dy);
    }
    EXPECT_NEAR(curve.length(), sum * curve.end() / (3 * n), 1e-10);
  }
  EXPECT_NEAR(ellipse(400, 2, 1).length(), 9.688448220547675, 1e-10);  // 8 E(sqrt(3)/2)
}

// As few as are possible. Of the wave through 4 even points (test_spline.cpp): C' = 25/16 and C'' = 5/2 in chords.
TEST(Profile, FourPointsOfACircle) {
  const Profile circle({2, 0, -2, 0}, {0, 2, 0, -2}, Kind::closed);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(circle.curvature(circle.end() * i / 4), 2.5 / (1.5625 * 1.5625) / 2, 1e-14);
  // Half-way, both coordinates are 1/2 + 5/32 C' - C''/64 = 361/512 of the radius.
  for (auto [x, y] : {std::pair{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}})
    EXPECT_NEAR(circle.distance(x, y), std::sqrt(2) * (361.0 / 256 - 1), 1e-14);
}

// p(s) = C(u + s) + phi n(u + s) stays at the distance phi, and the gradient along it is n(u + s): both known to any order from the
// Taylor coefficients of C alone.
TEST(Profile, DerivativesAreExactToTheOrderCarried) {
  using J = Jet<4, Dual<8>>;
  const auto cut = [](const J& j) { return Jet<2, Dual<8>>({j.c[0], j.c[1], j.c[2]}); };
  const Profile curve(rough_x, rough_y, Kind::closed);
  std::vector<double> xs = rough_x, ys = rough_y;
  xs.push_back(xs.front()), ys.push_back(ys.front());
  const std::vector<double> us = chords(Kind::closed);
  const std::vector<Polynomial> piece_x = periodic_spline(us, xs, 5), piece_y = periodic_spline(us, ys, 5);
  for (double u : {0.9, 3.0, 5.5, 8.0})
    for (double phi : {-0.3, 0.0, 0.2}) {
      const std::size_t i = piece_at(std::span(us).subspan(1, us.size() - 2), u);
      const J h = J::variable(u - us[i]);
      const J dx = piece_x[i].slope(h), dy = piece_y[i].slope(h);
      const J speed = sqrt(dx * dx + dy * dy), nx = -dy / speed, ny = dx / speed;
      const J at_x = piece_x[i].value(h) + phi * nx + J(Dual<8>::variable(0, 2)),
              at_y = piece_y[i].value(h) + phi * ny + J(Dual<8>::variable(0, 7));
      const J d = curve.distance(at_x, at_y);
      EXPECT_EQ(d, curve.distance(value_of(at_x), value_of(at_y)));
      const auto third = curve.distance(cut(at_x), cut(at_y)).c[2];
      EXPECT_NEAR(std::hypot(third.grad[2] - d.c[2].grad[2], third.grad[7] - d.c[2].grad[7]), 0, 1e-12);
      for (std::size_t k = 0; k <= 4; ++k) {
        const double scale = 1 + std::hypot(nx.c[k].value, ny.c[k].value);
        EXPECT_NEAR(d.c[k].value, k == 0 ? phi : 0, 1e-12 * scale) << u << " " << phi << " " << k;
        const double ex = d.c[k].grad[2] - nx.c[k].value, ey = d.c[k].grad[7] - ny.c[k].value;
        EXPECT_NEAR(std::hypot(ex, ey), 0, 1e-11 * scale) << u << " " << phi << " " << k;
      }
    }
}

TEST(Profile, FormulasAgreeWithDifferencesAndScalars) {
  const Profile curve(rough_x, rough_y, Kind::closed);
  for (auto [x, y] : {std::pair{2.0, 0.7}, {0.9, 2.3}, {-2.5, 1.0}, {-1.0, -1.2}, {0.6, -1.9}}) {
    const ProfileDistance d = curve.second_order(x, y), a = curve.second_order(x - 1e-5, y),
                          b = curve.second_order(x + 1e-5, y), c = curve.second_order(x, y - 1e-5),
                          e = curve.second_order(x, y + 1e-5);
    EXPECT_NEAR(std::hypot(d.dx - (b.value - a.value) / 2e-5, d.dy - (e.value - c.value) / 2e-5), 0, 1e-8);
    EXPECT_NEAR(std::hypot(d.dxx - (b.dx - a.dx) / 2e-5, d.dxy - (b.dy - a.dy) / 2e-5), 0, 1e-6);
    EXPECT_NEAR(d.dyy, (e.dy - c.dy) / 2e-5, 1e-6);
    const auto dual = curve.distance(Dual<8>::variable(x, 0), Dual<8>::variable(y, 3));
    EXPECT_NEAR(std::hypot(dual.grad[0] - d.dx, dual.grad[3] - d.dy), 0, 1e-13);
    // Along (x, y) + (0.3, -0.8) s + (0.1, 0.2) s^2.
    const double second = 0.2 * d.dx + 0.4 * d.dy + 0.09 * d.dxx - 0.48 * d.dxy + 0.64 * d.dyy;
    const Jet<2> jx({x, 0.3, 0.1}), jy({y, -0.8, 0.2});
    EXPECT_NEAR(curve.distance(jx, jy).derivative(2), second, 1e-11);
    using DJ = DualJet<8, 2>;
    const DJ both = curve.distance(DJ(Dual<8>::variable(x, 0), jx), DJ(Dual<8>::variable(y, 3), jy));
    EXPECT_NEAR(std::hypot(both.dual.grad[3] - d.dy, both.jet.derivative(2) - second), 0, 1e-11);
  }
}

TEST(Profile, AllocatesNothingWhenEvaluated) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer brings its own malloc";
  const Profile curve(rough_x, rough_y, Kind::closed);
  double sum = 0;
  const long allocations = allocation_counter::during([&] {
    for (double x = -3; x < 4; x += 0.1)
      sum += curve.distance(x, 0.3) + curve.second_order(x, 0.3).dxx +
             autodiff::value_of(curve.distance(Jet<2, Dual<8>>(x), Jet<2, Dual<8>>(0.3)));
  });
  EXPECT_EQ(allocations, 0) << sum;
}

std::string refusal(const std::vector<double>& x, const std::vector<double>& y, Kind kind) {
  try {
    Profile curve(x, y, kind);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}
TEST(Profile, RefusesWhatIsNoCurve) {
  EXPECT_EQ(refusal({0, 1}, {0}, Kind::open),
            "the points of a curve have 2 coordinates x and 1 coordinates y; give as many of each");
  EXPECT_EQ(refusal({0, 1}, {0, std::nan("")}, Kind::open),
            "the point x[1] = 1, y[1] = nan of a curve is not finite; give numbers");
  EXPECT_EQ(refusal({}, {}, Kind::open), "an open curve has 0 points; give at least 2");
  EXPECT_EQ(refusal({0, 1, 0, 0}, {0, 0, 1, 0}, Kind::closed),
            "a closed curve has 3 points, a repeated first one not counted; give at least 4");
  EXPECT_EQ(refusal({0, 1, 1, 0, 0, 0}, {0, 0, 1, 1, 0, 0}, Kind::closed),
            "the points 4 and 5 of a curve, counted from 0, coincide at (0, 0); leave one out");
  EXPECT_EQ(
      refusal({0, 1, 2, 3}, {1, 3, 5, 7}, Kind::closed),
      "the 4 points of a closed curve lie on one line; give points around an area, or make the curve open");
  EXPECT_EQ(
      refusal({0, 2, 1}, {0, 0, 0}, Kind::open),
      "a curve turns back sharply near (2.042, 0), behind point 0, counted from 0; give more points around "
      "the bend, or leave out those that run back");
}

}  // namespace
}  // namespace driftless::mechanics

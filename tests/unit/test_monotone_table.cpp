// Tables that keep the shape of their points: what nothing is said of. Monotone between neighbours, flat where they are level, with the
// slopes of Fritsch and Butland; as motions with second derivatives that meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <driftless/autodiff/jet_functions.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/mechanics/motion.hpp>
#include <driftless/mechanics/table.hpp>

#include "support/allocation_counter.hpp"
#include "support/run.hpp"

namespace driftless::mechanics {
namespace {

using autodiff::Jet;
using tests::complaint;

template <class Function>
double derivative(const Function& y, double x, int order) {
  return y.value(Jet<3>::variable(x)).derivative(order);
}

// As a drive has it.
Motion drive_of(const Table& table, const JumpHandling& handling = {}) {
  Motion motion(table);
  motion.handle(handling);
  return motion;
}
Motion drive_of(const std::string& formula, const JumpHandling& handling = {}) {
  Motion motion(formula);
  motion.handle(handling);
  return motion;
}

// A bump of 5 cm as somebody draws it, and a step of 10 cm.
const std::vector<double> bump_t{0, 0.5, 0.52, 0.55, 0.6, 0.65, 0.68, 0.7, 3},
    bump{0, 0, 0.01, 0.035, 0.05, 0.035, 0.01, 0, 0};
const std::vector<double> step_t{0, 1, 1.01, 3}, step{0, 0, 0.1, 0.1};

struct Points {
  std::vector<double> x, y;
};
// Distances over four decades, heights over three, plateaus and repeated rises.
std::vector<Points> rough_points() {
  std::mt19937 bits(30);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Points> all{{bump_t, bump}, {step_t, step}};
  for (int k = 0; k < 60; ++k) {
    Points p{{0}, {0}};
    for (int i = 0; i < 12; ++i) {
      p.x.push_back(p.x.back() + std::pow(10, 2 * number(bits)));
      const double jump = number(bits) * std::pow(10, 1.5 * number(bits));
      p.y.push_back(p.y.back() + (number(bits) < -0.6 ? 0 : k % 2 == 0 ? std::abs(jump) : jump));
    }
    all.push_back(p);
  }
  return all;
}

TEST(MonotoneTable, NeitherForcesNorMotionsLeadBeyondTheirNeighbours) {
  for (const Points& p : rough_points())
    for (const Table& table : {Table(p.x, p.y), Table(p.x, p.y).for_motion()})
      for (std::size_t i = 0; i + 1 < p.x.size(); ++i) {
        const double low = std::min(p.y[i], p.y[i + 1]), high = std::max(p.y[i], p.y[i + 1]);
        const double roundoff = 1e-14 * (std::abs(low) + std::abs(high));
        double before = p.y[i];
        for (int k = 0; k <= 40; ++k) {
          const double x = p.x[i] + (p.x[i + 1] - p.x[i]) * k / 40, y = table.value(x);
          EXPECT_GE(y, low - roundoff);
          EXPECT_LE(y, high + roundoff);
          EXPECT_GE((y - before) * (p.y[i + 1] - p.y[i]), -roundoff * (high - low));  // all the way
          before = y;
          if (low == high) {
            EXPECT_EQ(y, low);
            EXPECT_EQ(derivative(table, x, 1), 0);
          }
        }
      }
}

// By hand: equal distances, chords 1 and 3: 1/(1/2 (1/1 + 1/3)) = 1.5; distances 1 and 2, chords 2 and 1: 9/(5/2 + 4/1) = 18/13.
// At the ends the parabola's slope: (3 m_0 - m_1)/2 = 0; where it has the wrong sign 0; at most 3 times the chord.
TEST(MonotoneTable, HasTheSlopesOfFritschAndButland) {
  const Table even({0, 1, 2}, {0, 1, 4}), uneven({0, 1, 3}, {0, 2, 4}), turning({0, 1, 2}, {0, 1, -9});
  EXPECT_NEAR(derivative(even, 1, 1), 1.5, 1e-15);
  EXPECT_NEAR(derivative(even, 0, 1), 0, 1e-15);
  EXPECT_NEAR(derivative(even, 2, 1), 4, 1e-15);
  EXPECT_NEAR(derivative(uneven, 1, 1), 18. / 13, 1e-15);
  EXPECT_EQ(derivative(turning, 1, 1), 0);
  EXPECT_NEAR(derivative(turning, 0, 1), 3, 1e-15);  // (3 + 10)/2 cut to 3
}

TEST(MonotoneTable, TwoPointsAreALine) {
  for (const Table& table : {Table({1, 3}, {5, -3}), Table({1, 3}, {5, -3}).for_motion()})
    for (const double x : {1.0, 1.7, 3.0}) {
      EXPECT_NEAR(table.value(x), 9 - 4 * x, 1e-14);
      EXPECT_NEAR(derivative(table, x, 1), -4, 1e-14);
      EXPECT_NEAR(derivative(table, x, 2), 0, 1e-13);
    }
}

// y, y' and for motions y'' from both sides of every point.
TEST(MonotoneTable, DerivativesMeetAtThePoints) {
  for (const Points& p : rough_points()) {
    const Table force(p.x, p.y), motion = force.for_motion();
    for (std::size_t i = 1; i + 1 < p.x.size(); ++i) {
      const double x = p.x[i];
      const double d = std::min(x - p.x[i - 1], p.x[i + 1] - x);
      const double y = 1 + std::abs(p.y[i - 1]) + std::abs(p.y[i]) + std::abs(p.y[i + 1]);
      for (const auto& [table, orders] : {std::pair(force, 1), {motion, 2}})
        for (int k = 0; k <= orders; ++k) {
          const auto at = [&](const Polynomial& piece) {
            const double h = x - piece.at;
            return k == 0 ? piece.value(h) : k == 1 ? piece.slope(h) : piece.second_derivative(h);
          };
          EXPECT_NEAR(at(table.piece_before(i)), at(table.piece_after(i)), 1e-11 * y / std::pow(d, k)) << k;
        }
    }
    EXPECT_TRUE(Motion(force).jumps(-1, 1e9).empty() ||
                Motion(force).jumps(-1, 1e9).front().place != MotionJump::Place::inside);
  }
}

TEST(MonotoneTable, DerivativesOfAMotionAreThoseOfItsValues) {
  const Motion motion(Table({0, 0.4, 1, 1.5, 3}, {0, 0.2, 1, 1.1, 0.4}));
  for (const double t : {0.1, 0.7, 1.2, 2.6}) {
    const auto y = [&](double at) { return motion.value(at); };
    const double h = 1e-4;
    EXPECT_NEAR(derivative(motion, t, 1), (y(t + h) - y(t - h)) / (2 * h), 1e-6);
    EXPECT_NEAR(derivative(motion, t, 2), (y(t + h) - 2 * y(t) + y(t - h)) / (h * h), 1e-4);
  }
}

// Away from extrema the order of a monotone interpolant is that of its slopes plus one: 3 at the least.
TEST(MonotoneTable, SmoothCurvesAreMetWell) {
  const auto error = [](int n, bool as_motion) {
    std::vector<double> x, y;
    for (int i = 0; i <= n; ++i) x.push_back(1.2 * i / n), y.push_back(std::sin(x.back()));
    const Table cubic(x, y), table = as_motion ? cubic.for_motion() : cubic;
    double worst = 0;
    for (double at = 0.2; at < 1; at += 1e-3)
      worst = std::max(worst, std::abs(table.value(at) - std::sin(at)));
    return worst;
  };
  for (const bool as_motion : {false, true})
    EXPECT_GT(std::log2(error(40, as_motion) / error(80, as_motion)), 2.7);
}

TEST(TableOutside, HoldsGoesOnOrHasNone) {
  const std::vector<double> x{0, 1, 2}, y{0, 1, 3};
  const Table held(x, y), straight(x, y, {.outside = Outside::linear}),
      none(x, y, {.outside = Outside::error});
  for (const Table& table : {held, held.for_motion()}) {
    EXPECT_EQ(table.value(7.0), 3);
    EXPECT_EQ(table.value(-7.0), 0);
    EXPECT_EQ(derivative(table, 7, 1), 0);
    EXPECT_NEAR(table.antiderivative(4.0) - table.antiderivative(2.0), 6, 1e-14);
  }
  EXPECT_NEAR(straight.value(4.0), 3 + 2 * derivative(straight, 2, 1), 1e-14);
  EXPECT_TRUE(std::isnan(none.value(2.1)));
  EXPECT_TRUE(std::isnan(derivative(none, -0.1, 0)));
  EXPECT_EQ(none.value(2.0), 3);
  EXPECT_NEAR(none.value(2 + 1e-12), 3, 1e-11);          // roundoff of a joint that is driven there
  EXPECT_TRUE(std::isfinite(none.antiderivative(4.0)));  // as a potential, which is only told
  EXPECT_EQ(none.fault(1.5), "");
  EXPECT_EQ(held.fault(2.5), "");
  EXPECT_EQ(
      none.fault(2.5),
      "the table was asked for a value at 2.5, beyond its points (0 to 2), and its `outside` is \"error\"");
}

TEST(TableOutside, LinesAreStraight) {
  const Table table({0, 1, 3}, {0, 2, 1}, {.interpolation = Interpolation::linear});
  EXPECT_EQ(table.value(0.25), 0.5);
  EXPECT_EQ(table.value(2.0), 1.5);
  EXPECT_EQ(table.value(5.0), 1);
}

// A corner from rate 0 to 2, blended over w: y' = 2 S(u) with S = 3 u^2 - 2 u^3, so that the middle is off by 2 w (1/8 - 1/32) = 3 w/16.
TEST(DriveJumps, CornersAreBlended) {
  const Table line({0, 1, 2}, {0, 0, 2},
                   {.interpolation = Interpolation::linear, .outside = Outside::linear});
  const Motion motion = drive_of(line, {.over = 0.2});
  ASSERT_EQ(motion.jumps(0, 3).size(), 1u);
  const MotionJump jump = motion.jumps(0, 3).front();
  EXPECT_EQ(jump.order, 1);
  EXPECT_EQ(jump.before, 0);
  EXPECT_EQ(jump.after, 2);
  EXPECT_NEAR(jump.from, 0.9, 1e-15);
  EXPECT_NEAR(jump.to, 1.1, 1e-15);
  EXPECT_NEAR(jump.off, 3. / 16 * 0.2, 1e-12);
  for (int k = 0; k <= 10; ++k) {
    const double u = k / 10.0, t = 0.9 + 0.2 * u;
    EXPECT_NEAR(derivative(motion, t, 1), 2 * u * u * (3 - 2 * u), 1e-12);
    EXPECT_NEAR(derivative(motion, t, 2), 2 * 6 * u * (1 - u) / 0.2, 1e-10);
  }
  EXPECT_EQ(motion.value(0.5), 0);
  EXPECT_NEAR(motion.value(1.5), 1, 1e-15);
  EXPECT_EQ(motion.breaks(0, 3).size(), 3u);  // begin and end of the blend; the last point
  // A twentieth of the distance where nothing is said.
  EXPECT_NEAR(drive_of(line).jumps(0, 3).front().to, 1.025, 1e-15);
  EXPECT_FALSE(drive_of(line, {.blend = false}).jumps(0, 3).front().blended());
}

// On the move at the last point: there the motion stays as given, and comes to rest behind it. It does not begin before t = 0.
TEST(DriveJumps, EndsAreBlendedOutsideOfThePoints) {
  const Table ramp({0, 1}, {0, 0.1});
  const Motion motion = drive_of(ramp);
  ASSERT_EQ(motion.jumps(-1, 3).size(), 2u);
  EXPECT_EQ(motion.jumps(0, 3).size(), 1u);  // the other one lies before t = 0
  const MotionJump end = motion.jumps(-1, 3).back();
  EXPECT_EQ(end.place, MotionJump::Place::end);
  EXPECT_NEAR(end.before, 0.1, 1e-15);
  EXPECT_EQ(end.after, 0);
  EXPECT_EQ(end.from, 1);
  EXPECT_NEAR(end.to, 1.05, 1e-15);
  for (const double t : {0.0, 0.3, 0.99, 1.0}) EXPECT_NEAR(motion.value(t), 0.1 * t, 1e-16);
  EXPECT_NEAR(derivative(motion, 1, 1), 0.1, 1e-15);
  EXPECT_NEAR(derivative(motion, end.to, 1), 0, 1e-14);
  EXPECT_NEAR(derivative(motion, end.to, 2), 0, 1e-11);
  EXPECT_EQ(motion.value(2.0), 0.1);
  // u (1 - u)^3 (1 + 3 u) times rate and width is what leads beyond, at most 0.19 of these.
  EXPECT_GT(end.off, 0.18 * 0.1 * 0.05);
  EXPECT_LT(end.off, 0.20 * 0.1 * 0.05);
  EXPECT_TRUE(drive_of(Table(bump_t, bump)).jumps(-1, 9).empty());
  EXPECT_TRUE(drive_of(Table(step_t, step)).jumps(-1, 9).empty());
}

TEST(DriveJumps, WhatDoesNotFitIsRefused) {
  const Table line({0, 1, 1.5}, {0, 0, 2}, {.interpolation = Interpolation::linear});
  EXPECT_EQ(complaint([&] { drive_of(line, {.over = 0.6}); }),
            "blend = 0.6 is longer than the 0.5 to the next point of the table at t = 1; give less");
  EXPECT_EQ(complaint([&] { drive_of(line, {.over = -1}); }), "blend = -1; it must be positive");
}

// Of formulas: abs turns its rate by 2 at t = 1; a value that jumps; step() begins and ends with accelerations of 6; and what only looks like
// a jump.
TEST(DriveJumps, FormulasAreSearched) {
  const Motion corner = drive_of("abs(t - 1)", {.over = 0.1});
  ASSERT_EQ(corner.jumps(0, 3).size(), 1u);
  const MotionJump rate = corner.jumps(0, 3).front();
  EXPECT_EQ(rate.order, 1);
  EXPECT_NEAR(rate.t, 1, 1e-15);
  EXPECT_EQ(rate.before, -1);
  EXPECT_EQ(rate.after, 1);
  EXPECT_NEAR(rate.off, 3. / 16 * 0.1, 1e-9);
  for (int k = 0; k <= 10; ++k) {
    const double u = k / 10.0, t = 0.95 + 0.1 * u;
    EXPECT_NEAR(derivative(corner, t, 1), -1 + 2 * u * u * (3 - 2 * u), 1e-9);
  }
  EXPECT_EQ(corner.value(0.9), std::abs(0.9 - 1));
  EXPECT_EQ(corner.breaks(0, 3).size(), 2u);

  const Motion leap = drive_of("if(t < 0.5, 0, 0.2)");
  ASSERT_EQ(leap.jumps(0, 3).size(), 1u);
  EXPECT_EQ(leap.jumps(0, 3).front().order, 0);
  EXPECT_NEAR(leap.jumps(0, 3).front().to - leap.jumps(0, 3).front().from, 1e-3, 1e-12);
  EXPECT_NEAR(leap.value(0.5), 0.1, 1e-12);
  EXPECT_EQ(drive_of("if(t < 0.5, 0, 0.2)", {.blend = false}).value(0.5), 0.2);

  const Motion gentle = drive_of("step(t, 1, 0, 2, 1)");
  ASSERT_EQ(gentle.jumps(0, 3).size(), 2u);
  EXPECT_EQ(gentle.jumps(0, 3)[0].order, 2);
  EXPECT_NEAR(gentle.jumps(0, 3)[0].after, 6, 1e-9);
  EXPECT_NEAR(gentle.jumps(0, 3)[1].before, -6, 1e-9);
  EXPECT_FALSE(gentle.jumps(0, 3)[0].blended());

  for (const char* smooth : {"sin(3*t)", "max(t - 1, 0)^3", "abs(t - 1)^3", "abs(t + 1)", "if(t < 1, t, t)",
                             "if(t < 2, 3*t^3/4*(1 - t/4), 3*(t - 1))"})
    EXPECT_TRUE(drive_of(smooth).jumps(0, 3).empty()) << smooth;
}

TEST(MonotoneTable, AHundredThousandPointsAreFoundAtOnce) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer brings its own malloc";
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) x.push_back(i * 1e-3), y.push_back(std::sin(i * 1e-3));
  const Motion motion = drive_of(Table(x, y));
  EXPECT_EQ(motion.breaks(0, 1000).size(),
            100000u);  // without 0, with the end of the blend behind the last point
  double sum = 0;
  EXPECT_EQ(allocation_counter::during([&] {
              for (int i = 0; i < 100000; ++i) sum += derivative(motion, 99.9 * i / 100000, 2);
            }),
            0);
  EXPECT_TRUE(std::isfinite(sum));
  EXPECT_NEAR(motion.value(50.00049), std::sin(50.00049), 1e-6);
}

}  // namespace
}  // namespace driftless::mechanics

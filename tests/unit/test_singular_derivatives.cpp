// Derivatives written by hand of problems with singular configurations against automatic ones, and the tools that their references are
// made of.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <driftless/problems/petzold_ren_maly.hpp>

#include "problems/common/extrapolation.hpp"
#include "problems/common/pendulum_motion.hpp"
#include "problems/common/phase_clock.hpp"
#include "support/compare.hpp"
#include "support/random_point.hpp"

namespace driftless::tests {
namespace {

// A model without what was written by hand.
template <class Model>
struct Automatic {
  Model model;
  int nq = model.nq, ng = model.ng;
  void mass(auto t, auto q, auto M) const { model.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { model.force(t, q, v, f); }
  void constraint(auto t, auto q, auto g) const { model.constraint(t, q, g); }
  auto energy(auto t, auto q, auto v) const { return model.energy(t, q, v); }
};

template <class Model>
void expect_equal_derivatives(const Model& model) {
  const auto hand = make_problem(model);
  const auto automatic = make_problem(Automatic<Model>{model});
  const RandomPoint p(hand->shape());
  Parts all;
  for (unsigned bit = 0; bit <= 21; ++bit) all = all | static_cast<Part>(1u << bit);
  const auto near = [](const Matrix& a, const Matrix& b, const char* what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-13 * (1 + b.cwiseAbs().maxCoeff())) << what;
  };
  // Together, as a residual needs them, as one acceleration does, and one by one: each has a way of its own.
  const std::vector<Parts> ways = {all,
                                   Part::mass | Part::force | Part::position | Part::jacobian,
                                   Part::mass | Part::force | Part::jacobian | Part::curvature,
                                   Part::jacobian | Part::rates,
                                   Part::curvature,
                                   Part::position};
  for (const Parts parts : ways) {
    Evaluation a, b;
    hand->evaluate(parts, p.point(), a);
    automatic->evaluate(parts, p.point(), b);
    if (parts.has(Part::mass)) near(a.M, b.M, "M");
    if (parts.has(Part::force)) near(a.f, b.f, "f");
    if (parts.has(Part::position)) near(a.g, b.g, "g");
    if (parts.has(Part::jacobian)) near(a.G, b.G, "G");
    if (parts.has(Part::rates)) near(a.rates, b.rates, "g'");
    if (parts.has(Part::curvature)) near(a.c, b.c, "c");
    if (parts.has(Part::rate_jacobian)) near(a.L[0], b.L[0], "L");
    if (parts.has(Part::force_jacobian)) near(a.f_z, b.f_z, "f_z");
    if (parts.has(Part::mass_product_jacobian)) near(a.Ma_x, b.Ma_x, "(M a)_x");
    if (parts.has(Part::multiplier_jacobian)) near(a.Bl_x, b.Bl_x, "(G^T lambda)_x");
    if (parts.has(Part::curvature_jacobian)) near(a.c_z, b.c_z, "(G a + c)_z");
    if (parts.has(Part::energy)) near(Vector::Constant(1, a.energy), Vector::Constant(1, b.energy), "E");
  }
}

TEST(SingularDerivatives, ByHandAndAutomatic) {
  expect_equal_derivatives(problems::TwoLinkSliderCrank{});
}

// E = v.M v/2 + V, and at rest the forces are those of V.
TEST(SingularDerivatives, EnergiesBelongToTheForces) {
  for (const char* name : {"003-slider-crank", "003-singular-mass", "n-four-bar", "parallelogram",
                           "redundant-pendulum", "equal-link-slider-crank", "lock-up-slider-crank"}) {
    const auto instance = catalog::make_problem(name);
    const Shape& shape = instance.problem->shape();
    RandomPoint p(shape);
    Evaluation e;
    instance.problem->evaluate(Part::energy_gradient | Part::mass, p.point(), e);
    const Vector v = p.z.tail(shape.nv);
    EXPECT_LT(distance(e.energy_z.tail(shape.nv), e.M * v), 1e-13) << name;  // E_v = M v
    p.z.tail(shape.nv).setZero();
    instance.problem->evaluate(Part::energy_gradient | Part::force, p.point(), e);
    EXPECT_LT(distance(e.energy_z.head(shape.nv), -e.f), 1e-13) << name;
  }
}

// Kepler's equation t = E - e sin E, solved for E.
TEST(PhaseClock, InvertsKeplersEquation) {
  const double e = 0.9;
  const problems::PhaseClock clock([=](double E) { return 1 - e * std::cos(E); }, 2 * std::numbers::pi);
  EXPECT_NEAR(clock.turn(), 2 * std::numbers::pi, 1e-14);
  for (const double E : {0.0, 1e-6, 0.1, 1.0, 3.0, 6.2, 10.0, 700.0, -0.3, -20.0})
    EXPECT_NEAR(clock.phase(E - e * std::sin(E)), E, 1e-13 * (10 + std::abs(E))) << E;
}

// Its weights, 119 in sum without their signs, magnify the roundoff of the midpoint sums.
TEST(Extrapolation, IsExactToRoundoff) {
  const auto oscillator = [](double, const Vector& y) { return vector({y(1), -y(0)}); };
  const Vector end = problems::extrapolated(oscillator, 0, vector({1, 0}), 10, 0.3);
  EXPECT_LT(distance(end, vector({std::cos(10), -std::sin(10)})), 1e-13);
  const auto power = [](double t, const Vector&) { return vector({11 * std::pow(t, 10)}); };
  EXPECT_NEAR(problems::extrapolated(power, -1, vector({-1}), 2, 1)(0), 2048, 2 * 119 * 2048 * 2.3e-16);
  EXPECT_EQ(problems::extrapolated(oscillator, 1, vector({1, 0}), 1, 0.3)(0), 1);
}

// Turning angles go on beyond pi, hanging and standing differ by pi, and without stiffness the rate stays.
TEST(AngleMotion, IsContinuousForEveryStiffness) {
  using problems::angle_motion;
  for (const double stiffness : {2.0, -2.0, 0.0})
    for (const double angle : {0.3, 9.0, -40.0}) {
      const auto equation = [=](double, const Vector& y) {
        return vector({y(1), -stiffness * std::sin(y(0))});
      };
      for (const double rate : {0.1, 4.0, -4.0}) {
        const Vector end = problems::extrapolated(equation, 0, vector({angle, rate}), 3, 0.05);
        const auto now = angle_motion(stiffness, {angle, rate}, 3);
        EXPECT_NEAR(now.angle, end(0), 2e-12) << stiffness << " " << angle << " " << rate;
        EXPECT_NEAR(now.rate, end(1), 2e-12);
      }
    }
}

}  // namespace
}  // namespace driftless::tests

// Every derivative that a Problem offers, against central differences of the quantity it is a derivative of.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include <driftless/problems/car_axis.hpp>
#include <driftless/problems/closed_chain.hpp>
#include <driftless/problems/flyball.hpp>
#include <driftless/problems/heavy_top.hpp>
#include <driftless/problems/spatial_slider_crank.hpp>
#include <driftless/problems/stiff_pendulum.hpp>
#include <driftless/problems/sundials_slider_crank.hpp>

#include "support/models.hpp"
#include "support/random_point.hpp"

namespace driftless::tests {
namespace {

struct Case {
  std::string name;
  std::shared_ptr<const Problem> problem;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

class Derivatives : public testing::TestWithParam<Case> {
 protected:
  const Problem& problem() const { return *GetParam().problem; }
  const Shape& shape() const { return problem().shape(); }

  // The value of a quantity at (t, z), as a column.
  using Quantity = std::function<Vector(const Evaluation&)>;
  Vector at(Parts parts, const RandomPoint& p, double t, const Vector& z, const Quantity& quantity) const {
    Evaluation e;
    problem().evaluate(parts, Point(t, z, p.a, p.lambda, p.kappa), e);
    return quantity(e);
  }

  Vector displaced(const RandomPoint& p, int level, int j, double h) const {
    Vector z = p.z;
    if (level > 0) {
      z(shape().layout().offset(level) + j) += h;
      return z;
    }
    Vector delta = Vector::Zero(shape().nv);
    delta(j) = h;
    Evaluation e;
    problem().evaluate(Part::kinematics, Point(p.t, p.z), e);
    z.head(shape().nq) += e.N * delta;  // not Problem::displace: a random quaternion is not of unit length
    return z;
  }

  // d quantity / d (displacement of a level), by central differences.
  Matrix slope(Parts parts, const RandomPoint& p, int level, const Quantity& quantity) const {
    const double h = 1e-5;
    Matrix result;
    for (int j = 0; j < shape().nv; ++j) {
      const Vector column = (at(parts, p, p.t, displaced(p, level, j, h), quantity) -
                             at(parts, p, p.t, displaced(p, level, j, -h), quantity)) /
                            (2 * h);
      if (result.size() == 0) result.resize(column.size(), shape().nv);
      result.col(j) = column;
    }
    return result;
  }

  // d quantity / dt along the motion with x^(m) = 0.
  Vector along_motion(Parts parts, const RandomPoint& p, const Quantity& quantity) const {
    const double h = 1e-5;
    const Layout l = shape().layout();
    Vector z_dot = Vector::Zero(l.size());
    if (l.order > 1) {
      Evaluation e;
      problem().evaluate(Part::kinematics, Point(p.t, p.z), e);
      z_dot.head(l.nq) = e.N * p.z.segment(l.offset(1), l.nv);
      for (int j = 1; j + 1 < l.order; ++j)
        z_dot.segment(l.offset(j), l.nv) = p.z.segment(l.offset(j + 1), l.nv);
    }
    return (at(parts, p, p.t + h, p.z + h * z_dot, quantity) -
            at(parts, p, p.t - h, p.z - h * z_dot, quantity)) /
           (2 * h);
  }

  static void expect_near(const Matrix& computed, const Matrix& expected, const char* what) {
    ASSERT_EQ(computed.rows(), expected.rows()) << what;
    ASSERT_EQ(computed.cols(), expected.cols()) << what;
    if (computed.size() == 0) return;
    const double scale = 1 + expected.cwiseAbs().maxCoeff();
    EXPECT_LT((computed - expected).cwiseAbs().maxCoeff(), 2e-8 * scale) << what << "\n"
                                                                         << computed << "\nexpected\n"
                                                                         << expected;
  }

  Evaluation all(const RandomPoint& p) const {
    Evaluation e;
    Parts parts;
    for (unsigned bit = 0; bit <= 21; ++bit) parts = parts | static_cast<Part>(1u << bit);
    problem().evaluate(parts, p.point(), e);
    return e;
  }
};

TEST_P(Derivatives, OfPositionConstraints) {
  const RandomPoint p(shape());
  const Evaluation e = all(p);
  if (shape().ng == 0) return;
  const Parts known = Part::position | Part::rates;
  expect_near(e.G, slope(known, p, 0, [](const Evaluation& x) { return x.g; }), "G");
  const auto derivative = [](int j) -> Quantity {
    return [j](const Evaluation& x) -> Vector { return j == 0 ? x.g : Vector(x.rates.col(j - 1)); };
  };
  for (int j = 1; j < shape().order; ++j) {
    expect_near(e.rates.col(j - 1), along_motion(known, p, derivative(j - 1)), "g^(j)");
    expect_near(e.L[static_cast<std::size_t>(j - 1)], slope(known, p, 0, derivative(j)), "L_j");
  }
  expect_near(e.c, along_motion(known, p, derivative(shape().order - 1)), "c");
  for (int level = 0; level < shape().order; ++level)
    expect_near(e.c_z.middleCols(level * shape().nv, shape().nv),
                slope(Part::jacobian | Part::curvature, p, level,
                      [&](const Evaluation& x) -> Vector { return x.G * p.a + x.c; }),
                "(G a + c)_z");
}

TEST_P(Derivatives, OfVelocityConstraints) {
  const RandomPoint p(shape());
  const Evaluation e = all(p);
  if (shape().nk == 0) return;
  const Quantity w = [](const Evaluation& x) { return x.w; };
  expect_near(e.K, slope(Part::velocity, p, 1, w), "K");
  expect_near(e.w_x, slope(Part::velocity, p, 0, w), "w_x");
  expect_near(e.ck, along_motion(Part::velocity, p, w), "ck");
  for (int level = 0; level < 2; ++level)
    expect_near(e.ck_z.middleCols(level * shape().nv, shape().nv),
                slope(Part::velocity_jacobian | Part::curvature, p, level,
                      [&](const Evaluation& x) -> Vector { return x.K * p.a + x.ck; }),
                "(K a + ck)_z");
}

TEST_P(Derivatives, OfForcesAndMass) {
  const RandomPoint p(shape());
  const Evaluation e = all(p);
  for (int level = 0; level < shape().order; ++level)
    expect_near(e.f_z.middleCols(level * shape().nv, shape().nv),
                slope(Part::force, p, level, [](const Evaluation& x) { return x.f; }), "f_z");
  expect_near(e.Ma_x, slope(Part::mass, p, 0, [&](const Evaluation& x) -> Vector { return x.M * p.a; }),
              "(M a)_x");
  Parts parts = Part::input;
  if (shape().nk > 0) parts = parts | Part::velocity_jacobian;
  expect_near(e.Bl_x,
              slope(parts, p, 0,
                    [&](const Evaluation& x) -> Vector {
                      Vector force = Vector::Zero(shape().nv);
                      if (shape().ng > 0) force += x.B * p.lambda;
                      if (shape().nk > 0) force += x.K.transpose() * p.kappa;
                      return force;
                    }),
              "(B lambda + K^T kappa)_x");
}

TEST_P(Derivatives, OfEnergyAndInvariants) {
  const RandomPoint p(shape());
  const Evaluation e = all(p);
  for (int level = 0; level < shape().order; ++level) {
    if (shape().has_energy)
      expect_near(e.energy_z.segment(level * shape().nv, shape().nv).transpose(),
                  slope(Part::energy, p, level,
                        [](const Evaluation& x) -> Vector { return Vector::Constant(1, x.energy); }),
                  "energy_z");
    if (shape().ni > 0)
      expect_near(e.invariants_z.middleCols(level * shape().nv, shape().nv),
                  slope(Part::invariants, p, level, [](const Evaluation& x) { return x.invariants; }),
                  "invariants_z");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Derivatives,
    testing::Values(
        Case{"pendulum", make_problem(problems::Pendulum{})},
        Case{"slider_crank", make_problem(problems::SliderCrank{})},
        Case{"andrews", make_problem(problems::Andrews{})},
        Case{"car_axis", make_problem(problems::CarAxis{})}, Case{"top", make_problem(problems::HeavyTop{})},
        Case{"flyball", make_problem(problems::Flyball{})},
        Case{"sundials_slider_crank", make_problem(problems::SundialsSliderCrank{})},
        Case{"spatial_slider_crank", make_problem(problems::SpatialSliderCrank{})},
        Case{"closed_chain", make_problem(problems::ClosedChain{})},
        Case{"stiff_pendulum", make_problem(problems::StiffPendulum{.k = 100, .c = 10})},
        Case{"stiff_pendulum_absolute", make_problem(problems::StiffPendulumAbsolute{{.k = 100, .c = 10}})},
        Case{"moving_pivot", make_problem(MovingPivot{})}, Case{"heavy_top", make_problem(HeavyTop{})},
        Case{"sleigh", make_problem(Sleigh{})}, Case{"moving_knife", make_problem(MovingKnife{})},
        Case{"hessenberg1", make_problem(Hessenberg1{})}, Case{"jerk", make_problem(Jerk{})},
        Case{"oscillators", make_problem(Oscillators{})}, Case{"chain", make_problem(Chain(7))}),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace driftless::tests

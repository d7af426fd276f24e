// Named mechanisms without public tables of good digits, against descriptions with fewer coordinates:
// quadrature of the energy for one degree of freedom, joint angles for a chain.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/consistent_state.hpp>

#include "support/compare.hpp"

namespace driftless::tests {
namespace {

// ---- spatial-slider-crank ----

// One degree of freedom: with the kinematics as functions of phi, 2 T = I(phi) phi'^2 and t = integral of
// sqrt(I / (2 (E - V))).
struct CrankByEnergy {
  double inertia, potential, slider;
  explicit CrankByEnergy(double phi) {
    using V3 = Eigen::Vector3d;
    const V3 x(1, 0, 0), pin(0, 0.1 - 0.08 * std::sin(phi), 0.12 + 0.08 * std::cos(phi)),
        pin_rate(0, -0.08 * std::cos(phi), -0.08 * std::sin(phi));
    slider = std::sqrt(0.09 - pin.squaredNorm());
    const double slider_rate = -pin.dot(pin_rate) / slider;
    const V3 along = (slider * x - pin) / 0.3, along_rate = (slider_rate * x - pin_rate) / 0.3,
             centre_rate = (slider_rate * x + pin_rate) / 2;
    // The universal joint: no turning about the direction across both of its axes.
    const V3 turning = along.cross(along_rate), joint = x.cross(along).cross(x);
    const double spin = -joint.dot(turning) / joint.dot(along);
    inertia = 1e-4 + 0.12 * 0.04 * 0.04 + 0.5 * centre_rate.squaredNorm() + 4e-3 * turning.squaredNorm() +
              4e-4 * spin * spin + 2 * slider_rate * slider_rate;
    potential = 9.81 * (0.12 * (0.12 + 0.04 * std::cos(phi)) + 0.5 * pin(2) / 2);
  }
};

double arrival_time(double phi) {
  const CrankByEnergy start(0);
  const double energy = start.inertia * 18 + start.potential, node = std::sqrt(0.6) / 2;
  double t = 0;
  const int pieces = 20000;
  for (int i = 0; i < pieces; ++i)  // Gauss, three points
    for (const auto& [x, weight] :
         {std::pair{0.5 - node, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + node, 5.0 / 18}}) {
      const CrankByEnergy at((i + x) * phi / pieces);
      t += weight * phi / pieces * std::sqrt(at.inertia / (2 * (energy - at.potential)));
    }
  return t;
}

TEST(ReducedMechanisms, SpatialSliderCrank) {
  const auto instance = catalog::make_problem("spatial-slider-crank");
  const Solution s = tight_run(instance, 5, {0.5, 1, 2, 3, 4, 5});
  const State known = *instance.reference.at(5);
  EXPECT_NEAR(arrival_time(known.q()(0)), 5, 1e-12);
  EXPECT_NEAR(CrankByEnergy(known.q()(0)).slider, known.q()(8), 1e-14);
  for (const State& at : s.states) {
    EXPECT_NEAR(arrival_time(at.q()(0)), at.t, 1e-10);
    EXPECT_NEAR(CrankByEnergy(at.q()(0)).slider, at.q()(8), 1e-14);
    EXPECT_NEAR(at.q().segment(4, 4).norm(), 1, 1e-14);
  }
  EXPECT_LT(distance(s.final.q(), known.q()), 1e-9);
  EXPECT_LT(distance(s.final.v(), known.v()), 5e-9);
  EXPECT_LT(distance(s.final.lambda, known.lambda), 5e-9);
  EXPECT_LT(std::abs(s.energy->balance), 1e-10);
  // The curve that Gonzalez submitted to the IFToMM library, which is at this distance from the solution.
  const double curve[] = {0.184952803, 0.211754668, 0.289063554, 0.228450093, 0.188208161, 0.240761815};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(s.states[i].q()(8), curve[i], 5e-5) << s.states[i].t;
}

// Start values as the benchmark states them; the rod's angular velocity by the public Exudyn model.
TEST(ReducedMechanisms, SpatialSliderCrankStart) {
  const auto instance = catalog::make_problem("spatial-slider-crank");
  EXPECT_FALSE(consistent_state(*instance.problem, instance.start).changed);
  const Vector q = instance.start.q(), v = instance.start.v();
  EXPECT_NEAR(q(8), 0.2, 1e-15);
  EXPECT_LT(distance(v.head(4), vector({6, 0.12, -0.24, 0})), 1e-15);
  EXPECT_NEAR(v(7), 0.24, 1e-15);
  const Eigen::Quaterniond p(q(4), q(5), q(6), q(7));
  EXPECT_LT(distance(p * Eigen::Vector3d(v.segment(4, 3)), vector({1.92, -0.96, 0.48})), 1e-14);
}

// ---- closed-chain: against joint angles ----

// The chain as five angles with two constraints at the far pin; link k's centre moves with the angles of
// links before it.
struct JointChain {
  static constexpr int nq = 5, ng = 2;
  static double weight(int i, int j) { return i == j ? 1.0 / 3 + 4 - i : 0.5 + 4 - std::max(i, j); }
  void mass(auto, auto q, auto M) const {
    using std::cos;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        M(i, j) = weight(i, j) * cos(q[static_cast<std::size_t>(i)] - q[static_cast<std::size_t>(j)]);
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::cos, std::sin;
    for (std::size_t i = 0; i < 5; ++i) {
      f[i] = -9.81 * (4.5 - static_cast<double>(i)) * cos(q[i]);
      for (std::size_t j = 0; j < 5; ++j)
        f[i] -= weight(static_cast<int>(i), static_cast<int>(j)) * sin(q[i] - q[j]) * v[j] * v[j];
    }
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    g[0] = -3.0;
    for (const auto& angle : q) {
      g[0] += cos(angle);
      g[1] += sin(angle);
    }
  }
};

TEST(ReducedMechanisms, ClosedChain) {
  const auto instance = catalog::make_problem("closed-chain");
  EXPECT_FALSE(consistent_state(*instance.problem, instance.start).changed);
  const Solution s = tight_run(instance, 2);
  EXPECT_LT(std::abs(s.energy->balance), 1e-9);
  const auto joints = make_problem(JointChain{});
  State start(joints->shape().layout(), 2, 0);
  for (int i = 0; i < 5; ++i) start.z(i) = instance.start.z(3 * i + 2);
  const State angles = solve(*joints, start, {}, tight(2)).final, known = *instance.reference.at(2);
  for (const State* chain : {&s.final, &known}) {
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(chain->q()(3 * i + 2), angles.q()(i), 1e-10) << i;
      EXPECT_NEAR(chain->v()(3 * i + 2), angles.v()(i), 1e-9) << i;
    }
    // Far pin: the ground less the chain's end here, the end less the ground there.
    EXPECT_LT(distance(chain->lambda.tail(2), -angles.lambda), 1e-8);
  }
  EXPECT_LT(distance(s.final.q(), known.q()), 1e-10);
  EXPECT_LT(distance(s.final.v(), known.v()), 1e-9);
  EXPECT_LT(distance(s.final.lambda, known.lambda), 1e-8);
}

}  // namespace
}  // namespace driftless::tests

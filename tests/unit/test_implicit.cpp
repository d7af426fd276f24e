// Implicit one-stage methods: stability functions, order, interpolants and invariants to roundoff, and stiff
// problems far beyond the explicit limit.
#include <gtest/gtest.h>

#include <cmath>

#include "implicit_stepper.hpp"
#include "support/models.hpp"
#include "support/problems.hpp"

namespace driftless::tests {
namespace {

struct Decay {
  static constexpr int order = 1, nq = 1;
  double rate = -1;
  void force(auto, auto x, auto f) const { f[0] = rate * x[0]; }
};

TEST(ImplicitMethods, StabilityFunction) {
  for (const double z : {-0.1, -1.0, -3.0, -1e3, -1e8, 0.5}) {
    const auto problem = make_problem(Decay{.rate = z / 0.01});
    EXPECT_NEAR(Stepper(*problem, {1}, "backward-euler").attempt(0.01)(0), 1 / (1 - z), 5e-16) << z;
    EXPECT_NEAR(Stepper(*problem, {1}, "implicit-midpoint").attempt(0.01)(0), (1 + z / 2) / (1 - z / 2),
                5e-16)
        << z;
  }
}

TEST(ImplicitMethods, ExactUpToTheirOrderAndNotBeyond) {
  for (const auto& name : implicit_methods) {
    const auto& entry = catalog::integrator(name);
    EXPECT_EQ(entry.order, name == "backward-euler" ? 1 : 2);
    EXPECT_EQ(entry.dense_order, entry.order);
    for (int degree = 1; degree <= entry.order + 1; ++degree) {
      const auto problem = make_problem(Power{degree});
      Stepper s(*problem, {std::pow(0.5, degree)}, name, "index1", 0.5);
      s.advance(0.3);
      const double error = std::abs(s.state.z(0) - std::pow(0.8, degree));
      if (degree > entry.order) {
        EXPECT_GT(error, 1e-3) << name;
        continue;
      }
      EXPECT_LT(error, 2e-15) << name << " degree " << degree;
      State between = s.state;
      for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0}) {
        s.integrator->interpolate(0.5 + 0.3 * theta, between);
        EXPECT_NEAR(between.z(0), std::pow(0.5 + 0.3 * theta, degree), 3e-15) << name << " " << theta;
      }
    }
  }
}

// Polynomials have no Jacobian. On a nonlinear problem the error inside one step is h^(dense order + 1).
TEST(ImplicitMethods, InterpolantErrorOfOneStep) {
  const auto pendulum = catalog::make_problem("pendulum", {{"vy", "1"}});
  for (const auto& name : implicit_methods) {
    const auto error = [&](double h) {
      Stepper s(*pendulum.problem, {pendulum.start.z.begin(), pendulum.start.z.end()}, name);
      s.advance(h);
      State between = s.state;
      s.integrator->interpolate(0.4 * h, between);
      return (between.z - pendulum.reference.at(0.4 * h)->z).norm();
    };
    EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), catalog::integrator(name).dense_order + 1, 0.1)
        << name;
  }
}

// Euler's equations of a free rigid body: energy and angular momentum are quadratic.
struct RigidBody {
  static constexpr int order = 1, nq = 3;
  static constexpr double I[3] = {1, 2, 3.5};
  void force(auto, auto w, auto f) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      f[i] = (I[j] - I[k]) / I[i] * w[j] * w[k];
    }
  }
  static std::pair<double, double> energy_and_momentum(const Vector& w) {
    double energy = 0, momentum = 0;
    for (int i = 0; i < 3; ++i) energy += I[i] * w(i) * w(i) / 2, momentum += std::pow(I[i] * w(i), 2);
    return {energy, momentum};
  }
};

// With Newton's method taken to roundoff: what it leaves would add up, step by step.
TEST(ImplicitMidpoint, KeepsQuadraticInvariants) {
  const auto problem = make_problem(RigidBody{});
  Stepper midpoint(*problem, {0.3, 1, 0.2}, "implicit-midpoint:tolerance=1e-16");
  Stepper euler(*problem, {0.3, 1, 0.2}, "backward-euler");
  const auto [energy, momentum] = RigidBody::energy_and_momentum(midpoint.state.z);
  Vector smallest = midpoint.state.z, largest = smallest;
  for (int i = 0; i < 10000; ++i) {
    midpoint.advance(0.1);
    if (i < 100) euler.advance(0.1);
    smallest = smallest.cwiseMin(midpoint.state.z);
    largest = largest.cwiseMax(midpoint.state.z);
    const auto [e, m] = RigidBody::energy_and_momentum(midpoint.state.z);
    ASSERT_NEAR(e / energy, 1, 1e-12) << i;
    ASSERT_NEAR(m / momentum, 1, 1e-12) << i;
  }
  EXPECT_GT((largest - smallest).minCoeff(), 0.3) << "the body must tumble, or nothing was tested";
  EXPECT_LT(RigidBody::energy_and_momentum(euler.state.z).first, energy - 1e-3)
      << "and backward Euler loses energy";
}

TEST(ImplicitMidpoint, KeepsTheLengthOfQuaternions) {
  const ShapeCase& c = shape_case("quaternions");
  Stepper s(*c.problem, {c.start.z.begin(), c.start.z.end()}, "implicit-midpoint:tolerance=1e-16");
  for (int i = 0; i < 1000; ++i) s.advance(1e-3);
  EXPECT_NEAR(s.state.z.segment(3, 4).norm(), 1, 1e-12);
}

// ---- stiff problems ----

// k x'' scaled away: x'' + 2 w x' + w^2 x = w^2 sin t, critically damped. The slow motion is
// x = A sin t + B cos t with (w^2 - 1) A - 2 w B = w^2, (w^2 - 1) B + 2 w A = 0.
struct StiffOscillator {
  static constexpr int nq = 1;
  static constexpr double w = 1e4;
  void force(auto t, auto q, auto v, auto f) const {
    using std::sin;
    f[0] = w * w * (sin(t) - q[0]) - 2 * w * v[0];
  }
  static double slow(double t, bool derivative = false) {
    const double a = w * w - 1, b = 2 * w, A = w * w * a / (a * a + b * b), B = -b / a * A;
    return derivative ? A * std::cos(t) - B * std::sin(t) : A * std::sin(t) + B * std::cos(t);
  }
};

TEST(ImplicitMethods, StepsFarBeyondTheExplicitLimit) {
  const auto problem = make_problem(StiffOscillator{});
  const double h = 0.01;  // w h = 100; rk4 needs w h < 2.8
  const Options options{.t_end = 2, .step = h};
  const State off = state_of(*problem, {1, 0});
  const State slow = state_of(*problem, {StiffOscillator::slow(0), StiffOscillator::slow(0, true)});
  const auto run = [&](const State& start, const char* integrator) {
    return solve(*problem, start, {.integrator = integrator}, options);
  };
  const auto error = [](const Solution& s) {
    return std::abs(s.final.z(0) - StiffOscillator::slow(s.final.t));
  };
  const Solution explicit_run = run(slow, "rk4");
  EXPECT_TRUE(!explicit_run.complete() || error(explicit_run) > 1e3);
  // The transient is gone; what is left is the error of x' in (2/w) x': (2/w) (h/2) |x''|.
  const Solution euler = run(off, "backward-euler");
  ASSERT_TRUE(euler.complete()) << euler.end_message;
  EXPECT_LT(error(euler), 1.1 * h / StiffOscillator::w);
  EXPECT_LE(euler.work.jacobians, 2) << "a linear problem";
  EXPECT_LE(euler.work.newton, 2 * euler.work.steps + 5);
  // Started on the slow motion the error stays between 0 and h^2/4 |x''| (R = -1 on the stiff part).
  const Solution midpoint = run(slow, "implicit-midpoint");
  ASSERT_TRUE(midpoint.complete()) << midpoint.end_message;
  EXPECT_LT(error(midpoint), 1.1 * h * h / 4);
}

// Between the steps nothing may leave the solution by more than its own size, although h f is 1e6 times that.
TEST(ImplicitMethods, InterpolantsAreBoundedOnStiffProblems) {
  const auto problem = make_problem(Decay{.rate = -1e8});
  for (const auto& name : implicit_methods) {
    Stepper s(*problem, {1}, name);
    s.advance(0.01);
    State between = s.state;
    for (double theta = 0; theta <= 1; theta += 0.125) {
      s.integrator->interpolate(0.01 * theta, between);
      EXPECT_LE(std::abs(between.z(0)), 1.5) << name << " " << theta;
      if (name == "backward-euler") {
        EXPECT_NEAR(between.z(0), 1 - theta, 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace driftless::tests

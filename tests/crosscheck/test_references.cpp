// Runs against values from outside: published references, exact solutions, other coordinates, other
// formulations.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

const Options tight(double t_end) {
  return {.t_end = t_end, .rtol = 1e-12, .atol = 1e-12};
}

Solution run(const ProblemInstance& instance, const Options& options, const Method& method = {}) {
  return solve(*instance.problem, instance.start, method, options);
}

// MEBDFDAE distribution, pendul3.f: good to 4e-12 in q, 3e-11 in v and 9e-11 in lambda (the printed digits
// beyond are not right).
TEST(References, UnitPendulum) {
  const auto instance = catalog::make_problem("pendulum");
  const State end = run(instance, tight(1)).final;
  const State exact = *instance.reference.at(1);
  for (const State* s : {&end, &exact}) {
    EXPECT_NEAR(s->z(0), 0.867348640604551746, 5e-12);
    EXPECT_NEAR(s->z(1), 0.497701050476373918, 5e-12);
    EXPECT_NEAR(s->z(2), -0.0337480180329866458, 5e-11);
    EXPECT_NEAR(s->z(3), 0.0588130114660715686, 5e-11);
    EXPECT_NEAR(s->lambda(0), -0.493103151528274442, 2e-10);
  }
}

// IFToMM / LIM benchmark A01: positions at several times, ten digits.
TEST(References, SimplePendulumA01) {
  const auto instance = catalog::make_problem("pendulum", {{"case", "A01"}});
  Options options = tight(10);
  options.output = {.kind = Output::Kind::at, .times = {0.5, 1, 5, 9.5, 9.99, 10}};
  const double table[][2] = {{-0.3910487916, -0.9203699488}, {0.9862917511, -0.1650108531},
                             {-0.9423054350, -0.3347543384}, {-0.9999919153, -0.0040211228},
                             {-0.3164364699, -0.9486137046}, {-0.2750874626, -0.9614192051}};
  const Solution s = run(instance, options);
  ASSERT_EQ(s.states.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(s.states[i].z(0), table[i][0], 2e-9) << s.states[i].t;
    EXPECT_NEAR(s.states[i].z(1), table[i][1], 2e-9) << s.states[i].t;
    const State exact = *instance.reference.at(s.states[i].t);
    EXPECT_NEAR(exact.z(0), table[i][0], 1e-10);
    EXPECT_NEAR(exact.z(1), table[i][1], 1e-10);
  }
  EXPECT_LT(std::abs(s.energy->balance), 1e-9);
}

// The exact motion for a pendulum that turns over, and for other parameters, against tight runs.
TEST(References, PendulumsOfAllKinds) {
  const std::vector<std::vector<std::pair<std::string, std::string>>> sets = {
      {{"vy", "3"}},
      {{"vy", "-3"}},
      {{"vy", "0"}},
      {{"gravity", "4"}, {"length", "2"}, {"x", "0"}, {"y", "-2"}, {"vx", "1"}, {"vy", "0"}},
      {{"m", "7"}},
      {{"gravity", "0"}},
      {{"gravity", "-2"}},
      {{"y", "0.5"}, {"vx", "1"}}};
  for (const auto& set : sets) {
    const auto instance = catalog::make_problem("pendulum", set);
    const State end = run(instance, tight(5)).final;
    const State exact = *instance.reference.at(5);
    EXPECT_LT((end.z - exact.z).cwiseAbs().maxCoeff(), 1e-9) << set[0].first << "=" << set[0].second;
    EXPECT_LT((end.lambda - exact.lambda).cwiseAbs().maxCoeff(), 1e-8);
  }
}

// Near a turning point the start's phase must not lose digits.
TEST(References, PendulumThatHardlyMoves) {
  for (const char* speed : {"1e-6", "1e-8"}) {
    const auto instance = catalog::make_problem("pendulum", {{"case", "A01"}, {"vy", speed}});
    EXPECT_LT((instance.reference.at(0)->z - instance.start.z).cwiseAbs().maxCoeff(), 2e-15) << speed;
  }
}

// A reduced equation for the crank angle, integrated independently in arithmetic with 30 digits.
TEST(References, SliderCrank) {
  const auto instance = catalog::make_problem("001-slider-crank");
  for (const double t : {1, 2, 3, 8, 10}) {
    const State end = run(instance, tight(t)).final;
    EXPECT_LT((end.z - instance.reference.at(t)->z).cwiseAbs().maxCoeff(), 1e-10) << t;
  }
}

// Recomputed in 80-bit arithmetic by an extrapolation method; relative self-consistency 2e-16 in q, 3e-14 in
// v, 3e-15 in lambda.
TEST(References, Andrews) {
  const auto instance = catalog::make_problem("andrews");
  const Solution s = run(instance, tight(0.03));
  const State exact = *instance.reference.at(0.03);
  const auto relative = [](const auto& a, const auto& b) {
    return ((a - b).cwiseAbs().cwiseQuotient(b.cwiseAbs())).maxCoeff();
  };
  EXPECT_LT(relative(s.final.q(), exact.q()), 1e-9);
  EXPECT_LT(relative(s.final.v(), exact.v()), 1e-7);
  EXPECT_LT(relative(s.final.lambda, exact.lambda), 1e-8);
  EXPECT_NEAR(s.energy->start, 1.4378329575321, 1e-12);
  EXPECT_LT(std::abs(s.energy->balance), 1e-10);
}

// At moderate tolerance: what the program promises by default.
TEST(References, AndrewsAtDefaultTolerance) {
  const auto instance = catalog::make_problem("andrews");
  const Solution s = run(instance, {.t_end = 0.03, .rtol = 1e-6, .atol = 1e-6});
  const State exact = *instance.reference.at(0.03);
  EXPECT_LT(((s.final.q() - exact.q()).cwiseAbs().cwiseQuotient(exact.q().cwiseAbs())).maxCoeff(), 1e-6);
  EXPECT_LT(s.drift->position, 1e-13);
  EXPECT_LT(s.drift->velocity, 1e-10);
}

// The same mechanism with every derivative automatic: no hand-written dynamics, Jacobian or L.
struct AndrewsAutomatic {
  static constexpr int nq = 7, ng = 6;
  problems::Andrews by_hand;
  void mass(auto t, auto q, auto M) const { by_hand.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { by_hand.force(t, q, v, f); }
  void constraint(auto t, auto q, auto g) const { by_hand.constraint(t, q, g); }
};

TEST(Crosscheck, AutomaticAgainstHandWrittenDerivatives) {
  static_assert(!model::HasDynamics<AndrewsAutomatic> && model::HasDynamics<problems::Andrews>);
  const auto instance = catalog::make_problem("andrews");
  const auto automatic = make_problem(AndrewsAutomatic{});
  const Method method{.integrator = "rk4"};
  const Options options{.t_end = 0.005, .step = 1e-4};
  const State by_hand = run(instance, options, method).final;
  const State by_machine = solve(*automatic, instance.start, method, options).final;
  EXPECT_LT((by_hand.z - by_machine.z).cwiseAbs().maxCoeff(), 1e-11 * by_hand.z.cwiseAbs().maxCoeff());
  EXPECT_LT((by_hand.lambda - by_machine.lambda).cwiseAbs().maxCoeff(),
            1e-10 * by_hand.lambda.cwiseAbs().maxCoeff());
}

// The pendulum in joint coordinates: one angle, no constraint.
struct AnglePendulum {
  static constexpr int nq = 1;
  void force(auto, auto q, auto, auto f) const {
    using std::sin;
    f[0] = -9.81 * sin(q[0]);
  }
};

TEST(Crosscheck, JointCoordinatesAgainstCartesian) {
  const auto instance = catalog::make_problem("pendulum", {{"case", "A01"}});
  const State cartesian = run(instance, tight(3)).final;
  const auto angle = make_problem(AnglePendulum{});
  const State joint = solve(*angle, state_of(*angle, {-M_PI / 2, 0}), {}, tight(3)).final;
  const double phi = joint.z(0), rate = joint.z(1);
  EXPECT_NEAR(cartesian.z(0), std::sin(phi), 1e-9);
  EXPECT_NEAR(cartesian.z(1), -std::cos(phi), 1e-9);
  EXPECT_NEAR(cartesian.lambda(0), rate * rate + 9.81 * std::cos(phi), 1e-8);  // the rod's tension
}

// On every shape, formulations agree with each other, and fixed-size kernels with the general path.
TEST(Crosscheck, FormulationsAgreeOnEveryShape) {
  for (const ShapeCase& c : shape_cases()) {
    const Options options = tight(std::min(c.t_end, 0.5));
    const Solution a = solve(*c.problem, c.start, {}, options);
    const Solution b =
        solve(*c.problem, c.start, {.formulation = "baumgarte:gamma=3", .stabilizer = "none"}, options);
    ASSERT_TRUE(a.complete() && b.complete()) << c.name << a.end_message << b.end_message;
    EXPECT_LT((a.final.z - b.final.z).cwiseAbs().maxCoeff(), 1e-9 * (1 + a.final.z.cwiseAbs().maxCoeff()))
        << c.name;
    EXPECT_LT((a.final.lambda - b.final.lambda).norm() + (a.final.kappa - b.final.kappa).norm(),
              1e-7 * (1 + a.final.lambda.norm() + a.final.kappa.norm()))
        << c.name;
  }
}

TEST(Crosscheck, FixedSizeAgainstGeneralAcceleration) {
  for (const ShapeCase& c : shape_cases()) {
    const Shape& s = c.problem->shape();
    Workspace w1, w2;
    Vector a1(s.nv), a2(s.nv), l1(s.multipliers()), l2(s.multipliers());
    const Vector r = Vector::LinSpaced(s.multipliers(), 0.5, 1);
    ASSERT_EQ(c.problem->acceleration(0.1, c.start.z, r, a1, l1, w1), Status::ok);
    ASSERT_EQ(c.problem->Problem::acceleration(0.1, c.start.z, r, a2, l2, w2), Status::ok);
    EXPECT_LT((a1 - a2).norm() + (l1 - l2).norm(), 1e-11 * (1 + a1.norm() + l1.norm())) << c.name;
  }
}

}  // namespace
}  // namespace driftless::tests

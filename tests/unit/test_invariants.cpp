// What joins the constraints in h: invariants by name; unit quaternions even where there are no constraints; and nearly dependent rows.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

// Kepler's problem as an ODE of order 1 with two invariants.
struct Kepler {
  static constexpr int order = 1, nq = 4, ni = 2;
  static constexpr std::array<const char*, 2> invariant_names{"H", "L"};
  void force(auto, auto x, auto f) const {
    using std::sqrt;
    const auto r2 = x[0] * x[0] + x[1] * x[1], r3 = r2 * sqrt(r2);
    f[0] = x[2], f[1] = x[3], f[2] = -x[0] / r3, f[3] = -x[1] / r3;
  }
  void invariants(auto, auto x, auto out) const {
    using std::sqrt;
    out[0] = (x[2] * x[2] + x[3] * x[3]) / 2.0 - 1.0 / sqrt(x[0] * x[0] + x[1] * x[1]);
    out[1] = x[0] * x[3] - x[1] * x[2];
  }
};

struct Values {
  double H, L;
};

Values kepler_end(const std::string& stabilizer) {
  const auto problem = make_problem(Kepler{});
  const State start = make_state(*problem, {{0.5, 0, 0, std::sqrt(3.0)}});
  const State end =
      solve(*problem, start, {.integrator = "rk4", .stabilizer = stabilizer}, {.t_end = 20, .step = 0.02})
          .final;
  Evaluation e;
  problem->evaluate(Part::invariants, Point(0, end.z), e);
  return {e.invariants(0), e.invariants(1)};
}

TEST(Invariants, AreKeptWhereChosen) {
  EXPECT_GT(std::abs(kepler_end("none").H + 0.5), 1e-8);
  const Values both = kepler_end("projection:F=full,invariants=all"),
               named = kepler_end("projection:F=full,invariants=H;L"),
               one = kepler_end("projection:F=full,invariants=L");
  EXPECT_NEAR(both.H, -0.5, 1e-13);
  EXPECT_NEAR(both.L, std::sqrt(3.0) / 2, 1e-13);
  EXPECT_NEAR(named.H, -0.5, 1e-13);
  EXPECT_NEAR(one.L, std::sqrt(3.0) / 2, 1e-13);
  EXPECT_GT(std::abs(one.H + 0.5), 1e-8);
}

TEST(Invariants, EnergyJoinsTheConstraints) {
  const auto instance = catalog::make_problem("pendulum");
  const Options options{.t_end = 50, .step = 0.05};
  const auto run = [&](const char* stabilizer) {
    return solve(*instance.problem, instance.start, {.integrator = "rk4", .stabilizer = stabilizer}, options);
  };
  EXPECT_GT(std::abs(run("post:F=full").energy->balance), 1e-7);
  const Solution kept = run("projection:F=full,invariants=energy");
  EXPECT_LT(std::abs(kept.energy->balance), 1e-13);
  EXPECT_LT(kept.drift->position, 1e-14);
}

TEST(Invariants, Refusals) {
  const auto pendulum = catalog::make_problem("pendulum"), crank = catalog::make_problem("001-slider-crank");
  const auto says = [](const ProblemInstance& p, const char* stabilizer) {
    return complaint([&] { solve(*p.problem, p.start, {.stabilizer = stabilizer}, {.t_end = 0.1}); });
  };
  EXPECT_TRUE(contains(says(pendulum, "post:invariants=energy"), "use F=full"));
  EXPECT_TRUE(contains(says(pendulum, "post:F=full,invariants=enery"),
                       "no invariant 'enery'; it has: energy (did you mean energy?)"));
  EXPECT_TRUE(contains(says(crank, "post:F=full,invariants=energy"), "is no invariant"));
}

// A free rigid body: quaternions and no constraints.
struct FreeBody {
  static constexpr int nq = 4, nv = 3;
  void mass(auto, auto, auto M) const { M(0, 0) = 1.0, M(1, 1) = 2.0, M(2, 2) = 3.0; }
  void force(auto, auto, auto v, auto f) const {
    f[0] = -v[1] * v[2], f[1] = 2.0 * v[2] * v[0], f[2] = -v[0] * v[1];
  }
  void kinematics(auto, auto q, auto v, auto rates) const {
    rates[0] = (-q[1] * v[0] - q[2] * v[1] - q[3] * v[2]) / 2.0;
    rates[1] = (q[0] * v[0] - q[3] * v[1] + q[2] * v[2]) / 2.0;
    rates[2] = (q[3] * v[0] + q[0] * v[1] - q[1] * v[2]) / 2.0;
    rates[3] = (-q[2] * v[0] + q[1] * v[1] + q[0] * v[2]) / 2.0;
  }
  void normalize(auto q) const {
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& x : q) x /= norm;
  }
};

TEST(Quaternions, StayOfUnitLengthWithoutConstraints) {
  const auto body = make_problem(FreeBody{});
  const State start = make_state(*body, {{1, 0, 0, 0}, {0.1, 2, 0.2}});
  const auto length = [&](const char* stabilizer) {
    return solve(*body, start, {.stabilizer = stabilizer}, {.t_end = 100, .rtol = 1e-4, .atol = 1e-4})
        .final.q()
        .norm();
  };
  EXPECT_GT(std::abs(length("none") - 1), 1e-4);
  EXPECT_NEAR(length("post"), 1, 1e-14);
  EXPECT_NEAR(length("projection"), 1, 1e-14);
}

// Two constraints whose gradients are an angle of 1e-5 apart: regular, but roundoff moves the state by more than the tolerance.
struct NearlyDependent {
  static constexpr int nq = 3, ng = 2;
  void force(auto, auto, auto, auto f) const { f[2] = 1.0, f[0] = -1.0; }
  void constraint(auto, auto q, auto g) const {
    using std::sin;
    g[0] = q[0] - sin(q[2]);
    g[1] = q[0] - sin(q[2]) + 1e-5 * (q[1] - q[2] * q[2]);
  }
};

TEST(Projection, ConvergesOnNearlyDependentConstraints) {
  const auto problem = make_problem(NearlyDependent{});
  const Solution s = solve(*problem, make_state(*problem, {}), {.stabilizer = "projection"}, {.t_end = 1});
  EXPECT_TRUE(s.complete()) << s.end_message;
  EXPECT_LT(s.drift->position, 1e-13);
}

}  // namespace
}  // namespace driftless::tests

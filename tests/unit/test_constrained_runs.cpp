// Runs of formulations with multipliers: what their multipliers mean beside stabilizers and after changed
// steps, what is between steps, how well Newton's method keeps its tolerance, and the sentences that go
// with trouble.
#include <gtest/gtest.h>

#include <cmath>

#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

Solution run(const ProblemInstance& instance, const Method& method, const Options& options) {
  return solve(*instance.problem, instance.start, method, options);
}

// lambda of the step belongs to velocities before they were moved; that of a moved state is its own, of
// order 1.
TEST(ConstrainedRuns, MultipliersBelongToTheStabilizedState) {
  const auto instance = catalog::make_problem("pendulum");
  for (const char* formulation : {"index3", "index2-baumgarte:gamma=1000", "ggl"})
    for (const char* stabilizer : {"post", "projection", "projection:F=velocity"}) {
      const auto error = [&](double h) {
        const Solution s =
            run(instance, {.formulation = formulation, .stabilizer = stabilizer}, {.t_end = 4, .step = h});
        return std::abs(s.final.lambda(0) - instance.reference.at(4)->lambda(0));
      };
      EXPECT_NEAR(error(0.002) / error(0.001), 2, 0.2) << formulation << " " << stabilizer;
    }
}

// lambda of index3 as a step makes it is a second difference: wrong by S^-1 c/2 (1 - h_0/h), here by half
// the curvature of about 1 and by more than that. What is shown belongs to the state, of order 1.
TEST(ConstrainedRuns, AChangedLastStepHasMultipliersOfItsState) {
  const auto instance = catalog::make_problem("pendulum");
  for (const double t_end : {0.01, 1.0, 1.003}) {
    const Solution s = run(instance, {.formulation = "index3"}, {.t_end = t_end, .step = 0.01});
    EXPECT_NEAR(s.final.lambda(0), instance.reference.at(t_end)->lambda(0), 0.02) << t_end;
    EXPECT_TRUE(s.notes.empty()) << s.notes[0];
  }
}

// A chord between unit quaternions is shorter than 1, at these steps by 4.5e-4.
TEST(ConstrainedRuns, QuaternionsAreUnitBetweenSteps) {
  const auto instance =
      catalog::make_problem("heavy-top", {{"gravity", "0"}, {"spin", "2"}, {"wx", "1"}, {"wz", "-1"}});
  for (const char* formulation : {"index1", "index3", "ggl", "stabilized-index1"}) {
    const Solution s = run(
        instance, {.formulation = formulation, .integrator = "backward-euler", .stabilizer = "none"},
        {.t_end = 1, .step = 0.05, .output = {.kind = Output::Kind::every, .interval = 0.03, .times = {}}});
    ASSERT_GT(s.states.size(), 30u);
    for (const State& state : s.states) {
      if (std::abs(std::remainder(state.t, 0.05)) < 1e-9) continue;  // a step
      EXPECT_NEAR(state.q().tail(4).norm(), 1, 1e-14) << formulation << " t = " << state.t;
    }
  }
}

// What is imposed is left by Newton's method within its tolerance (relative to 1 + |y|, here at most 50),
// whatever the first ratio of increments promises.
TEST(ConstrainedRuns, NewtonKeepsItsTolerance) {
  struct Case {
    const char *problem, *formulation;
    double step, size;
  };
  for (const Case& c :
       {Case{"004-circle", "index2", 0.1, 2}, Case{"chaplygin-sleigh", "index3", 0.01, 5},
        Case{"arevalo", "ggl", 0.001, 50}, Case{"arevalo", "index2", 0.001, 50},
        Case{"car-axis", "projected-invariants", 1e-3, 5}, Case{"pendulum", "ggl", 0.01, 2}}) {
    const auto instance = catalog::make_problem(c.problem);
    for (const double tolerance : {1e-6, 1e-10}) {
      const std::string integrator = "backward-euler:tolerance=" + std::to_string(tolerance * 1e12) + "e-12";
      const Solution s = run(instance, {.formulation = c.formulation, .integrator = integrator},
                             {.t_end = instance.t_end, .step = c.step});
      ASSERT_TRUE(s.complete()) << c.problem << " " << s.end_message;
      EXPECT_LT(s.drift->velocity, 10 * c.size * tolerance)
          << c.problem << " " << c.formulation << " " << tolerance;
    }
  }
}

TEST(ConstrainedRuns, InvariantsThatDependOnEachOtherAreNamed) {
  const auto rest = catalog::make_problem("pendulum", {{"x", "0"}, {"y", "-1"}});
  const Solution energy =
      run(rest, {.formulation = "projected-invariants:invariants=energy"}, {.t_end = 1, .step = 0.01});
  EXPECT_EQ(energy.end, EndReason::singular_step);
  EXPECT_TRUE(contains(energy.end_message, "energy depends on rod length; leave it out"))
      << energy.end_message;
}

TEST(ConstrainedRuns, NothingImposedIsNoted) {
  const auto kepler = catalog::make_problem("001-kepler");
  const auto notes = [&](const char* formulation) {
    return run(kepler, {.formulation = formulation}, {.t_end = 0.1, .step = 0.01}).notes;
  };
  ASSERT_EQ(notes("projected-invariants").size(), 1u);
  EXPECT_TRUE(contains(notes("projected-invariants")[0], "imposes nothing"));
  EXPECT_TRUE(notes("projected-invariants:invariants=all").empty());
}

// Imposed, the energy of Kepler's problem stays; backward Euler alone loses it.
TEST(ConstrainedRuns, InvariantsAreImposed) {
  const auto kepler = catalog::make_problem("001-kepler");
  const auto lost = [&](const char* formulation) {
    const Solution s =
        run(kepler, {.formulation = formulation, .integrator = "backward-euler:tolerance=1e-13"},
            {.t_end = 3, .step = 0.01});
    return std::abs(s.energy->balance);
  };
  EXPECT_GT(lost("projected-invariants"), 1e-2);
  EXPECT_LT(lost("projected-invariants:invariants=energy"), 1e-12);
}

// No mass along q2, whose motion the constraint q2 = q0 q1 determines: M is singular, the mechanism is not.
struct MasslessSlave {
  static constexpr int nq = 3, ng = 1;
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = 1; }
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto, auto q, auto g) const { g[0] = q[2] - q[0] * q[1]; }
};

TEST(ConstrainedRuns, MassesMayVanishUnlessTheFormulationDividesByThem) {
  const auto problem = make_problem(MasslessSlave{});
  const State start = make_state(*problem, {{1, 1, 1}, {0.5, 0, 0.5}});
  const auto end = [&](const char* formulation, double step = 0.01) {
    return solve(*problem, start, {.formulation = formulation}, {.t_end = 1, .step = step});
  };
  for (const char* formulation : {"index3", "index2"}) {
    const Solution s = end(formulation);
    ASSERT_TRUE(s.complete()) << formulation << s.end_message;
    EXPECT_NEAR(s.final.q()(0), 1.5, 1e-9) << formulation << ": free motion, exact for backward Euler";
  }
  // mu, which brings the slave back to its curve, moves the master too: order 1.
  for (const char* formulation : {"ggl", "projected-invariants"}) {
    const auto error = [&](double step) { return std::abs(end(formulation, step).final.q()(0) - 1.5); };
    EXPECT_NEAR(error(0.01) / error(0.005), 2, 0.1) << formulation;
  }
  for (const char* formulation : {"ggl:D=input", "stabilized-index1"}) {
    const Solution s = end(formulation);
    EXPECT_EQ(s.end, EndReason::singular_mass) << formulation;
    EXPECT_TRUE(contains(s.end_message, "this formulation divides by it; use ggl")) << s.end_message;
  }
}

TEST(ConstrainedRuns, OptionsThatOrder1WouldIgnoreAreRefused) {
  const auto jay = catalog::make_problem("jay");
  const auto says = [&](const char* formulation) {
    return complaint([&] { run(jay, {.formulation = formulation}, {.t_end = 0.1, .step = 0.01}); });
  };
  EXPECT_TRUE(contains(says("index2-baumgarte:gamma=7"), "gamma would be ignored; use index2"));
  EXPECT_TRUE(contains(says("ggl:D=input"), "it would be ignored; use index2"));
  EXPECT_EQ(says("index2-baumgarte"), "(no complaint)");
  EXPECT_EQ(says("ggl"), "(no complaint)");
}

// Local coordinates at the end of so large a step may be found, and none in between.
TEST(ConstrainedRuns, AnOutputThatCannotBeHadSaysSo) {
  const auto instance = catalog::make_problem("spatial-slider-crank");
  const Solution s = run(instance, {.formulation = "state-space", .integrator = "backward-euler"},
                         {.t_end = 0.5,
                          .step = 0.05,
                          .output = {.kind = Output::Kind::every, .interval = 0.00137, .times = {}}});
  EXPECT_EQ(s.end, EndReason::no_convergence);
  EXPECT_TRUE(contains(s.end_message, "no state was found between two steps, at t = 0.2")) << s.end_message;
  EXPECT_TRUE(s.final.z.allFinite());
}

// Without position constraints nothing has index 3: steps are those of index2.
TEST(ConstrainedRuns, Index3WithoutPositionsIsIndex2) {
  const auto instance = catalog::make_problem("chaplygin-sleigh");
  for (const char* integrator : {"bdf", "radau5"}) {
    const auto run = [&](const char* formulation) {
      return solve(*instance.problem, instance.start, {.formulation = formulation, .integrator = integrator},
                   {.t_end = instance.t_end, .rtol = 1e-6, .atol = 1e-6});
    };
    const Solution index3 = run("index3"), index2 = run("index2");
    EXPECT_EQ(index3.work.steps, index2.work.steps) << integrator;
    EXPECT_EQ(index3.final.z, index2.final.z) << integrator;
  }
}

}  // namespace
}  // namespace driftless::tests

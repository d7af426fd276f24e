// Runs in state space: the paper's errors, full turns with charts that change, mechanisms against their
// references, restarts, and how a given R ends.
#include <gtest/gtest.h>

#include <numbers>

#include "support/compare.hpp"
#include "support/problems.hpp"

namespace driftless::tests {
namespace {

// Recomputed values of Tables 4.1 and 4.2 (nu = 1000, h = .01): backward Euler for the scalar equation in u, by
// hand. (Table 4.1 prints .42e-1, which nothing near its parameters gives; Table 4.2 prints .14e-4.)
TEST(StateSpaceRuns, ErrorsOfTheExamples) {
  for (const auto& [name, error] : {std::pair{"000-example1", .1237e-4}, {"000-example2", .1355e-4}}) {
    const auto p = catalog::make_problem(name);
    const Solution s =
        solve(*p.problem, p.start, {.formulation = "state-space:R=1;0", .integrator = "backward-euler"},
              {.t_end = 1, .step = 0.01});
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_NEAR(distance(s.final.z, p.reference.at(1)->z), error, 0.5e-8) << name;
    EXPECT_LT(s.drift->position, 1e-13);
  }
}

ProblemInstance rotating_pendulum() {
  return catalog::make_problem("pendulum", {{"vy", "2.5"}});
}

struct Turns {
  std::string integrator;
  double order;
  int steps;  // n, and 2n
};
std::ostream& operator<<(std::ostream& out, const Turns& t) {
  return out << t.integrator;
}

class FullTurns : public testing::TestWithParam<Turns> {};

// Three turns in some 8 units of time. The error at eight times, which are steps of both runs.
TEST_P(FullTurns, KeepTheOrderAndTheConstraints) {
  const auto p = rotating_pendulum();
  const double T = 8;
  const auto error = [&](int steps) {
    const Solution s =
        solve(*p.problem, p.start, {.formulation = "state-space", .integrator = GetParam().integrator},
              {.t_end = T, .step = T / steps});
    EXPECT_TRUE(s.complete()) << s.end_message;
    EXPECT_LT(s.drift->position, 1e-12);
    EXPECT_LT(s.drift->velocity, 1e-12);
    EXPECT_EQ(s.notes.size(), 1u);
    double q = 0, v = 0;
    for (int k = 1; k <= 8; ++k) {
      const State& at = s.states[static_cast<std::size_t>(k * steps / 8)];
      const State exact = *p.reference.at(at.t);
      q = std::max(q, distance(at.q(), exact.q()));
      v = std::max(v, distance(at.v(), exact.v()));
    }
    return std::pair{q, v};
  };
  const auto coarse = error(GetParam().steps), fine = error(2 * GetParam().steps);
  EXPECT_NEAR(std::log2(coarse.first / fine.first), GetParam().order, 0.2)
      << coarse.first << " " << fine.first;
  EXPECT_NEAR(std::log2(coarse.second / fine.second), GetParam().order, 0.2)
      << coarse.second << " " << fine.second;
}

INSTANTIATE_TEST_SUITE_P(Integrators, FullTurns,
                         testing::Values(Turns{"forward-euler", 1, 40000},
                                         Turns{"explicit-midpoint", 2, 3200}, Turns{"rk4", 4, 800},
                                         Turns{"dopri5", 5, 400}, Turns{"ab2", 2, 6400},
                                         Turns{"ab3", 3, 3200}, Turns{"ab4", 4, 3200}, Turns{"ab5", 5, 3200},
                                         Turns{"backward-euler", 1, 40000},
                                         Turns{"implicit-midpoint", 2, 3200}),
                         [](const auto& c) {
                           std::string name = c.param.integrator;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A chart lasts until dx/du = 1/cos(angle) exceeds 1.2 at the end of a step, and no shorter.
TEST(StateSpaceRuns, ChartsLastAsLongAsTheyShould) {
  const auto p = rotating_pendulum();
  const Solution s = solve(*p.problem, p.start, {.formulation = "state-space", .integrator = "rk4"},
                           {.t_end = 8, .step = 0.01});
  double turned = 0, base = std::atan2(p.start.q()(1), p.start.q()(0)), last = base;
  long changes = 0;
  for (const State& at : s.states) {
    const double angle = std::atan2(at.q()(1), at.q()(0));
    turned += std::abs(std::remainder(angle - last, 2 * std::numbers::pi));
    last = angle;
    if (1 / std::cos(angle - base) <= 1.2 && std::cos(angle - base) > 0) continue;
    base = angle;
    ++changes;
  }
  EXPECT_GT(turned, 6 * std::numbers::pi);
  EXPECT_GT(changes, 25);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_EQ(s.notes[0], "state-space: the coordinates were changed " + std::to_string(changes) + " times");
}

struct Mechanism {
  const char* name;
  double q, v, multipliers;  // how near to the reference; v and multipliers relative to their size
};

// dop853 with tolerances of 1e-11: the chaotic ones amplify, and references have so many digits.
TEST(StateSpaceRuns, MechanismsAgainstTheirReferences) {
  for (const Mechanism& m : {Mechanism{"chaplygin-sleigh", 1e-10, 1e-10, 1e-10},
                             {"heavy-top", 1e-9, 1e-9, 1e-8},
                             {"car-axis", 1e-10, 2e-9, 1e-9},
                             {"sundials-slider-crank", 1e-9, 1e-9, 1e-9},
                             {"spatial-slider-crank", 1e-7, 1e-7, 1e-7},
                             {"andrews", 1e-9, 1e-9, 1e-9},
                             {"closed-chain", 1e-9, 1e-9, 1e-9},
                             {"jerk-sphere", 1e-11, 1e-11, 1e-11}}) {
    SCOPED_TRACE(m.name);
    const auto p = catalog::make_problem(m.name);
    const Solution s = solve(*p.problem, p.start, {.formulation = "state-space", .integrator = "dop853"},
                             {.t_end = p.t_end, .rtol = 1e-11, .atol = 1e-11});
    ASSERT_TRUE(s.complete()) << s.end_message;
    const State exact = *p.reference.at(p.t_end);
    const int nq = p.problem->shape().nq;
    const auto off = [](const auto& a, const auto& b) {  // of what the reference knows
      double largest = 0, scale = 1;
      for (Eigen::Index i = 0; i < b.size() && i < a.size(); ++i) {
        if (!std::isfinite(b(i))) continue;
        largest = std::max(largest, std::abs(a(i) - b(i)));
        scale = std::max(scale, std::abs(b(i)));
      }
      return std::pair{largest, largest / scale};
    };
    EXPECT_LT(off(s.final.q(), exact.q()).first, m.q);
    if (exact.z.size() > nq) {
      EXPECT_LT(off(s.final.z.tail(s.final.z.size() - nq), exact.z.tail(exact.z.size() - nq)).second, m.v);
    }
    EXPECT_LT(off(s.final.lambda, exact.lambda).second, m.multipliers);
    EXPECT_LT(off(s.final.kappa, exact.kappa).second, m.multipliers);
    EXPECT_LT(s.drift->position, 1e-13);
    EXPECT_LT(s.drift->velocity, 1e-12);
  }
}

// The Jacobian is exact, so that Newton's method of an implicit step converges quadratically: with a new Jacobian
// in every iteration a step needs few of them.
TEST(StateSpaceRuns, ImplicitStepsConvergeFast) {
  for (const char* name : {"chaplygin-sleigh", "heavy-top", "car-axis", "spatial-slider-crank", "andrews"}) {
    const auto p = catalog::make_problem(name);
    const Solution s = solve(
        *p.problem, p.start,
        {.formulation = "state-space", .integrator = "implicit-midpoint:jacobian=fresh,tolerance=1e-13"},
        {.t_end = p.t_end / 50, .step = p.t_end / 5000});
    ASSERT_TRUE(s.complete()) << name << ": " << s.end_message;
    EXPECT_LE(s.work.newton, 4 * s.work.steps) << name;
    EXPECT_LT(s.drift->position, 1e-13) << name;
  }
}

// Wherever the run is cut: between charts or right after a change, in the start of a multistep method or not.
TEST(StateSpaceRuns, RestartsHaveTheSameBits) {
  const auto p = rotating_pendulum();
  for (const char* integrator : {"dopri5", "rk4", "ab4", "backward-euler", "implicit-midpoint"}) {
    const auto run = [&](double t_end, std::optional<Checkpoint> resume) {
      Options options{.t_end = t_end, .resume = std::move(resume)};
      if (std::string(integrator) != "dopri5") options.step = 0.02;
      return solve(*p.problem, p.start, {.formulation = "state-space", .integrator = integrator}, options);
    };
    const Solution whole = run(4, {});
    for (double end = 0.1; end < 2; end += 0.14) {
      const Solution rest = run(4, run(end, {}).checkpoint);
      EXPECT_EQ(rest.final.z, whole.final.z) << integrator << " " << end;
      EXPECT_EQ(rest.final.lambda, whole.final.lambda) << integrator << " " << end;
      EXPECT_EQ(rest.notes, whole.notes) << integrator << " " << end;
    }
  }
}

// Reversed at t = 1, the motion is back at its start at t = 2.
TEST(StateSpaceRuns, AnActionMayMoveTheState) {
  const auto p = rotating_pendulum();
  const Solution s = solve(*p.problem, p.start, {.formulation = "state-space"},
                           {.t_end = 2,
                            .rtol = 1e-10,
                            .atol = 1e-10,
                            .events = {{.name = "turn",
                                        .value = [](const State& at) { return at.t - 1; },
                                        .action = [](State& at) { at.v() *= -1; }}}});
  ASSERT_TRUE(s.complete()) << s.end_message;
  EXPECT_LT(distance(s.final.q(), p.start.q()), 1e-8);
  EXPECT_LT(distance(s.final.v(), -p.start.v()), 1e-8);
}

// u = y of a pendulum turns back where it is lowest: there the coordinates end, whatever the integrator.
TEST(StateSpaceRuns, AGivenRSaysWhereItEnds) {
  const auto p = rotating_pendulum();
  for (const char* integrator : {"dopri5", "rk4", "forward-euler", "backward-euler"}) {
    Options options{.t_end = 5};
    if (std::string(integrator) != "dopri5") options.step = 0.01;
    const Solution s =
        solve(*p.problem, p.start, {.formulation = "state-space:R=0;1", .integrator = integrator}, options);
    EXPECT_FALSE(s.complete()) << integrator;
    EXPECT_NE(s.end_message.find("the coordinates R x do not determine x at t = 0."), std::string::npos)
        << s.end_message;
    EXPECT_NE(s.end_message.find("leave R out"), std::string::npos) << s.end_message;
    ASSERT_EQ(s.notes.size(), 1u);
    EXPECT_NE(s.notes[0].find("R x hardly determined x at t = 0."), std::string::npos) << s.notes[0];
  }
  // At (1, 0) the coordinate x says nothing about y from the beginning.
  const Solution s = solve(*p.problem, p.start, {.formulation = "state-space:R=1;0"}, {.t_end = 5});
  EXPECT_EQ(s.end, EndReason::rank_loss);
  EXPECT_NE(s.end_message.find("do not determine x at t = 0; leave R out"), std::string::npos)
      << s.end_message;
}

}  // namespace
}  // namespace driftless::tests

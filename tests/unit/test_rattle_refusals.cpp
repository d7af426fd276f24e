// What RATTLE refuses because it is no Hamiltonian system in q and M v, and what it carries all the same when asked to.
#include "rattle_runs.hpp"
#include "support/problems.hpp"

namespace driftless::tests {
namespace {

struct MagneticBob {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto v, auto f) const {
    f[0] = 0.3 * v[1];
    f[1] = -1.0 - 0.3 * v[0];
  }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
};

// Air that resists with the square of the speed: nothing to be seen at rest.
struct Resisted {
  static constexpr int nq = 2;
  void force(auto, auto q, auto v, auto f) const {
    for (std::size_t i : {0u, 1u}) f[i] = -q[i] - 0.01 * v[i] * v[i] * v[i];
  }
};

struct Whirling {
  static constexpr int nq = 2;
  void force(auto, auto q, auto, auto f) const {
    f[0] = -q[0] + 0.2 * q[1];
    f[1] = -q[1] - 0.2 * q[0];
  }
};

// The derivative of its force by velocities vanishes wherever it exists.
struct DryFriction {
  static constexpr int nq = 1;
  void force(auto, auto, auto v, auto f) const { f[0] = v[0] > 0.0 ? -0.2 : 0.2; }
};

// From t = 6 on.
struct Leaking {
  static constexpr int nq = 1;
  static constexpr bool moving = true;
  void mass(auto t, auto, auto M) const {
    M(0, 0) = 1.0;
    if (t > 6.0) M(0, 0) = 1.0 + 0.1 * (t - 6.0);
  }
  void force(auto, auto q, auto, auto f) const { f[0] = -q[0]; }
};

TEST(Rattle, RefusesDryFriction) {
  const auto problem = make_problem(DryFriction{});
  const std::string said = complaint([&] {
    solve(*problem, state_of(*problem, {0, 1}), {.formulation = "index3", .integrator = "rattle"},
          {.t_end = 1, .step = 0.1});
  });
  EXPECT_TRUE(contains(said, "changes by 0.4 when all velocities are reversed")) << said;
}

TEST(Rattle, EndsWhereMassBeginsToDependOnTime) {
  const auto problem = make_problem(Leaking{});
  const Solution s = solve(*problem, state_of(*problem, {1, 0}),
                           {.formulation = "index3", .integrator = "rattle"}, {.t_end = 10, .step = 0.1});
  EXPECT_FALSE(s.complete());
  EXPECT_NEAR(s.final.t, 6, 0.11);
  EXPECT_TRUE(contains(s.end_message, "M depends on t")) << s.end_message;
}

TEST(Rattle, RefusesWhatIsNotHamiltonian) {
  const auto says = [](const Problem& problem, const State& start, const std::string& integrator = "rattle") {
    return complaint([&] {
      const Solution s = solve(problem, start, {.formulation = "index3", .integrator = integrator},
                               {.t_end = 0.1, .step = 0.01});
      EXPECT_TRUE(s.complete()) << s.end_message;
    });
  };
  const auto expect = [](const std::string& text, const std::string& piece) {
    EXPECT_TRUE(contains(text, piece)) << text;
    EXPECT_TRUE(contains(text, "use ")) << text;
  };
  const Instance damped("pendulum", {{"c", "0.5"}}), crank("001-slider-crank");
  expect(says(*damped.problem, damped.start), "as damping or drive does");
  expect(says(*damped.problem, damped.start), "use rattle:forces=any, generalized-alpha, or radau5");
  EXPECT_EQ(says(*damped.problem, damped.start, "rattle:forces=any"), "(no complaint)");
  expect(says(*crank.problem, crank.start), "the force on theta has a derivative by theta'");

  const auto bob = make_problem(MagneticBob{});
  expect(says(*bob, state_of(*bob, {1, 0, 0, 1})), "as those of a magnet do");
  EXPECT_EQ(says(*bob, state_of(*bob, {1, 0, 0, 1}), "rattle:forces=any"), "(no complaint)");
  const auto resisted = make_problem(Resisted{});
  const auto whirling = make_problem(Whirling{});
  expect(says(*resisted, state_of(*resisted, {1, 0, 0, 0})), "as damping or drive does");
  expect(says(*whirling, state_of(*whirling, {1, 0, 0, 0})), "forces have no potential");
  const auto of_shape = [&](const char* name) {
    return says(*shape_case(name).problem, shape_case(name).start);
  };
  expect(of_shape("time-dependent"), "M depends on t");
  expect(of_shape("nonholonomic"), "velocity constraints are not Hamiltonian");
  expect(of_shape("quaternions"), "no canonical momentum");
  expect(of_shape("order-3"), "belong to systems of order 2");
  expect(complaint([&] {
           solve(*damped.problem, damped.start, {.formulation = "ggl", .integrator = "rattle"},
                 {.t_end = 1, .step = 0.1});
         }),
         "`formulation = index3`");
}

}  // namespace
}  // namespace driftless::tests

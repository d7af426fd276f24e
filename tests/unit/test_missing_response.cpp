// Sentences that name the cause: constraints of an index above 3, motions without mass, joints whose axes stand across, problems too large for whole
// matrices.
#include <gtest/gtest.h>

#include <driftless/driftless.hpp>

namespace driftless {
namespace {

template <class Do>
std::string refusal(Do&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A load of 2 kg on a spring behind a trolley of 1 kg. The path of the load is given and B pushes the trolley: two derivatives lead to the spring,
// two more to the multiplier, so that the index is 5.
struct Crane {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  void mass(auto, auto, auto M) const { M(0, 0) = 1, M(1, 1) = 2; }
  void force(auto, auto q, auto, auto f) const {
    f[0] = 5 * (q[1] - q[0]);
    f[1] = -f[0];
  }
  void constraint(auto t, auto q, auto g) const { g[0] = q[1] - 0.1 * t; }
  void input(auto, auto, auto B) const { B(0, 0) = 1; }
  std::string constraint_name(int) const { return "path of the load"; }
};

TEST(Explanations, ConstraintsOfAnIndexAbove3AreNamed) {
  const auto problem = make_problem(Crane{});
  const State start = make_state(*problem, {{0, 0}, {0, 0.1}});
  for (const char* formulation : {"index1", "index3", "ggl"}) {
    const std::string said =
        refusal([&] { solve(*problem, start, {.formulation = formulation}, {.t_end = 1}); });
    EXPECT_TRUE(contains(said, "the index of the constraints path of the load is above 3")) << said;
    EXPECT_FALSE(contains(said, "impasse")) << said;
  }
}

// Only where q = 0: G M^-1 B = q, which is an impasse and no higher index.
struct Passing {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto) const {}
  void constraint(auto, auto q, auto g) const { g[0] = q[0]; }
  void input(auto, auto q, auto B) const {
    B(0, 0) = q[1];
    B(1, 0) = 1;
  }
};

TEST(Explanations, AnImpasseIsStillOne) {
  const auto problem = make_problem(Passing{});
  const State start = make_state(*problem, {{0, 0}, {0, 0.1}});
  const std::string said = problem->explain(Status::rank_loss, 0, start.z);
  EXPECT_TRUE(contains(said, "an impasse")) << said;
}

struct Ghost {
  static constexpr int nq = 3;
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = 1; }
  void force(auto, auto, auto, auto f) const { f[2] = 1; }
  std::string velocity_name(int i) const { return i == 2 ? "ghost'" : "solid'"; }
};

TEST(Explanations, MotionsWithoutMassAreNamed) {
  const auto problem = make_problem(Ghost{});
  const std::string said = refusal([&] {
    solve(*problem, make_state(*problem, {{0, 0, 0}, {0, 0, 0}}), {}, {.t_end = 1});
  });
  EXPECT_TRUE(contains(said, "nothing resists a change of ghost'")) << said;
  EXPECT_FALSE(contains(said, "solid'")) << said;
}

TEST(Explanations, AxesThatStandAcrossEachOtherAreNamed) {
  using namespace driftless::mechanics;
  Mechanism m;
  const auto rod = m.body(SpatialBody{.name = "rod", .mass = 1, .inertia = {0.1, 0.1, 0.1}});
  m.joint("revolute", "hinge", m.marker(m.ground(), Vec3{}, {1, 0, 0}), m.marker(rod, Vec3{}, {0, 1, 0}));
  const std::string said = refusal([&] { m.assembled({}); });
  EXPECT_TRUE(contains(said, "joint hinge keeps its axis on ground and its axis on rod parallel")) << said;
  EXPECT_TRUE(contains(said, "at 90 degrees")) << said;
}

// Given by functions, so that nothing is known of zeros.
struct ManyPendulums {
  static constexpr auto mass_structure = linalg::MassStructure::identity;
  int nq = 6002, ng = 3001;
  void force(auto, auto, auto, auto f) const {
    for (std::size_t i = 1; i < f.size(); i += 2) f[i] = -9.81;
  }
  void constraint(auto, auto q, auto g) const {
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = q[2 * i] * q[2 * i] + q[2 * i + 1] * q[2 * i + 1] - 1.0;
  }
};

TEST(Explanations, MatricesThatAreTooLargeAreTheProblemsOwn) {
  const auto row = make_problem(ManyPendulums{});
  const std::string said = refusal(
      [&] { assemble(*row, {.formulation = "index1", .integrator = "rk4"}, {.t_end = 1, .step = 1e-3}); });
  EXPECT_TRUE(contains(said, "6002 velocities")) << said;
  EXPECT_TRUE(contains(said, "limit 3000")) << said;
  EXPECT_FALSE(contains(said, "explicit integrator")) << said;
}

TEST(Explanations, AToleranceAsLargeAsTheMotionIsNone) {
  const auto problem = catalog::make_problem("pendulum", {});
  for (const double atol : {1e308, 1e7})
    EXPECT_TRUE(
        contains(refusal([&] { solve(*problem.problem, problem.start, {}, {.t_end = 0.1, .atol = atol}); }),
                 "`atol` is"));
  EXPECT_EQ(refusal([&] { solve(*problem.problem, problem.start, {}, {.t_end = 0.1, .atol = 0.1}); }), "");
}

}  // namespace
}  // namespace driftless

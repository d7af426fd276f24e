// `augmented-lagrangian`, `trust-region` and `direct-regularization` of mechanisms without zeros are what they are with whole matrices: every file in
// models/, by bodies and by joints; and they run mechanisms of hundreds of bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <driftless/core/consistent_state.hpp>
#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/model_generators.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/model_files.hpp"
#include "support/run.hpp"
#include "support/whole_matrices.hpp"

namespace driftless::tests {
namespace {

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {.formulation = "augmented-lagrangian"},
      {.formulation = "augmented-lagrangian:gain=auto", .integrator = "rk4", .stabilizer = "none"},
      {.formulation = "augmented-lagrangian:gain=auto", .integrator = "ab3", .stabilizer = "none"},
      {.formulation = "augmented-lagrangian:variant=srm", .stabilizer = "none"},
      {.formulation = "augmented-lagrangian:penalty=1e6,iterations=1000"},
      {.formulation = "augmented-lagrangian", .integrator = "bdf:tolerance=1e-13", .stabilizer = "none"},
      {.formulation = "augmented-lagrangian:gain=auto", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "augmented-lagrangian:variant=srm",
       .integrator = "radau5:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "augmented-lagrangian", .integrator = "implicit-midpoint:tolerance=1e-13"},
      {.formulation = "augmented-lagrangian", .integrator = "backward-euler:tolerance=1e-13"},
      {.formulation = "trust-region"},
      {.formulation = "trust-region", .integrator = "ab3"},
      {.formulation = "trust-region:gamma=5"},
      {.formulation = "trust-region:gamma=5", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "trust-region:gamma=5", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "trust-region", .integrator = "bdf:tolerance=1e-13"},
      // Gains of such steps make 1e-9 of the roundoff of g: Newton's method goes no further.
      {.formulation = "trust-region", .integrator = "backward-euler:tolerance=1e-8"},
      {.formulation = "trust-region", .integrator = "implicit-midpoint:tolerance=1e-13"},
      {.formulation = "trust-region:feedback=velocity"},
      {.formulation = "trust-region:feedback=velocity", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "trust-region:curvature=off,gamma=5", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "trust-region:epsilon=1e-4,gamma=5"},
      {.formulation = "trust-region:epsilon=1e-4,gamma=5", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "trust-region:epsilon=1e-4,gamma=5", .integrator = "implicit-midpoint:tolerance=1e-13"},
      {.formulation = "trust-region:mass=augmented,gamma=5"},
      {.formulation = "trust-region:mass=augmented,gamma=5", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "trust-region:mass=augmented,epsilon=1e-4,gamma=5",
       .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "trust-region:mass=paper,gamma=5"},
      {.formulation = "trust-region:mass=paper,gamma=5", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "direct-regularization"},
      {.formulation = "direct-regularization:gamma=5"},
      {.formulation = "direct-regularization:gamma=5", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "direct-regularization:gamma=5", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "direct-regularization", .integrator = "implicit-midpoint:tolerance=1e-13"},
      {.formulation = "direct-regularization:epsilon=1e-4,gamma=5", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "direct-regularization:mass=augmented,epsilon=1e-4,gamma=5",
       .integrator = "radau5:tolerance=1e-13"},
  };
  return all;
}

double difference(const Vector& a, const Vector& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff());
}

// A few steps of the same size.
void move_alike(const Problem& sparse_problem, const Problem& whole_problem, const State& start, bool turns) {
  ASSERT_TRUE(sparse_problem.shape().sparse());
  ASSERT_FALSE(whole_problem.shape().sparse());
  Options options;
  options.step = 2e-4;
  options.t_end = start.t + 10 * *options.step;
  for (const Method& method : methods()) {
    // Coordinates of turns have a part in N^+ of whole matrices and none in that of sparse ones, which methods of first order feel.
    if (turns && method.integrator.starts_with("backward")) continue;
    SCOPED_TRACE(method.formulation + " " + method.integrator + " " + method.stabilizer);
    Solution whole;
    try {
      whole = solve(whole_problem, start, method, options);
    } catch (const InputError&) {
      continue;  // refused for this mechanism
    }
    if (!whole.complete()) continue;
    const Solution sparse = solve(sparse_problem, start, method, options);
    EXPECT_TRUE(sparse.complete()) << sparse.end_message;
    if (!sparse.complete()) continue;
    EXPECT_LT(difference(sparse.final.z, whole.final.z), 3e-9);
    EXPECT_LT(difference(sparse.final.lambda, whole.final.lambda), 1e-5);
    EXPECT_LT(difference(sparse.final.kappa, whole.final.kappa), 1e-5);
  }
}

class SparsePenalties : public testing::TestWithParam<std::string> {};

TEST_P(SparsePenalties, MoveAlikeByBodies) {
  if (GetParam() == "schmidt-coupling")
    GTEST_SKIP() << "redundant nearly everywhere, and the rank changes on the way";
  const io::Model model = io::read_model(models_folder() / (GetParam() + ".toml"));
  const auto finished = model.mechanism.finished();
  move_alike(*mechanics::make_problem(finished, mechanics::Matrices::sparse),
             *mechanics::make_problem(finished, mechanics::Matrices::whole),
             model.mechanism.assembled(model.closing), !finished.turns.empty());
}

TEST_P(SparsePenalties, MoveAlikeByJoints) {
  if (GetParam() == "schmidt-coupling") GTEST_SKIP() << "as by bodies";
  const io::Model model = io::read_model(models_folder() / (GetParam() + ".toml"));
  const auto& mechanism = model.mechanism;
  for (const int longest : {2, mechanics::RelativeCoordinates::for_implicit_methods}) {
    SCOPED_TRACE(longest);
    const mechanics::RelativeCoordinates relative(mechanism.finished(), mechanism.joints(),
                                                  mechanism.assembled(model.closing), longest);
    const Problem& problem = *relative.problem();
    if (dynamic_cast<const SparseDynamics&>(problem).branches().sizes.empty()) continue;
    move_alike(problem, WholeMatrices(relative.problem()), consistent_state(problem, relative.start()).state,
               false);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SparsePenalties, testing::ValuesIn(model_names()), [](const auto& c) {
  std::string name = c.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Beyond what whole matrices are taken for.
TEST(LargePenalties, RunMechanismsOfAnySize) {
  const io::Model model =
      io::read_model_text(io::generated_model("n-four-bar", {{"N", "600"}}), "n-four-bar.toml");
  const auto problem = model.mechanism.problem();
  ASSERT_GT(problem->shape().nv, 3000);
  const State start = model.mechanism.assembled(model.closing);
  Options options;
  options.step = 1e-3;
  options.t_end = 2e-3;
  const Solution exact = solve(*problem, start, {}, options);
  for (const Method& method : {Method{.formulation = "augmented-lagrangian", .integrator = "rk4"},
                               Method{.formulation = "trust-region", .integrator = "rk4"},
                               Method{.formulation = "direct-regularization", .integrator = "rk4"},
                               Method{.formulation = "augmented-lagrangian", .integrator = "radau5"},
                               Method{.formulation = "trust-region", .integrator = "radau5"},
                               Method{.formulation = "direct-regularization", .integrator = "radau5"}}) {
    SCOPED_TRACE(method.formulation + " " + method.integrator);
    const Solution run = solve(*problem, start, method, options);
    ASSERT_TRUE(run.complete()) << run.end_message;
    EXPECT_LT(difference(run.final.z, exact.final.z), 1e-8);
  }
}

}  // namespace
}  // namespace driftless::tests

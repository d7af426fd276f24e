// Redundant twins: a constraint written again changes nothing. At a fixed step the motion is that of the plain problem to 1e-10 in every
// formulation, integrator and stabilizer that takes the plain one, and multipliers are, among all with the same forces, those of least
// norm. With error control steps are as many, and the error is as small.
#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_oracle.hpp"
#include "support/redundant_twins.hpp"
#include "support/reference_error.hpp"

namespace driftless::tests {
namespace {

using Words = std::vector<std::string>;

// Without what has no solution of its own, but one that depends on when Newton's matrix was made: A2=frozen, solution=least-squares.
const Words formulations = {"index1",
                            "baumgarte",
                            "baumgarte:alpha=10,beta=25",
                            "baumgarte:gain=auto",
                            "invariant-stabilized",
                            "invariant-stabilized:F=full",
                            "invariant-stabilized:F=split",
                            "invariant-stabilized:F=input",
                            "invariant-stabilized:form=integral",
                            "invariant-stabilized:gain=auto",
                            "index3",
                            "index2",
                            "index2-baumgarte",
                            "ggl",
                            "ggl:D=input",
                            "stabilized-index1",
                            "projected-invariants",
                            "projected-invariants:variant=a",
                            "projected-invariants:variant=b",
                            "projected-invariants:D=input",
                            "overdetermined-index1",
                            "overdetermined-index2",
                            "overdetermined-index2:solution=null-space",
                            "overdetermined-index2:solution=extended"};
// Newton's method to the end, so that what it leaves does not count.
const Words integrators = {"forward-euler",
                           "rk4",
                           "dopri5",
                           "dop853",
                           "ab3",
                           "backward-euler:tolerance=1e-13",
                           "implicit-midpoint:tolerance=1e-13",
                           "bdf:tolerance=1e-13",
                           "radau5:tolerance=1e-13",
                           "half-explicit",
                           "half-explicit:method=euler",
                           "rattle:forces=any",
                           "generalized-alpha:tolerance=1e-13"};

Words stabilizers() {
  Words all = {
      "forward:renew=3",     "forward:solve=sor", "backward:renew=auto", "post:renew=3",
      "post:renew=auto",     "post:solve=sor",    "projection:renew=3",  "projection:normals=current",
      "projection:solve=sor"};
  for (const char* name : {"forward", "backward", "post", "projection"})
    for (const char* F : {"block", "full", "split", "transpose", "input", "position", "velocity"})
      all.push_back(std::string(name) + ":F=" + F);
  return all;
}

Matrix forces_matrix(const Problem& problem, const State& at) {
  const Shape& s = problem.shape();
  Evaluation e;
  const Parts parts = Part::jacobian | Part::input;
  problem.evaluate(s.nk > 0 ? parts | Part::velocity_jacobian : parts, Point(at.t, at.z), e);
  Matrix B(s.nv, s.multipliers());
  B.leftCols(s.ng) = e.B;
  if (s.nk > 0) B.rightCols(s.nk) = e.K.transpose();
  return B;
}

void expect_least_norm(const Problem& problem, const State& at) {
  const Matrix B = forces_matrix(problem, at);
  Vector l(problem.shape().multipliers());
  l << at.lambda, at.kappa;
  ASSERT_TRUE(l.allFinite());
  Evaluation e;
  problem.evaluate(Part::position, Point(at.t, at.z), e);
  const double drift = problem.shape().ng > 0 ? e.g.lpNorm<Eigen::Infinity>() : 0;
  const double turned = 1e-2;  // of rows that drift has turned away from each other
  EXPECT_LT((least_norm_solution(B, B * l, turned) - l).norm(), (1e-10 + drift) * (1 + l.norm()));
}

// 1 if the combination is for the plain problem, else 0.
int compare(const Twin& twin, const Method& method) {
  SCOPED_TRACE(method.formulation + " " + method.integrator + " " + method.stabilizer);
  const Options options{.t_end = twin.t_end, .step = twin.step};
  Solution plain;
  try {
    plain = solve(*twin.plain, twin.plain_start, method, options);
  } catch (const InputError&) {
    return 0;
  }
  if (!plain.complete()) return 0;
  const Solution again = solve(*twin.again, twin.start, method, options);
  EXPECT_TRUE(again.complete()) << again.end_message;
  if (!again.complete()) return 1;
  // Of index 3, radau5 iterates down to roundoff of positions divided by h for velocities, and how many iterations that takes is chance.
  const bool to_roundoff = method.formulation == "index3" && method.integrator.starts_with("radau5");
  EXPECT_LT((again.final.z - plain.final.z).lpNorm<Eigen::Infinity>(), to_roundoff ? 5e-9 : 1e-10);
  expect_least_norm(*twin.again, again.final);
  return 1;
}

class RedundantTwin : public testing::TestWithParam<Twin> {};

TEST_P(RedundantTwin, MovesLikeThePlainOneInEveryFormulation) {
  int compared = 0;
  for (const std::string& formulation : formulations)
    for (const std::string& integrator : integrators)
      compared +=
          compare(GetParam(), {.formulation = formulation, .integrator = integrator, .stabilizer = "none"});
  EXPECT_GT(compared, 60);
}

TEST_P(RedundantTwin, MovesLikeThePlainOneWithEveryStabilizer) {
  int compared = 0;
  for (const std::string& stabilizer : stabilizers())
    for (const auto& [formulation, integrator] :
         {std::pair{"index1", "rk4"}, std::pair{"index1", "ab3"}, std::pair{"index1", "bdf:tolerance=1e-13"},
          std::pair{"index3", "bdf:tolerance=1e-13"}, std::pair{"index2", "half-explicit"}})
      compared += compare(GetParam(),
                          {.formulation = formulation, .integrator = integrator, .stabilizer = stabilizer});
  EXPECT_GT(compared, 40);
}

// How many local coordinates there are is decided by the number of constraints.
TEST_P(RedundantTwin, IsRefusedByStateSpaceWithASentence) {
  const Twin& twin = GetParam();
  std::string sentence;
  try {
    const Solution solution = solve(*twin.again, twin.start, {.formulation = "state-space"}, {.t_end = 1});
    EXPECT_FALSE(solution.complete());
    EXPECT_EQ(solution.end, EndReason::rank_loss);
    sentence = solution.end_message;
  } catch (const InputError& error) {
    sentence = error.what();
  }
  EXPECT_TRUE(contains(sentence, "needs independent ones")) << sentence;
  EXPECT_TRUE(contains(sentence, "index1")) << sentence;
}

INSTANTIATE_TEST_SUITE_P(All, RedundantTwin, testing::ValuesIn(redundant_twins()),
                         [](const auto& twin) { return twin.param.name; });

// Steps against those of the plain twin, q and v against the exact motion, multipliers against the least ones.
class AdaptiveTwin : public testing::TestWithParam<Method> {};

void expect_as_good(const Problem& plain, const ProblemInstance& again, const Method& method) {
  const double tolerance = 1e-8, t_end = 10;
  const Options options{.t_end = t_end,
                        .rtol = tolerance,
                        .atol = tolerance,
                        .output = {.kind = Output::Kind::at, .times = {t_end}}};
  State start(plain.shape().layout(), plain.shape().ng, plain.shape().nk);
  start.z = again.start.z;
  const Solution a = solve(plain, start, method, options),
                 b = solve(*again.problem, again.start, method, options);
  ASSERT_TRUE(b.complete()) << b.end_message;
  const State exact = *again.reference.at(t_end);
  const double error = (a.final.z - exact.z).lpNorm<Eigen::Infinity>();
  EXPECT_LT((b.final.z - exact.z).lpNorm<Eigen::Infinity>(), 2 * error + 1e-8);
  EXPECT_LT((b.final.lambda - exact.lambda).lpNorm<Eigen::Infinity>(), 100 * error + 1e-6);
  EXPECT_NEAR(static_cast<double>(b.work.steps), static_cast<double>(a.work.steps),
              0.1 * static_cast<double>(a.work.steps));
}

TEST_P(AdaptiveTwin, NeedsNoMoreSteps) {
  for (const char* scale : {"1", "3"})
    expect_as_good(*catalog::make_problem("pendulum", {{"gravity", "9.81"}}).problem,
                   catalog::make_problem("redundant-pendulum", {{"scale", scale}}), GetParam());
  expect_as_good(*catalog::make_problem("parallelogram", {{"bar", "none"}}).problem,
                 catalog::make_problem("parallelogram"), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, AdaptiveTwin,
                         testing::Values(Method{}, Method{.formulation = "baumgarte", .integrator = "dop853"},
                                         Method{.formulation = "invariant-stabilized"},
                                         Method{.formulation = "index3"}, Method{.formulation = "index2"},
                                         Method{.formulation = "ggl"},
                                         Method{.formulation = "ggl", .integrator = "radau5"},
                                         Method{.formulation = "index2", .integrator = "radau5"},
                                         Method{.formulation = "stabilized-index1"},
                                         Method{.formulation = "projected-invariants"},
                                         Method{.formulation = "overdetermined-index1"},
                                         Method{.formulation = "overdetermined-index2"},
                                         Method{.formulation = "index2", .integrator = "half-explicit"}),
                         [](const auto& method) {
                           std::string name = method.param.formulation + "_" + method.param.integrator;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace driftless::tests

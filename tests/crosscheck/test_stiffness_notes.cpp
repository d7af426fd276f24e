// Runs whose steps the stability of an explicit method decides say so, and no others do.
#include <gtest/gtest.h>

#include <driftless/catalog/catalog.hpp>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

constexpr const char* piece = "the problem is stiff";

// A spring of 1e8 N/m with a critical damper settles within a tenth of a millisecond, beside a swing of two seconds.
Solution stiff_pendulum(const Method& method) {
  const ProblemInstance instance = catalog::make_problem("stiff-pendulum", {{"k", "1e8"}});
  return solve(*instance.problem, instance.start, method, {.t_end = 2, .rtol = 1e-6, .atol = 1e-6});
}

TEST(StiffnessNotes, NameTheCureWhereStabilityDecides) {
  for (const Method& method : {Method{.integrator = "dopri5"}, Method{.integrator = "dop853"},
                               Method{.formulation = "index2", .integrator = "half-explicit"}}) {
    const Solution run = stiff_pendulum(method);
    ASSERT_TRUE(run.complete()) << run.end_message;
    EXPECT_TRUE(has_note(run, piece)) << method.integrator;
    EXPECT_TRUE(has_note(run, "`formulation = ggl`")) << method.integrator;
  }
  EXPECT_FALSE(has_note(stiff_pendulum({.formulation = "ggl", .integrator = "bdf"}), piece));
}

// A run without the note may be stiff for a while. One with it takes many more steps than the method that it names.
TEST(StiffnessNotes, AreTrueForEveryNamedProblem) {
  for (const auto& entry : catalog::problem_table()) {
    const ProblemInstance instance = catalog::make_problem(entry.name);
    const auto steps_by = [&](const Method& method, bool& noted) {
      const Solution run = solve(*instance.problem, instance.start, method,
                                 {.t_end = instance.t_end, .start_as_given = instance.start_as_given});
      noted = has_note(run, piece);
      return run.work.steps;
    };
    bool noted = false, bdf_noted = false;
    const long steps = steps_by({}, noted);
    if (!noted) continue;
    const bool order_1 = instance.problem->shape().order == 1;
    EXPECT_LT(3 * steps_by({.formulation = order_1 ? "index1" : "ggl", .integrator = "bdf"}, bdf_noted),
              steps)
        << entry.name;
    EXPECT_FALSE(bdf_noted) << entry.name;
  }
}

}  // namespace
}  // namespace driftless::tests

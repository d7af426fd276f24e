// A run of radau5 that is taken up again has the bits of one that never ended: in every formulation, on every shape of problem, wherever
// it was left, with steps chosen by the error or fixed.
#include <cmath>

#include "bdf_runs.hpp"
#include "restart_cases.hpp"

namespace driftless::tests {
namespace {

Solution run(const ShapeCase& c, const std::string& formulation, Options options,
             const std::string& integrator = "radau5") {
  if (!options.step) options.rtol = options.atol = 1e-6;
  return solve(*c.problem, c.start, {.formulation = formulation, .integrator = integrator}, options);
}

TEST(Radau5Restart, AtAnEarlierEnd) {
  for_every_case(bdf_formulations(), [](const ShapeCase& c, const std::string& formulation) {
    const Solution whole = run(c, formulation, {.t_end = c.t_end}),
                   part = run(c, formulation, {.t_end = 0.37 * c.t_end}),
                   rest = run(c, formulation, {.t_end = c.t_end, .resume = part.checkpoint});
    ASSERT_TRUE(rest.complete()) << rest.end_message;
    EXPECT_TRUE(same_bits(whole.final, rest.final)) << (whole.final.z - rest.final.z).norm();
  });
}

TEST(Radau5Restart, AfterAnyNumberOfSteps) {
  for_every_case(bdf_formulations(), [](const ShapeCase& c, const std::string& formulation) {
    const Solution whole = run(c, formulation, {.t_end = c.t_end});
    for (const long steps : {1L, 2L, 5L, 9L}) {
      if (steps >= whole.work.steps) continue;
      const Solution part = run(c, formulation, {.t_end = c.t_end, .max_steps = steps});
      const Solution rest = run(c, formulation, {.t_end = c.t_end, .resume = part.checkpoint});
      ASSERT_TRUE(rest.complete()) << rest.end_message;
      EXPECT_TRUE(same_bits(whole.final, rest.final)) << steps << " steps";
    }
  });
}

TEST(Radau5Restart, AfterInterruptions) {
  const auto instance = catalog::make_problem("andrews");
  for (const std::string& formulation : bdf_formulations())
    for (const char* integrator : {"radau5", "radau5:keep=0.3"}) {
      const Method method{.formulation = formulation, .integrator = integrator};
      const Options options{.t_end = 0.03, .rtol = 1e-4, .atol = 1e-4};
      const Solution whole = solve(*instance.problem, instance.start, method, options);
      const Solution part =
          interrupted_run(*instance.problem, instance.start, method, options, whole.work.steps);
      ASSERT_TRUE(part.complete()) << formulation << ": " << part.end_message;
      EXPECT_TRUE(same_bits(whole.final, part.final)) << formulation << " " << integrator;
    }
}

TEST(Radau5Restart, FixedSteps) {
  for_every_case(bdf_formulations(), [](const ShapeCase& c, const std::string& formulation) {
    for (const char* integrator : {"radau5", "radau5:keep=0.5"}) {
      const auto to = [&](double T, std::optional<Checkpoint> resume = {}) {
        return run(c, formulation, {.t_end = T, .step = c.t_end / 20, .resume = std::move(resume)},
                   integrator);
      };
      const Solution whole = to(c.t_end);
      ASSERT_TRUE(whole.complete()) << whole.end_message;
      for (const double part : {0.05, 0.1, 0.52})
        EXPECT_TRUE(same_bits(whole.final, to(c.t_end, to(part * c.t_end).checkpoint).final))
            << integrator << " " << part;
    }
  });
}

}  // namespace
}  // namespace driftless::tests

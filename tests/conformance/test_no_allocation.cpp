// No method allocates inside a step, once its scratch memory has grown.
#include <gtest/gtest.h>

#include "conformance/methods.hpp"
#include "support/allocation_counter.hpp"

namespace driftless::tests {
namespace {

class NoAllocation : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// Allocations in ten steps after the first, in which scratch memory grows; 0 where the combination is refused.
long allocations(const Method& method, const ShapeCase& c) {
  Pipeline pipeline;
  State state = c.start;
  Manifold manifold(*c.problem);
  try {
    pipeline = assemble(*c.problem, method, {.t_end = 1, .step = 0.001});
    pipeline.stabilizer->start(manifold);
    pipeline.system->prepare(state);
    pipeline.system->anchor(state);
    EXPECT_EQ(pipeline.integrator->start(*pipeline.system, state), Status::ok);
  } catch (const InputError&) {
    return 0;
  }
  const auto step = [&] {
    const Step result = pipeline.integrator->attempt(1e-4);
    const Correction fix = pipeline.stabilizer->apply(manifold, *result.state, {c.start, 1e-4});
    for (const Vector* error : {result.error, result.second_error}) {
      if (!error || !fix.move) continue;
      state.z = *error;
      pipeline.stabilizer->remove_normal_part(manifold, *result.state, state.z);
    }
    pipeline.integrator->accept(*result.state, fix.move);
    pipeline.stabilizer->accepted();
    pipeline.integrator->interpolate(result.state->t - 0.5e-4, state);
  };
  manifold.linearize(state.t, state.z);
  manifold.evaluate(state.t, state.z);
  step();
  return allocation_counter::during([&] {
    for (int i = 0; i < 10; ++i) step();
  });
}

TEST_P(NoAllocation, InsideAStep) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  const auto& [formulation, integrator] = GetParam();
  for (const char* stabilizer : {"none", "post", "post:F=full", "projection"})
    for (const ShapeCase& c : shape_cases())
      EXPECT_EQ(
          allocations({.formulation = formulation, .integrator = integrator, .stabilizer = stabilizer}, c), 0)
          << stabilizer << " " << c.name;
}

INSTANTIATE_TEST_SUITE_P(All, NoAllocation,
                         testing::Combine(testing::ValuesIn(names_of(catalog::formulation_table())),
                                          testing::ValuesIn(names_of(catalog::integrator_table()))),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param) + "_" + std::get<1>(c.param));
                         });

TEST(NoAllocationIn, FormsOfFormulationsAndControls) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  const auto check = [](const Method& method) {
    for (const ShapeCase& c : shape_cases())
      EXPECT_EQ(allocations(method, c), 0)
          << method.formulation << " " << method.integrator << " "
          << (method.controls.empty() ? "" : method.controls[0]) << " " << c.name;
  };
  for (const char* integrator : {"rk4", "ab3", "backward-euler"})
    for (const auto& formulation : formulation_forms())
      if (!formulation.ends_with(
              "solution=null-space"))  // beside the default for comparison, by decompositions of whole matrices
        check({.formulation = formulation, .integrator = integrator, .stabilizer = "none"});
  for (const char* integrator : {"forward-euler", "dopri5", "ab3", "backward-euler"})
    for (const char* formulation : {"baumgarte", "invariant-stabilized"})
      for (const auto& control : controls)
        check({.formulation = formulation, .integrator = integrator, .controls = {control}});
}

TEST(NoAllocationIn, Stabilizers) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  for (const std::string& stabilizer : stabilizer_variants())
    for (const ShapeCase& c : shape_cases())
      EXPECT_EQ(allocations({.stabilizer = stabilizer}, c), 0) << stabilizer << " " << c.name;
}

}  // namespace
}  // namespace driftless::tests

// Drives whose motion jumps: the run ends where it does and says what jumps, when and by how much. Expected from the formulas: |t - 1| has the slopes
// -1 and 1, |sin 3t| turns at pi/3 with the slopes -3 and 3, sign(t - 1) goes from -1 to 1.
#include <gtest/gtest.h>

#include <numbers>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

namespace driftless {
namespace {

using namespace driftless::mechanics;

Solution driven(const std::string& motion, const Method& method) {
  Mechanism m;
  const auto rod = m.body(PlanarBody{.name = "rod", .mass = 1, .inertia = 0.1, .at = {0.5, 0, 0}});
  const auto pivot = m.joint("revolute", "pivot", m.ground(), rod, {.at = {0, 0, 0}});
  m.drive("motor", pivot, "angle", motion);
  return solve(*m.problem(), m.assembled({}), method, {.t_end = 2});
}

struct Jump {
  const char* motion;
  std::string said;
};

class PrescribedJumps : public testing::TestWithParam<Method> {};

TEST_P(PrescribedJumps, AreTheCauseThatIsTold) {
  for (const Jump& jump :
       {Jump{"abs(t-1)", "the rate of what motor prescribes jumps by 2 at t = 1,"},
        Jump{"min(t, 1)", "the rate of what motor prescribes jumps by 1 at t = 1,"},
        Jump{"if(t < 1, t, 2 - t)", "the rate of what motor prescribes jumps by 2 at t = 1,"},
        Jump{"abs(sin(3*t))", fmt::format("the rate of what motor prescribes jumps by 6 at t = {:.10g},",
                                          std::numbers::pi / 3)},
        Jump{"sign(t-1)", "what motor prescribes jumps by 2 at t = 1,"}}) {
    const Solution run = driven(jump.motion, GetParam());
    EXPECT_FALSE(run.complete()) << jump.motion;
    EXPECT_TRUE(run.end_message.starts_with(jump.said)) << jump.motion << ": " << run.end_message;
  }
}

TEST_P(PrescribedJumps, OfTheAccelerationAloneArePassed) {
  for (const char* motion : {"if(t < 1, 0, (t-1)^2)", "step(t, 0.5, 0, 1, 1)"})
    EXPECT_TRUE(driven(motion, GetParam()).complete()) << motion;
}

INSTANTIATE_TEST_SUITE_P(Each, PrescribedJumps,
                         testing::Values(Method{}, Method{.formulation = "ggl", .integrator = "bdf"}),
                         [](const auto& test) { return test.param.formulation; });

// A run that fails for another reason is not said to have met one.
TEST(PrescribedJumpsElsewhere, AreNotBlamed) {
  const Solution run = driven("abs(t-1.5) + sqrt(1-t)", {});
  EXPECT_FALSE(run.complete());
  EXPECT_EQ(run.end_message.find("jumps"), std::string::npos) << run.end_message;
}

}  // namespace
}  // namespace driftless

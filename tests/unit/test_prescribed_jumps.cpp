// Motions that a model in C++ prescribes and that jump: the run ends where they do and says what jumps, when and by how much. Expected from the
// formulas: |t - 1| has the slopes -1 and 1, |sin 3t| turns at pi/3 with the slopes -3 and 3, the last one goes from -1 to 1. Drives of mechanisms know
// where they jump, and blend it (test_time_breaks.cpp).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

namespace driftless {
namespace {

using namespace driftless::mechanics;

enum class Shape { turning, stopping, rectified, switching, parabola };

// A mass whose place is prescribed.
struct Led {
  static constexpr int nq = 1, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 1> constraint_names{"path"};
  Shape shape = Shape::turning;
  void force(auto, auto, auto, auto) const {}
  void constraint(auto t, auto q, auto g) const { g[0] = q[0] - place(t); }
  template <class T>
  T place(const T& t) const {
    using std::sin;
    const T wave = sin(t * 3.0);
    switch (shape) {
      case Shape::turning:
        return t < 1.0 ? T(1.0 - t) : T(t - 1.0);
      case Shape::stopping:
        return t < 1.0 ? T(t) : T(t * 0.0 + 1.0);
      case Shape::rectified:
        return wave < 0.0 ? T(-wave) : wave;
      case Shape::switching:
        return t < 1.0 ? T(t * 0.0 - 1.0) : T(t * 0.0 + 1.0);
      case Shape::parabola:
        return t < 1.0 ? T(t * 0.0) : T((t - 1.0) * (t - 1.0));
    }
    return t;
  }
};

Solution led(Shape shape, const Method& method) {
  const auto problem = make_problem(Led{.shape = shape});
  const double place = shape == Shape::turning ? 1 : shape == Shape::switching ? -1 : 0;
  const double rate = shape == Shape::turning     ? -1
                      : shape == Shape::stopping  ? 1
                      : shape == Shape::rectified ? 3
                                                  : 0;
  return solve(*problem, make_state(*problem, {{place}, {rate}}), method, {.t_end = 2});
}

struct Jump {
  Shape shape;
  std::string said;
};

class PrescribedJumps : public testing::TestWithParam<Method> {};

TEST_P(PrescribedJumps, AreTheCauseThatIsTold) {
  const std::vector<Jump> jumps{
      {Shape::turning, "the rate of what path prescribes jumps by 2 at t = 1,"},
      {Shape::stopping, "the rate of what path prescribes jumps by 1 at t = 1,"},
      {Shape::rectified,
       fmt::format("the rate of what path prescribes jumps by 6 at t = {:.10g},", std::numbers::pi / 3)},
      {Shape::switching, "what path prescribes jumps by 2 at t = 1,"}};
  for (const Jump& jump : jumps) {
    const Solution run = led(jump.shape, GetParam());
    EXPECT_FALSE(run.complete()) << jump.said;
    EXPECT_TRUE(run.end_message.starts_with(jump.said)) << jump.said << ": " << run.end_message;
  }
}

TEST_P(PrescribedJumps, OfTheAccelerationAloneArePassed) {
  EXPECT_TRUE(led(Shape::parabola, GetParam()).complete());
}

INSTANTIATE_TEST_SUITE_P(Each, PrescribedJumps,
                         testing::Values(Method{}, Method{.formulation = "ggl", .integrator = "bdf"}),
                         [](const auto& test) { return test.param.formulation; });

Solution driven(const std::string& motion, const Method& method) {
  Mechanism m;
  const auto rod = m.body(PlanarBody{.name = "rod", .mass = 1, .inertia = 0.1, .at = {0.5, 0, 0}});
  const auto pivot = m.joint("revolute", "pivot", m.ground(), rod, {.at = {0, 0, 0}});
  m.drive("motor", pivot, "angle", motion);
  return solve(*m.problem(), m.assembled({}), method, {.t_end = 2});
}

// A run that fails for another reason is not said to have met one.
TEST(PrescribedJumpsElsewhere, AreNotBlamed) {
  const Solution run = driven("abs(t-1.5) + sqrt(1-t)", {});
  EXPECT_FALSE(run.complete());
  EXPECT_EQ(run.end_message.find("jumps"), std::string::npos) << run.end_message;
}

}  // namespace
}  // namespace driftless

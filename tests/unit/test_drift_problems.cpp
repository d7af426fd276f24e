// The two small systems in which Ascher, Chin, Reich (1992) show what stabilization does to an invariant: the
// linear drift model of section 4, (4.5) and (4.6), and Remark 1 of section 2. Values by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// (s, r) after every step of forward Euler with h = 0.01, from the start as it is.
std::vector<Vector> drift_model(const std::string& formulation, const std::string& s0,
                                const std::string& r0) {
  const auto instance = catalog::make_problem("001-drift-model", {{"s0", s0}, {"r0", r0}});
  EXPECT_TRUE(instance.start_as_given);
  const Options options{.t_end = 0.03, .step = 0.01};
  Pipeline pipeline =
      assemble(*instance.problem,
               {.formulation = formulation, .integrator = "forward-euler", .stabilizer = "none"}, options);
  observers::Recorder recorder;
  std::vector<Vector> values;
  for (const State& state : solve(*instance.problem, pipeline, instance.start, options, {&recorder}).states)
    values.push_back(state.z);
  EXPECT_EQ(values.size(), 4u);
  return values;
}

void expect(const Vector& z, double s, double r) {
  EXPECT_NEAR(z(0), s, 1e-17);
  EXPECT_NEAR(z(1), r, 1e-15);
}

// s+ = s + h r, r+ = r - alpha h r - beta h s with alpha = 2/h, beta = 1/h^2: gone after two steps.
TEST(DriftModel, BaumgarteIsDeadbeat) {
  const auto z = drift_model("baumgarte:alpha=200,beta=10000", "1e-3", "0");
  expect(z[0], 1e-3, 0);
  expect(z[1], 1e-3, -0.1);
  expect(z[2], 0, 0);
  expect(z[3], 0, 0);
}

// (4.5): s+ = h r, r+ = 0.
TEST(DriftModel, InvariantStabilized) {
  const auto z = drift_model("invariant-stabilized:gamma=100,F=split", "1e-3", "1e-3");
  expect(z[1], 1e-5, 0);
  expect(z[2], 0, 0);
}

TEST(DriftModel, StaysWithoutFeedback) {
  const auto z = drift_model("index1", "1e-3", "2e-3");
  expect(z[3], 1e-3 + 0.03 * 2e-3, 2e-3);
}

// h of 001-remark1 at t = 20, and how far the angle is from -20.
struct Circle {
  double h, angle;
};

Circle remark1(const Method& method, const std::string& offset) {
  const auto p = catalog::make_problem("001-remark1", {{"offset", offset}});
  const Solution s = solve(*p.problem, p.start, method, {.t_end = p.t_end, .rtol = 1e-11, .atol = 1e-11});
  EXPECT_TRUE(s.complete()) << s.end_message;
  const double x = s.final.z(0), y = s.final.z(1), c = std::cos(20), sn = -std::sin(20);
  return {x * x + y * y - 1, std::atan2(y * c - x * sn, x * c + y * sn)};
}

// h' = 2 h^(1/3) - gamma h ends at (2/gamma)^(3/2): outside for a start outside, inside for one inside. With
// u = h^(2/3), u' = (4 - 2 gamma u)/3, so that u - 2/gamma decays like exp(-2 gamma t/3), to 1.6e-6 of it
// for gamma = 1.
TEST(Remark1, NoGammaBringsTheInvariantBack) {
  for (const double gamma : {1.0, 10.0, 100.0}) {
    const Method method{
        .formulation = "invariant-stabilized:F=full,invariants=h,gamma=" + std::to_string(gamma),
        .integrator = "dop853",
        .stabilizer = "none"};
    const double limit = std::pow(2 / gamma, 1.5);
    const double u = 2 / gamma + (std::pow(2e-6 + 1e-12, 2.0 / 3) - 2 / gamma) * std::exp(-40 * gamma / 3);
    const Circle outside = remark1(method, "1e-6");
    EXPECT_NEAR(outside.h, std::pow(u, 1.5), 1e-8 * limit) << gamma;
    EXPECT_NEAR(outside.h, limit, 3e-6 * limit) << gamma;
    EXPECT_NEAR(outside.angle, 0, 1e-8) << gamma;
    if (limit < 1) {  // else the start would pass through the centre
      EXPECT_NEAR(remark1(method, "-1e-6").h, -limit, 1e-8 * limit) << gamma;
    }
  }
}

TEST(Remark1, GrowsWithoutStabilization) {
  const double expected = std::pow(std::pow(2e-6 + 1e-12, 2.0 / 3) + 80.0 / 3, 1.5);
  EXPECT_NEAR(remark1({.integrator = "dop853", .stabilizer = "none"}, "1e-6").h, expected, 1e-8 * expected);
}

// What holds it is a projection after every step. (An error estimate would see the infinite slope in every stage
// beside the circle and ask for tiny steps.)
TEST(Remark1, IsHeldByProjection) {
  const auto p = catalog::make_problem("001-remark1", {{"offset", "0"}});
  const Solution s = solve(*p.problem, p.start, {.stabilizer = "projection:F=full,invariants=h"},
                           {.t_end = p.t_end, .step = 0.01});
  ASSERT_TRUE(s.complete()) << s.end_message;
  EXPECT_LT(std::abs(s.final.z.squaredNorm() - 1), 1e-10);
}

// On h = 0 the derivative of the force is infinite, and near it finite.
TEST(Remark1, AtTheCircleItself) {
  for (const auto& [offset, status] : {std::pair{"0", Status::not_finite}, {"1e-9", Status::ok}}) {
    const auto p = catalog::make_problem("001-remark1", {{"offset", offset}});
    const auto system = build_system(*p.problem, "index1");
    Vector dz(2);
    Matrix J(2, 2);
    ASSERT_EQ(system->ode()->rhs(0, p.start.z, dz), Status::ok);
    EXPECT_EQ(system->ode()->jacobian(0, p.start.z, J), status) << offset;
  }
  const auto p = catalog::make_problem("001-remark1", {{"offset", "0"}});
  EXPECT_EQ(solve(*p.problem, p.start, {.integrator = "backward-euler", .stabilizer = "none"},
                  {.t_end = 1, .step = 0.01})
                .end,
            EndReason::not_finite);
}

}  // namespace
}  // namespace driftless::tests

// bdf where a force jumps, events storm, a tolerance is not possible or a start not slow: finished as accurately as asked for, or ended
// with the true reason, in bounded work.
#include <cmath>

#include "bdf_runs.hpp"

namespace driftless::tests {
namespace {

struct WindFromTime : UnitRod {
  double time = 0.7;
  void force(auto t, auto, auto, auto f) const {
    f[0] = t > time ? 5.0 : -1.0;
    f[1] = -9.81;
  }
};
struct WindBySide : UnitRod {
  void force(auto, auto q, auto, auto f) const {
    f[0] = q[0] > 0.0 ? -5.0 : 5.0;
    f[1] = -9.81;
  }
};
// A step over a jump of the force is accepted when its error, some h^2 in q and h in v, is below the tolerance. In index3 only q is judged:
// h is the root of the tolerance, and so is the error of v, which q then inherits.
void expect_accurate(const Problem& problem, const State& start, double t_end, const Vector& exact) {
  for (const std::string& formulation : bdf_formulations())
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution s = run_bdf(problem, start, formulation, {.t_end = t_end, .max_steps = 3000}, tolerance);
      ASSERT_TRUE(s.complete()) << formulation << ": " << s.end_message;
      const double at_most = formulation == "index3" ? 20 * std::sqrt(tolerance) : 1000 * tolerance;
      EXPECT_LT(distance(s.final.q(), exact), at_most) << formulation << " " << tolerance;
    }
}

TEST(BdfRobustness, ForceThatJumpsInTime) {
  const auto problem = make_problem(WindFromTime{});
  const State start = state_of(*problem, {0.6, -0.8, 0, 0});
  State there = solve(*problem, start, {.integrator = "dop853"}, tight(0.7)).final;
  there.t = std::nextafter(0.7, 1);  // the rest begins behind the jump
  const State end = solve(*problem, there, {.integrator = "dop853"}, tight(2)).final;
  expect_accurate(*problem, start, 2, end.q());
}

// Found by the step control alone, at every crossing.
TEST(BdfRobustness, ForceThatJumpsInSpace) {
  const auto problem = make_problem(WindBySide{});
  const State start = state_of(*problem, {0.6, -0.8, 0, 0});
  const State end = solve(*problem, start, {.integrator = "dop853"}, tight(2)).final;
  expect_accurate(*problem, start, 2, end.q());
}

// Orders of the steps that follow a start or an action.
class FirstOrders final : public Observer {
 public:
  void start(const RunInfo&) override { fresh_ = true; }
  void reset(const State&, const State&) override { fresh_ = true; }
  void step(const AcceptedStep& step) override {
    if (fresh_) orders.push_back(step.order);
    largest = std::max(largest, step.order);
    fresh_ = false;
  }
  std::vector<int> orders;
  int largest = 0;

 private:
  bool fresh_ = false;
};

// A thousand restarts: each leaves an error of the size of the tolerance at most.
TEST(BdfRobustness, AThousandEvents) {
  const auto instance = catalog::make_problem("pendulum");
  const Event tick{.name = "tick",
                   .value = [](const State& s) { return std::sin(1000 * M_PI * (s.t + 0.0005)); },
                   .action = [](State&) {}};
  for (const char* formulation : {"index1", "index3", "ggl", "state-space"}) {
    FirstOrders first;
    const Solution s = run_bdf(*instance.problem, instance.start, formulation, {.t_end = 1, .events = {tick}},
                               1e-6, {&first});
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_EQ(s.events.size(), 1000u);
    EXPECT_EQ(first.orders, std::vector<int>(1001, 1)) << formulation;
    EXPECT_LT(s.work.steps, 10000);
    EXPECT_LT(distance(s.final.q(), instance.reference.at(1)->q()), 1e-3) << formulation;
  }
}

struct Ball {
  static constexpr int nq = 2;
  void force(auto, auto, auto, auto f) const { f[1] = -2.0; }
};

// Restitution 1/2: bounces at t = 1, 2, 2.5, 2.75, .. up to 3, with speeds 2, 1, 1/2, .., by which an error in height is divided. Where flights are shorter than a part of a step they are not seen any longer;
// the run ends in any case.
TEST(BdfRobustness, BouncesWithoutEnd) {
  const auto problem = make_problem(Ball{});
  const State start = make_state(*problem, {{0, 1}, {1, 0}});
  const Event bounce{.name = "ground",
                     .value = [](const State& s) { return s.q()(1); },
                     .direction = Direction::falling,
                     .action = [](State& s) { s.v()(1) *= -0.5; }};
  for (const char* formulation : {"index1", "index3", "ggl", "state-space"})
    for (const double tolerance : {1e-6, 1e-10}) {
      FirstOrders first;
      const Solution s =
          run_bdf(*problem, start, formulation, {.t_end = 10, .events = {bounce}}, tolerance, {&first});
      EXPECT_LT(s.work.rhs, 5000) << formulation;
      ASSERT_GE(s.events.size(), 9u);
      for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(s.events[i].t, 3 - std::ldexp(2, -static_cast<int>(i)),
                    std::ldexp(20 * tolerance, static_cast<int>(i)));
      for (const int order : first.orders) EXPECT_EQ(order, 1);
      EXPECT_GT(first.largest, 1);
    }
}

// Differences of states are never below their roundoff.
TEST(BdfRobustness, ImpossibleToleranceSaysSo) {
  for (const char* name : {"pendulum", "stiff-pendulum", "flyball", "andrews", "heavy-top", "arevalo"}) {
    const auto instance = catalog::make_problem(name);
    for (const std::string& formulation : bdf_formulations()) {
      const Solution s =
          run_bdf(*instance.problem, instance.start, formulation, {.t_end = instance.t_end}, 1e-17);
      EXPECT_EQ(s.end, EndReason::step_underflow) << name << " " << formulation << " " << name_of(s.end);
      EXPECT_TRUE(contains(s.end_message, "less than the roundoff of the state")) << s.end_message;
      EXPECT_LT(s.work.rhs, 300) << name << " " << formulation;
    }
  }
}

// The last tolerance that has a meaning. index3 and index2-baumgarte carry roundoff divided by the step, or times a gain.
TEST(BdfRobustness, TightestTolerance) {
  const auto instance = catalog::make_problem("pendulum");
  for (const std::string& formulation : bdf_formulations()) {
    if (formulation == "index3" || formulation == "index2-baumgarte") continue;
    const Solution s =
        run_bdf(*instance.problem, instance.start, formulation, {.t_end = 1, .max_steps = 3000}, 1e-14);
    ASSERT_TRUE(s.complete()) << formulation << ": " << s.end_message;
    EXPECT_LT(distance(s.final.q(), instance.reference.at(1)->q()), 1e-11) << formulation;
  }
}

// The spring releases half a joule within some microseconds; then the motion is the slow one again.
TEST(BdfRobustness, StartFarFromTheSlowMotion) {
  const auto slow = catalog::make_problem("stiff-pendulum", {{"k", "1e12"}}),
             far = catalog::make_problem("stiff-pendulum", {{"k", "1e12"}, {"stretch", "1e-6"}});
  for (const std::string& formulation : bdf_formulations()) {
    const Solution s = run_bdf(*far.problem, far.start, formulation, {.t_end = 2, .max_steps = 1000});
    ASSERT_TRUE(s.complete()) << formulation << ": " << s.end_message;
    EXPECT_LT(distance(s.final.q(), slow.reference.at(2)->q()), 2e-4) << formulation;
  }
}

// 1600 turns a second; the length of the rod is all that counts.
TEST(BdfRobustness, HugeSpeed) {
  const auto instance = catalog::make_problem("pendulum", {{"vy", "1e4"}});
  for (const std::string& formulation : bdf_formulations()) {
    const Solution s = run_bdf(*instance.problem, instance.start, formulation, {.t_end = 1e-3}, 1e-8);
    ASSERT_TRUE(s.complete()) << formulation << ": " << s.end_message;
    EXPECT_LT(s.work.steps, 3000) << formulation;
    EXPECT_LT(distance(s.final.q(), instance.reference.at(1e-3)->q()), 1e-3) << formulation;
  }
}

// A tolerance and nothing else: no first step, no tolerance of multipliers, no consistent rates.
TEST(BdfRobustness, GglWithATolerance) {
  for (const char* name : {"andrews", "car-axis", "heavy-top", "sundials-slider-crank"}) {
    const auto instance = catalog::make_problem(name);
    for (int digits = 3; digits <= 10; ++digits) {
      const double tolerance = std::pow(10.0, -digits);
      const Solution s =
          run_bdf(*instance.problem, instance.start, "ggl", {.t_end = instance.t_end}, tolerance);
      ASSERT_TRUE(s.complete()) << name << " " << tolerance << ": " << s.end_message;
      const State exact = *instance.reference.at(instance.t_end);
      for (Eigen::Index i = 0; i < exact.q().size(); ++i)
        EXPECT_NEAR(s.final.q()(i), exact.q()(i), 1000 * tolerance) << name << " " << tolerance;
    }
  }
}

}  // namespace
}  // namespace driftless::tests

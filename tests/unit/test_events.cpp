// Events: located on the stabilized interpolant, with direction, terminal or not, several at once, with actions; and bad ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

// Free fall: every method of order 2 and above is exact, so that event times can be compared with theory to the last digits.
struct Ball {
  static constexpr int nq = 2;
  double gravity = 2;
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  auto energy(auto, auto q, auto v) const { return (v[0] * v[0] + v[1] * v[1]) / 2.0 + gravity * q[1]; }
};

struct Fall {
  std::shared_ptr<const Problem> problem = make_problem(Ball{});
  State start = make_state(*problem, {{0, 1}, {1, 0}});  // reaches the ground at t = 1 with speed 2
  Solution run(const Options& options, const Method& method = {}) const {
    return solve(*problem, start, method, options);
  }
};

double height(const State& s) {
  return s.q()(1);
}
Event ground(Direction direction = Direction::any) {
  return {.name = "ground", .value = height, .direction = direction};
}
Event bounce(double restitution) {
  return {.name = "ground", .value = height, .direction = Direction::falling, .action = [=](State& s) {
            s.v()(1) *= -restitution;
          }};
}
Event terminal(Event event) {
  event.terminal = true;
  return event;
}

// Bounces with restitution 1/2: at t = 1, then after flights of 1, 1/2, 1/4, ..
TEST(Events, BouncesComeAtTheirTimes) {
  const Solution s = Fall().run({.t_end = 2.6, .rtol = 1e-10, .atol = 1e-10, .events = {bounce(0.5)}});
  ASSERT_TRUE(s.complete()) << s.end_message;
  ASSERT_EQ(s.events.size(), 3u);
  double t = 1, speed = 2;
  for (const EventRecord& e : s.events) {
    EXPECT_EQ(e.name, "ground");
    EXPECT_NEAR(e.t, t, 1e-12 * t);
    EXPECT_NEAR(e.state.v()(1), -speed, 1e-11);  // before the action
    EXPECT_NEAR(height(e.state), 0, 1e-12);
    EXPECT_EQ(e.state.t, e.t);
    speed /= 2;
    t += speed;  // 2 speed / gravity
  }
  // What the bounces take is in the balance.
  EXPECT_NEAR(s.energy->work, -2 * (1 - 1. / 64), 1e-10);
  EXPECT_NEAR(s.energy->balance, 0, 1e-11);
}

TEST(Events, TerminalEventEndsTheRun) {
  const Solution s = Fall().run({.t_end = 10, .events = {terminal(ground())}});
  EXPECT_EQ(s.end, EndReason::event);
  EXPECT_TRUE(s.complete());
  EXPECT_NEAR(s.final.t, 1, 1e-12);
  EXPECT_NEAR(s.final.q()(0), 1, 1e-11);
  EXPECT_EQ(s.states.back().t, s.final.t);
  EXPECT_NE(s.end_message.find("'ground'"), std::string::npos);
}

// A unit pendulum whose period is 2 crosses the vertical at 0.5, 1.5, ..: to the left first.
class PendulumEvents : public testing::TestWithParam<std::pair<Direction, std::vector<double>>> {};

TEST_P(PendulumEvents, InTheirDirection) {
  const auto& [direction, times] = GetParam();
  const double K = std::comp_ellint_1(std::sqrt(0.5));
  const auto instance =
      catalog::make_problem("pendulum", {{"gravity", fmt::format("{:.17g}", 4 * K * K)}, {"vy", "0"}});
  const Event vertical{
      .name = "vertical", .value = [](const State& s) { return s.q()(0); }, .direction = direction};
  const Solution s = solve(*instance.problem, instance.start, {},
                           {.t_end = 4.2, .rtol = 1e-13, .atol = 1e-13, .events = {vertical}});
  ASSERT_EQ(s.events.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(s.events[i].t, times[i], 1e-10);  // the accuracy of the motion
    EXPECT_NEAR(s.events[i].state.q()(0), 0, 1e-13);
    EXPECT_NEAR(s.events[i].state.q()(1), -1, 1e-15);            // on the circle
    EXPECT_NEAR(s.events[i].state.v()(1), 0, 1e-13);             // and tangential
    EXPECT_NEAR(s.events[i].state.lambda(0), 12 * K * K, 1e-7);  // weight and twice that: 3 m g
  }
}

INSTANTIATE_TEST_SUITE_P(All, PendulumEvents,
                         testing::Values(std::pair{Direction::any, std::vector<double>{0.5, 1.5, 2.5, 3.5}},
                                         std::pair{Direction::falling, std::vector<double>{0.5, 2.5}},
                                         std::pair{Direction::rising, std::vector<double>{1.5, 3.5}}));

TEST(Events, SeveralAtOnceActInTheOrderGiven) {
  std::string order;
  const auto noting = [&](const char* name, Event e) {
    e.name = name;
    e.action = [&order, name](State&) { order += name; };
    return e;
  };
  const Event wall{.name = "", .value = [](const State& s) { return s.q()(0) - 1; }};
  Event clock{.name = "clock", .value = [](const State& s) { return s.t - 0.75; }};
  const Solution s = Fall().run({.t_end = 1.5, .events = {noting("b", wall), noting("a", ground()), clock}});
  EXPECT_EQ(order, "ba");
  ASSERT_EQ(s.events.size(), 3u);
  EXPECT_EQ(s.events[0].name, "clock");
  EXPECT_NEAR(s.events[0].t, 0.75, 1e-15);
  EXPECT_EQ(s.events[1].name, "b");
  EXPECT_EQ(s.events[2].name, "a");
  EXPECT_EQ(s.events[1].t, s.events[2].t);
}

TEST(Events, ZeroAtTheStartIsNone) {
  Fall fall;
  fall.start = make_state(*fall.problem, {{0, 0}, {0, 2}});  // thrown up from the ground: back at t = 2
  const Solution s = fall.run({.t_end = 3, .events = {ground()}});
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_NEAR(s.events[0].t, 2, 1e-11);
}

// A sign that changes at the very start: the value is tiny and of the wrong sign there.
TEST(Events, SignChangeRightAfterTheStart) {
  Fall fall;
  fall.start = make_state(*fall.problem, {{0, -1e-13}, {0, 2}});
  const Solution s = fall.run({.t_end = 3, .events = {ground()}});
  ASSERT_EQ(s.events.size(), 2u);
  EXPECT_NEAR(s.events[0].t, 5e-14, 1e-17);  // of a step of about 1e-2
  EXPECT_NEAR(s.events[1].t, 2, 1e-11);
}

// Up and down again within one step of size 1.
TEST(Events, TwoRootsInOneStep) {
  const Event band{.name = "band", .value = [](const State& s) { return 0.1 - std::abs(s.t - 0.5); }};
  const Solution s = Fall().run({.t_end = 1, .step = 1, .events = {band}}, {.integrator = "rk4"});
  ASSERT_EQ(s.events.size(), 2u);
  EXPECT_NEAR(s.events[0].t, 0.4, 1e-15);
  EXPECT_NEAR(s.events[1].t, 0.6, 1e-15);
}

TEST(Events, RootAtTheEndOfAStep) {
  const Event clock{.name = "clock", .value = [](const State& s) { return s.t - 0.5; }};
  const Solution s = Fall().run({.t_end = 1, .step = 0.25, .events = {clock}}, {.integrator = "rk4"});
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_EQ(s.events[0].t, 0.5);
}

TEST(Events, RootAtAnOutputTime) {
  Options options{
      .t_end = 1.5, .output = {.kind = Output::Kind::at, .times = {0.5, 1, 1.5}}, .events = {bounce(1)}};
  options.events[0].value = [](const State& s) { return 1 - s.t; };  // exactly at the output
  const Solution s = Fall().run(options);
  ASSERT_EQ(s.events.size(), 1u);
  ASSERT_EQ(s.states.size(), 3u);
  EXPECT_EQ(s.states[1].t, 1);
  EXPECT_NEAR(s.states[1].v()(1), -2, 1e-12);  // before the bounce
  EXPECT_NEAR(s.states[2].v()(1), 1, 1e-10);   // after it: up with 2, less gravity
}

TEST(Events, OutputOfStepsShowsBothSidesOfAnAction) {
  const Solution s = Fall().run({.t_end = 1.5, .events = {bounce(1)}});
  int at_event = 0;
  for (const State& state : s.states)
    if (state.t == s.events[0].t) {
      EXPECT_NEAR(state.v()(1), at_event++ == 0 ? -2 : 2, 1e-10);
    }
  EXPECT_EQ(at_event, 2);
}

TEST(Events, FixedStepsReturnToTheirGrid) {
  const Event clock{
      .name = "clock", .value = [](const State& s) { return s.t - 0.33; }, .action = [](State&) {}};
  const Solution s = Fall().run({.t_end = 1, .step = 0.1, .events = {clock}}, {.integrator = "rk4"});
  std::vector<double> times;
  for (const State& state : s.states) times.push_back(state.t);
  const std::vector<double> expected = {0,   0.1,     0.2,     3 * 0.1, 0.33, 0.33, 0.4,
                                        0.5, 6 * 0.1, 7 * 0.1, 0.8,     0.9,  1};
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-15);
}

// An action that leaves the constraints: the start is made consistent again.
TEST(Events, StateIsMadeConsistentAfterAnAction) {
  const auto instance = catalog::make_problem("pendulum");
  const Event kick{.name = "kick",
                   .value = [](const State& s) { return s.t - 0.3; },
                   .action =
                       [](State& s) {
                         s.q() *= 1.1;
                         s.v()(0) += 1;
                         s.t = 77;  // time is not the action's to change
                       }};
  const Solution s = solve(*instance.problem, instance.start, {}, {.t_end = 1, .events = {kick}});
  ASSERT_TRUE(s.complete()) << s.end_message;
  EXPECT_LT(s.drift->position, 1e-12);
  EXPECT_LT(s.drift->velocity, 1e-11);
  EXPECT_NEAR(s.final.t, 1, 0);
  EXPECT_LT(std::abs(s.energy->balance), 1e-5);
}

TEST(Events, HopelessActionIsRefusedWithItsName) {
  const auto instance = catalog::make_problem("pendulum");
  const Event crash{.name = "crash",
                    .value = [](const State& s) { return s.t - 0.3; },
                    .action = [](State& s) { s.q()(0) = std::nan(""); }};
  const Solution s = solve(*instance.problem, instance.start, {}, {.t_end = 1, .events = {crash}});
  EXPECT_FALSE(s.complete());
  EXPECT_NE(s.end_message.find("'crash' at t = 0.3"), std::string::npos) << s.end_message;
}

TEST(Events, NotANumberEndsTheRunAndNothingIsLost) {
  const Event root{.name = "root", .value = [](const State& s) { return std::sqrt(height(s)); }};
  const Solution s = Fall().run({.t_end = 2, .events = {root}});
  EXPECT_EQ(s.end, EndReason::not_finite);
  EXPECT_NE(s.end_message.find("event 'root' is"), std::string::npos) << s.end_message;
  EXPECT_GT(s.states.size(), 1u);

  const Event bad{.name = "bad", .value = [](const State&) { return std::nan(""); }};
  const Solution none = Fall().run({.t_end = 2, .events = {bad}});
  EXPECT_EQ(none.end, EndReason::not_finite);
  EXPECT_EQ(none.final.t, 0);
  EXPECT_NE(none.end_message.find("at t = 0"), std::string::npos) << none.end_message;
}

// What an event function does beyond a root that ends the run is of no interest.
TEST(Events, TroubleBehindATerminalEventNeverHappens) {
  const Event log{.name = "log", .value = [](const State& s) { return std::log(height(s) + 1e-9) + 100; }};
  const Solution s = Fall().run({.t_end = 3, .events = {terminal(ground()), log}});
  EXPECT_EQ(s.end, EndReason::event) << s.end_message;
  EXPECT_NEAR(s.final.t, 1, 1e-12);
}

// A function that becomes zero and stays there.
TEST(Events, FirstZeroOfAPlateau) {
  const Event plateau{.name = "plateau", .value = [](const State& s) { return std::max(0.0, 0.6 - s.t); }};
  const Solution s = Fall().run({.t_end = 1, .step = 0.25, .events = {plateau}}, {.integrator = "rk4"});
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_NEAR(s.events[0].t, 0.6, 1e-15);
}

// A broken action leaves the state as it was before it.
TEST(Events, BrokenActionsLeaveNothingBehind) {
  const auto instance = catalog::make_problem("pendulum");
  const auto with = [&](std::function<void(State&)> action) {
    const Event bad{
        .name = "bad", .value = [](const State& s) { return s.t - 0.3; }, .action = std::move(action)};
    return solve(*instance.problem, instance.start, {}, {.t_end = 1, .events = {bad}});
  };
  for (const Solution& s :
       {with([](State& q) { q.q().setZero(); }), with([](State& q) { q.z.resize(2); }), with([](State& q) {
          q.q()(0) = 7;
          throw std::runtime_error("broken");
        })}) {
    EXPECT_FALSE(s.complete());
    EXPECT_NEAR(s.final.t, 0.3, 1e-15);
    ASSERT_EQ(s.final.z.size(), 4);
    EXPECT_NEAR(s.final.q().norm(), 1, 1e-12) << s.end_message;
    EXPECT_EQ(s.final.z, s.states.back().z);
  }
}

TEST(Events, ExceptionsEndTheRun) {
  const Event at_once{.name = "bad",
                      .value = [](const State&) -> double { throw std::runtime_error("no table at all"); }};
  const Solution none = Fall().run({.t_end = 2, .events = {at_once}});
  EXPECT_EQ(none.end, EndReason::exception);
  EXPECT_NE(none.end_message.find("no table at all"), std::string::npos);

  const Event bad{.name = "bad", .value = [](const State& s) -> double {
                    if (s.t > 0.5) throw std::runtime_error("no such table");
                    return 1;
                  }};
  const Solution s = Fall().run({.t_end = 2, .events = {bad}});
  EXPECT_EQ(s.end, EndReason::exception);
  EXPECT_NE(s.end_message.find("no such table"), std::string::npos);
}

// Bounces that come faster and faster up to t = 3: the run must not hang there.
TEST(Events, ZenoEnds) {
  const Solution s = Fall().run({.t_end = 4, .events = {bounce(0.5)}});
  EXPECT_GT(s.events.size(), 20u);  // flights down to 1e-6
  EXPECT_LT(s.events.size(), 300u);
  EXPECT_LT(s.work.steps, 20000);
}

TEST(Events, WithoutNameOrFunctionAreRefused) {
  EXPECT_NE(complaint([] {
              Fall().run({.t_end = 1, .events = {{.name = "x", .value = {}}}});
            }).find("'x' has no function"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              Fall().run({.t_end = 1, .events = {{.name = "", .value = height}}});
            }).find("event 1 has no name"),
            std::string::npos);
}

}  // namespace
}  // namespace driftless::tests

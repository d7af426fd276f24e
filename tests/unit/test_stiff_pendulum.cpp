// stiff-pendulum: its table of references against explicit runs and the rigid pendulum's exact motion, the
// slow start against the expansion in 1/k, implicit steps far beyond the fast time scale, energy, and both
// sets of coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "support/compare.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using Set = std::vector<std::pair<std::string, std::string>>;

ProblemInstance stiff(const Set& set) {
  return catalog::make_problem("stiff-pendulum", set);
}

Solution run(const ProblemInstance& instance, const Method& method, Options options) {
  const Solution s = solve(*instance.problem, instance.start, method, options);
  EXPECT_TRUE(s.complete()) << s.end_message;
  for (const std::string& note : s.notes) EXPECT_TRUE(contains(note, "the problem is stiff")) << note;
  return s;
}

Options explicit_options(double t_end, const std::vector<double>& times, double tolerance = 1e-13) {
  return {.t_end = t_end,
          .rtol = tolerance,
          .atol = tolerance,
          .max_steps = 10'000'000,
          .output = {.kind = Output::Kind::at, .times = times}};
}

// The table comes from other coordinates, another method and longer arithmetic. s is compared on its own
// scale 1/k.
TEST(StiffPendulum, ReferencesAgainstExplicitRuns) {
  for (const char* k : {"1e3", "1e6", "1e9"})
    for (const char* damping : {"0", "1"})
      for (const char* coordinates : {"relative", "absolute"}) {
        // post moves the absolute s by the roundoff of g, which is 1e-7 in the spring's force.
        if (std::string(k) == "1e9" && std::string(coordinates) == "absolute") continue;
        const auto instance = stiff({{"k", k}, {"damping", damping}, {"coordinates", coordinates}});
        const Solution s = run(instance, {.integrator = "dop853"}, explicit_options(2, {1, 2}));
        const double stiffness = std::stod(k);
        for (const State& at : s.states) {
          const State exact = *instance.reference.at(at.t);
          SCOPED_TRACE(std::string("k = ") + k + ", damping " + damping + ", " + coordinates);
          EXPECT_LT(distance(at.z, exact.z), 1e-10);
          EXPECT_LT(distance(at.lambda, exact.lambda), 1e-8);
          EXPECT_LT(stiffness * std::abs(at.q()(0) - exact.q()(0)), 1e-8);
        }
      }
}

// k to infinity: the rigid pendulum, whose exact motion is known. The distance to it is proportional to 1/k.
TEST(StiffPendulum, ReferencesTendToTheRigidPendulum) {
  // x = sin 1, y = -cos 1
  const auto rigid = catalog::make_problem(
      "pendulum",
      {{"gravity", "9.81"}, {"x", "0.8414709848078965"}, {"y", "-0.5403023058681398"}, {"vy", "0"}});
  for (const char* damping : {"0", "1"})
    for (const double t : {1.0, 2.0}) {
      const State limit = *rigid.reference.at(t);
      const auto scaled = [&](const char* k) -> Vector {
        const State at = *stiff({{"k", k}, {"damping", damping}}).reference.at(t);
        Vector away(5);
        away << at.q().tail(2) - limit.q(), at.v().tail(2) - limit.v(), at.lambda - limit.lambda;
        return std::stod(k) * away;
      };
      // The next term is of order k^-1/2 where there is a damper.
      const Vector at_1e6 = scaled("1e6"), at_1e9 = scaled("1e9"), at_1e12 = scaled("1e12");
      const double size = at_1e9.norm();
      EXPECT_GT(size, 1);
      EXPECT_LT((at_1e6 - at_1e9).norm(), 0.05 * size) << damping << " " << t;
      EXPECT_LT((at_1e12 - at_1e9).norm(), 0.02 * size) << damping << " " << t;
    }
}

// The rod's angle and its rate, from x and y as seen from the carriage.
struct Swing {
  explicit Swing(const State& at) : S(at.q()(1)), C(-at.q()(2)), w(S * at.v()(2) + C * at.v()(1)) {}
  double S, C, w;
  double P() const { return S * (9.81 * C + w * w); }
  // P' and P'' along the rigid pendulum's motion, phi'' = -9.81 sin phi.
  double P1() const { return w * (9.81 * (C * C - 3 * S * S) + C * w * w); }
  double P2() const {
    const double g = 9.81, a = -g * S;
    return g * a * (C * C - 3 * S * S) - 8 * g * C * S * w * w - S * w * w * w * w + 3 * C * w * w * a;
  }
};

// Without damping, k s = P - mu P''/k + O(1/k^2) on the slow motion, and nothing swings about it; with a
// stretch it does, by k times the stretch.
TEST(StiffPendulum, SlowStartStaysSlow) {
  const auto away = [](const char* k, const char* stretch) {
    std::vector<double> times;
    for (int i = 0; i <= 200; ++i) times.push_back(i * 0.01);
    const auto instance = stiff({{"k", k}, {"damping", "0"}, {"stretch", stretch}});
    const Solution s = run(instance, {.integrator = "dop853"}, explicit_options(2, times));
    const double stiffness = std::stod(k);
    double largest = 0;
    for (const State& at : s.states) {
      const Swing swing(at);
      const double slow = swing.P() - (1 + swing.S * swing.S) * swing.P2() / stiffness;
      largest = std::max(largest, std::abs(stiffness * at.q()(0) - slow));
    }
    return largest;
  };
  const double at_1e4 = away("1e4", "0"), at_1e5 = away("1e5", "0");
  EXPECT_LT(at_1e4, 1e-2);  // P is some 10, and its rates grow by a factor of some 30 each
  EXPECT_NEAR(at_1e4 / at_1e5, 100, 10);
  const double stretched = away("1e5", "1e-5");
  EXPECT_GT(stretched, 0.7);
  EXPECT_LT(stretched, 1.5);
}

// With a damper, k s = P - c P'/k - (mu - c^2/k) P''/k + O(k^-3/2) from the first moment on; without the
// terms with c the transient would have a size of 6e-4.
TEST(StiffPendulum, DampedStartHasNoTransient) {
  const double k = 1e6, c = 2e3;
  const Solution s = run(stiff({{"k", "1e6"}}), {.integrator = "dop853"},
                         explicit_options(5e-3, {0, 2e-4, 5e-4, 1e-3, 2e-3, 3e-3, 5e-3}));
  for (const State& at : s.states) {
    const Swing swing(at);
    const double mu = 1 + swing.S * swing.S;
    const double slow = swing.P() - c * swing.P1() / k - (mu - c * c / k) * swing.P2() / k;
    EXPECT_NEAR(k * at.q()(0), slow, 1e-6) << at.t;
  }
}

// Fixed steps up to a thousand times longer than the spring's own time scale: the error does not know k, and
// has the method's order.
TEST(StiffPendulum, ImplicitStepsDoNotSeeTheStiffness) {
  struct Case {
    const char *integrator, *formulation;
    double order;
  };
  for (const Case& c :
       {Case{"backward-euler", "index1", 1}, Case{"backward-euler", "ggl", 1},
        Case{"backward-euler", "index3", 1}, Case{"implicit-midpoint:tolerance=1e-13", "index1", 2}}) {
    const auto error = [&](const char* k, double h) {
      const auto instance = stiff({{"k", k}});
      const State end =
          run(instance, {.formulation = c.formulation, .integrator = c.integrator, .stabilizer = "none"},
              {.t_end = 1, .step = h})
              .final;
      return distance(end.q(), instance.reference.at(1)->q());
    };
    SCOPED_TRACE(std::string(c.integrator) + " " + c.formulation);
    const double rough = error("1e9", 1e-3), fine = error("1e9", 5e-4);
    EXPECT_NEAR(std::log2(rough / fine), c.order, 0.15);
    EXPECT_NEAR(error("1e12", 1e-3) / rough, 1, 0.01);
  }
}

// A stretched start: the spring's energy is there at the beginning, and the damper takes it away.
TEST(StiffPendulum, EnergyBalance) {
  const double k = 1e6, stretch = 1e-3;
  for (const char* coordinates : {"relative", "absolute"}) {
    const Set set = {{"damping", "0.3"}, {"coordinates", coordinates}};
    Set far = set;
    far.emplace_back("stretch", "1e-3");
    const auto slow = stiff(set), fast = stiff(far);
    const Solution a = run(slow, {.integrator = "dop853"}, explicit_options(1, {1})),
                   b = run(fast, {.integrator = "dop853"}, explicit_options(1, {1}));
    const double s0 = slow.start.q()(0);
    EXPECT_NEAR(b.energy->start - a.energy->start, k * (stretch * stretch / 2 + s0 * stretch), 1e-12);
    EXPECT_LT(std::abs(a.energy->balance), 1e-10);
    EXPECT_LT(std::abs(b.energy->balance), 1e-10);
    EXPECT_GT(a.energy->work, -1e-5);
    EXPECT_NEAR(b.energy->work, -k * stretch * stretch / 2, 0.02);
  }
}

// A correction of the position that does not know the stiffness changes the absolute stretch by a part of
// |g|, some h^2, and so the force by k |g|; relative to the carriage it leaves the spring alone.
TEST(StiffPendulum, ProjectionSparesTheRelativeStretch) {
  const auto lambda_error = [](const char* coordinates) {
    const auto instance = stiff({{"k", "1e12"}, {"coordinates", coordinates}});
    const State end =
        run(instance, {.integrator = "backward-euler", .stabilizer = "post"}, {.t_end = 1, .step = 1e-3})
            .final;
    EXPECT_LT(distance(end.q(), instance.reference.at(1)->q()), 0.01);
    return distance(end.lambda, instance.reference.at(1)->lambda);
  };
  EXPECT_LT(lambda_error("relative"), 0.1);
  EXPECT_GT(lambda_error("absolute"), 1e3);
}

TEST(StiffPendulum, RefusesASpringThatIsNotStiff) {
  const auto says = [](const Set& set) { return complaint([&] { stiff(set); }); };
  EXPECT_NE(says({{"k", "500"}})
                .find("the stiffness k is 500 (must be at least 10 (m0 (1 + 4 damping^2) + m) "
                      "|gravity|/length = 588.6"),
            std::string::npos)
      << says({{"k", "500"}});
  EXPECT_EQ(says({{"k", "500"}, {"damping", "0"}}), "(no complaint)");
  EXPECT_NE(says({{"k", "0"}}).find("must be above 0"), std::string::npos);
  EXPECT_FALSE(stiff({{"angle", "0.9"}}).reference.at);
  EXPECT_FALSE(stiff({{"k", "2e6"}}).reference.at);
  EXPECT_FALSE(stiff({{"stretch", "1e-6"}}).reference.at);
}

}  // namespace
}  // namespace driftless::tests

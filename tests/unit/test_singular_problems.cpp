// Problems with redundant constraints and singular configurations: published values, other ways to the same motion, where they are
// singular, what they are called, and runs of those that every formulation can treat. (See also test_singular_references.cpp.)
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <driftless/problems/petzold_ren_maly.hpp>

#include "problems/common/extrapolation.hpp"
#include "support/compare.hpp"
#include "support/dense_oracle.hpp"

namespace driftless::tests {
namespace {

using Set = std::vector<std::pair<std::string, std::string>>;
constexpr double pi = std::numbers::pi;

int rank(const Problem& problem, double t, const Vector& z) {
  Evaluation e;
  problem.evaluate(Part::jacobian, Point(t, z), e);
  return rank_of(e.G, 1e-12);
}

// B_0 = 2 (centre of the first crank), in the ten digits of an independent computation that agrees with the library's own table.
TEST(NFourBar, HasThePublishedMotion) {
  struct Row {
    double t, x2, y2, x40, y40;
  };
  const auto two = catalog::make_problem("n-four-bar"),
             forty = catalog::make_problem("n-four-bar", {{"N", "40"}});
  for (const Row& row : {Row{1, -0.1950203019, -0.9807992057, -0.1153568806, -0.9933241113},
                         Row{2, 0.0578157958, 0.9983272679, 0.0344663073, 0.9994058603},
                         Row{5, -0.8113104610, -0.5846155454, -0.5401900507, -0.8415430525},
                         Row{8, 0.2510559146, 0.9679725862, 0.1419580413, 0.9898726759},
                         Row{10, 0.3284581115, 0.9445185382, 0.1805122267, 0.9835727406}}) {
    const State a = *two.reference.at(row.t), b = *forty.reference.at(row.t);
    EXPECT_LT(distance(2 * a.q().head(2), vector({row.x2, row.y2})), 6e-11) << row.t;
    EXPECT_LT(distance(2 * b.q().head(2), vector({row.x40, row.y40})), 6e-11) << row.t;
  }
  EXPECT_EQ(two.t_end, 10);
  EXPECT_EQ(forty.problem->shape().nq, 243);
  EXPECT_EQ(forty.problem->shape().ng, 242);
}

TEST(NFourBar, StartsUprightAndTurnsClockwise) {
  const auto p = catalog::make_problem("n-four-bar");
  EXPECT_LT(distance(p.start.q(), vector({0, .5, 0, 1, .5, 0, 2, .5, 0, .5, 1, 0, 1.5, 1, 0})), 1e-16);
  EXPECT_LT(distance(p.start.v(), vector({.5, 0, -1, .5, 0, -1, .5, 0, -1, 1, 0, 0, 1, 0, 0})), 1e-16);
  Evaluation e;
  p.problem->evaluate(Part::energy | Part::force, Point(0, p.start.z), e);
  // Cranks turn about their pins with 1/3, couplers move with 1; weights at 1/2 and 1.
  EXPECT_NEAR(e.energy, 3 * (1.0 / 6 + 9.81 / 2) + 2 * (0.5 + 9.81), 1e-13);
  EXPECT_EQ(p.reference.at(10)->q()(2) < -8 * pi, true);                                // no turn is lost
  EXPECT_FALSE(catalog::make_problem("n-four-bar", {{"speed", "0"}}).reference.at(1));  // stands on its head
}

TEST(NFourBar, LosesTheRankNWhereTheCranksLieFlat) {
  for (const int N : {1, 2, 5}) {
    const auto p = catalog::make_problem("n-four-bar", {{"N", std::to_string(N)}});
    State flat = p.start;
    for (int k = 0; k <= N; ++k) flat.q().segment(3 * k, 3) << k + 0.5, 0, -pi / 2;
    for (int k = 1; k <= N; ++k) flat.q().segment(3 * (N + k), 3) << k + 0.5, 0, 0;
    Evaluation e;
    p.problem->evaluate(Part::position, Point(0, flat.z), e);
    EXPECT_LT(e.g.lpNorm<Eigen::Infinity>(), 1e-15);
    EXPECT_EQ(rank(*p.problem, 0, flat.z), 5 * N + 2) << N;
    EXPECT_EQ(rank(*p.problem, 0, p.start.z), 6 * N + 2) << N;
  }
}

// There the outer cranks would turn with another acceleration than the inner ones, and the couplers even that out with an arm cos a: by hand,
// from the equations of the first crank and coupler, lambda cos a tends to -sin a (5 w^2/6 - gravity), which is 0 for N = 1 only.
TEST(NFourBar, MultipliersGrowWhereTheCranksLieFlat) {
  for (const int N : {1, 2, 5}) {
    const auto p = catalog::make_problem("n-four-bar", {{"N", std::to_string(N)}});
    double low = 0, high = 1;  // a passes -pi/2 once in that time
    while (high - low > 1e-7) {
      const double middle = (low + high) / 2;
      (p.reference.at(middle)->q()(2) > -pi / 2 ? low : high) = middle;
    }
    const State near = *p.reference.at(low);
    const double w2 = 9.81 * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N);
    EXPECT_NEAR(near.lambda(2 * (N + 1)) * std::cos(near.q()(2)), 5 * w2 / 6 - 9.81, 1e-5) << N;
  }
}

TEST(NFourBar, NamesItsBarsAndPins) {
  const auto p = catalog::make_problem("n-four-bar", {{"N", "3"}});
  EXPECT_EQ(p.problem->coordinate_name(0), "crank 0.x");
  EXPECT_EQ(p.problem->coordinate_name(11), "crank 3.angle");
  EXPECT_EQ(p.problem->velocity_name(13), "coupler 1.vy");
  EXPECT_EQ(p.problem->constraint_name(0), "crank 0 to ground, x");
  EXPECT_EQ(p.problem->constraint_name(7), "crank 3 to ground, y");
  EXPECT_EQ(p.problem->constraint_name(8), "coupler 1 to crank 0, x");
  EXPECT_EQ(p.problem->constraint_name(11), "coupler 1 to crank 1, y");
  EXPECT_EQ(p.problem->constraint_name(18), "coupler 3 to crank 3, x");
}

// (3 + 2 cos 2th) th'' = 2 sin 2th th'^2 - 9.8 sin th, integrated; five or six crossings of th = 0 in 10 s.
TEST(Paper003, SliderCrankFollowsTheMinimalEquation) {
  const auto equation = [](double, const Vector& y) {
    const double th = y(0), w = y(1);
    return vector({w, (2 * std::sin(2 * th) * w * w - 9.8 * std::sin(th)) / (3 + 2 * std::cos(2 * th))});
  };
  for (int i = 0; i < 24; ++i) {
    const double theta0 = 0.5 + i / 23.0;
    const auto p = catalog::make_problem("003-slider-crank", {{"theta0", fmt::format("{}", theta0)}});
    Evaluation e;
    p.problem->evaluate(Part::energy, Point(0, p.start.z), e);
    EXPECT_NEAR(e.energy + 9.8, 9.8 * (1 - std::cos(theta0)), 1e-13);  // above the minimum
    const double t_end = i % 8 == 0 ? 100 : 10;
    const Vector end = problems::extrapolated(equation, 0, vector({theta0, 0}), t_end, 0.02);
    const State state = *p.reference.at(t_end);
    EXPECT_LT(distance(vector({state.q()(0), state.v()(0)}), end), t_end * 1e-12) << theta0;
    int crossings = 0;
    for (int k = 0; k < 1000; ++k) {
      const State before = *p.reference.at(k / 100.0), after = *p.reference.at((k + 1) / 100.0);
      if (before.q()(0) * after.q()(0) >= 0) continue;
      ++crossings;
      EXPECT_GT(std::abs(before.v()(0)), 0.65);
      EXPECT_LT(std::abs(before.v()(0)), 1.95);
    }
    EXPECT_TRUE(crossings == 5 || crossings == 6) << theta0 << ": " << crossings;
  }
}

// One row instead of two: x' = A x + q - c p, c.x = s.
struct OneRow : problems::RankDeficient {
  static constexpr int ng = 1;
  static constexpr std::array<const char*, 1> constraint_names{"c.x = s"};
  void constraint(auto t, auto x, auto g) const {
    using std::cos, std::sin;
    g[0] = x[0] + 0.5 * sin(t) * x[1] + 0.3 * cos(t) * x[2] - 1.0 - sin(t);
  }
};

TEST(Paper003, RankDeficientMovesLikeOneRow) {
  const auto one = make_problem(OneRow{});
  const Solution s = solve(*one, state_of(*one, {1, 0.4, 0}), {.integrator = "dop853"},
                           {.t_end = 3, .rtol = 1e-13, .atol = 1e-13});
  ASSERT_TRUE(s.complete()) << s.end_message;
  for (const Set& set :
       {Set{}, Set{{"rho", "1"}}, Set{{"input", "trust"}}, Set{{"rho", "1"}, {"input", "trust"}}}) {
    const auto p = catalog::make_problem("003-rank-deficient", set);
    EXPECT_LT(distance(p.reference.at(3)->z, s.final.z), 1e-11);
    EXPECT_EQ(rank(*p.problem, 1.3, p.start.z), 1);
    EXPECT_EQ(p.problem->shape().given_input, set.size() > 0 && set.back().second == "trust");
  }
  // B lambda = c p with B = c k^T, k = (1, 1/2), or with b = (1, -0.7).
  const double push = s.final.lambda(0);
  EXPECT_LT(distance(catalog::make_problem("003-rank-deficient").reference.at(3)->lambda,
                     push * vector({1, 0.5}) / 1.25),
            1e-10);
  EXPECT_LT(
      distance(catalog::make_problem("003-rank-deficient", {{"input", "trust"}}).reference.at(3)->lambda,
               push * vector({1, -0.7}) / 1.49),
      1e-10);
}

TEST(Paper003, Example51HasNoMultiplierAtTheSingularity) {
  const auto p = catalog::make_problem("003-example51");
  EXPECT_EQ(p.start.t, -1);
  EXPECT_EQ(p.start.z(0), 0);
  EXPECT_EQ(p.t_end, 1);
  EXPECT_EQ(p.reference.at(0)->z(0), 1);
  EXPECT_TRUE(std::isnan(p.reference.at(0)->lambda(0)));
  EXPECT_EQ(rank(*p.problem, 0, p.start.z), 0);
  const auto off = catalog::make_problem("003-example51", {{"t0", "-1.005"}, {"offset", "1e-6"}});
  EXPECT_TRUE(off.start_as_given);
  EXPECT_NEAR(off.start.z(0), -0.005 + 1e-6, 1e-15);
}

// The whole matrix is regular although M is not.
TEST(Paper003, SingularMassRuns) {
  const auto p = catalog::make_problem("003-singular-mass");
  const Solution s = tight_run(p, 3);
  EXPECT_LT(distance(s.final.q(), vector({std::cos(6), std::cos(6)})), 1e-11);
  EXPECT_LT(distance(s.final.lambda, vector({3 * std::cos(6)})), 1e-10);
}

TEST(Parallelogram, TheThirdBarIsRedundantAndChangesNothing) {
  const auto braced = catalog::make_problem("parallelogram", {{"at", "0.3"}}),
             plain = catalog::make_problem("parallelogram", {{"bar", "none"}});
  for (const double t : {0.0, 0.7, 4.0, 10.0}) {
    const State state = *braced.reference.at(t);
    EXPECT_EQ(distance(state.z, plain.reference.at(t)->z), 0);
    EXPECT_EQ(rank(*braced.problem, t, state.z), 4);
    EXPECT_EQ(rank(*plain.problem, t, state.z), 4);
  }
  const Solution s = tight_run(plain, 10);
  EXPECT_LT(distance(s.final.z, plain.reference.at(10)->z), 1e-9);
  EXPECT_LT(distance(s.final.lambda, plain.reference.at(10)->lambda), 1e-8);
  const auto flat = catalog::make_problem("parallelogram", {{"phi", fmt::format("{}", pi / 2)}});
  EXPECT_EQ(rank(*flat.problem, 0, flat.start.z), 3);
  EXPECT_TRUE(contains(complaint([] {
                         catalog::make_problem("parallelogram", {{"bar", "none"}, {"at", "0.3"}});
                       }),
                       "bar=none leaves it out"));
}

TEST(RedundantPendulum, MovesLikeThePendulum) {
  const auto plain = catalog::make_problem("pendulum", {{"gravity", "9.81"},
                                                        {"x", fmt::format("{}", std::sin(1))},
                                                        {"y", fmt::format("{}", -std::cos(1))},
                                                        {"vy", "0"}});
  const auto twice = catalog::make_problem("redundant-pendulum", {{"scale", "2"}});
  for (const double t : {0.3, 2.0, 10.0}) {
    const State one = *plain.reference.at(t), two = *twice.reference.at(t);
    EXPECT_LT(distance(one.z, two.z), 1e-13);
    EXPECT_LT(distance(two.lambda, one.lambda(0) * vector({1, 2}) / 5), 1e-12);
    EXPECT_EQ(rank(*twice.problem, t, two.z), 1);
  }
}

TEST(RedundantPendulum, ContradictsItselfWhereAsked) {
  const auto gap = catalog::make_problem("redundant-pendulum", {{"gap", "0.02"}, {"scale", "3"}}),
             growth = catalog::make_problem("redundant-pendulum", {{"growth", "0.1"}});
  EXPECT_FALSE(gap.reference.at);
  EXPECT_FALSE(growth.reference.at);
  EXPECT_FALSE(gap.problem->shape().moving);
  EXPECT_TRUE(growth.problem->shape().moving);
  const Parts parts = Part::position | Part::rates | Part::jacobian | Part::curvature;
  Evaluation e;
  gap.problem->evaluate(parts, Point(0, gap.start.z), e);
  EXPECT_LT(distance(e.g, vector({0, -0.03})), 1e-15);
  const double t = 0.5;  // g2 - g1 = -growth t^3/2 and its derivatives
  growth.problem->evaluate(parts, Point(t, growth.start.z), e);
  EXPECT_NEAR(e.g(1) - e.g(0), -0.05 * t * t * t, 1e-15);
  EXPECT_NEAR(e.rates(1, 0) - e.rates(0, 0), -0.15 * t * t, 1e-15);
  EXPECT_NEAR(e.c(1) - e.c(0), -0.3 * t, 1e-15);
}

TEST(EqualLinkSliderCrank, IsSingularWhereTheLinksAreFolded) {
  const auto p = catalog::make_problem("equal-link-slider-crank");
  const auto rank_at = [&](double crank) {
    return rank(*p.problem, 0, vector({crank, -crank, 2 * std::cos(crank), 1, -1, -2 * std::sin(crank)}));
  };
  for (const double regular : {0.0, 1.0, 2.5, pi, 4.0}) EXPECT_EQ(rank_at(regular), 2) << regular;
  for (const double folded : {pi / 2, -pi / 2, 3 * pi / 2}) EXPECT_EQ(rank_at(folded), 1) << folded;
  EXPECT_GT(p.reference.at(10)->q()(0),
            4 * pi);  // several turns, each through both dead points and both folded positions
  EXPECT_FALSE(catalog::make_problem("equal-link-slider-crank", {{"w", "2"}}).reference.at);  // swings
  const Solution s = tight_run(p, 0.25);
  EXPECT_LT(s.final.q()(0), pi / 2);
  EXPECT_LT(distance(s.final.z, p.reference.at(0.25)->z), 1e-10);
}

TEST(LockUpSliderCrank, EndsWhereTheRodStandsUpright) {
  const auto p = catalog::make_problem("lock-up-slider-crank");
  const double lock_up = pi / 6;  // asin(l/r)/omega
  EXPECT_GT(p.t_end, lock_up);
  EXPECT_FALSE(p.reference.at(lock_up + 1e-12));
  const State late = *p.reference.at(lock_up - 1e-8), later = *p.reference.at(lock_up - 1e-10);
  EXPECT_NEAR(late.q()(1), -pi / 2, 1e-3);
  EXPECT_NEAR(later.v()(1) / late.v()(1), 10, 1e-3);  // (t* - t)^(-1/2)
  EXPECT_NEAR(later.v()(2) / late.v()(2), 10, 1e-3);
  const Solution s = tight_run(p, 0.4);
  const State exact = *p.reference.at(0.4);
  EXPECT_LT(distance(s.final.z, exact.z), 1e-10);
  EXPECT_LT(distance(s.final.lambda, exact.lambda), 1e-8);
  EXPECT_LT(std::abs(s.energy->balance), 1e-9);  // with the work of the drive
  EXPECT_TRUE(contains(complaint([] {
                         catalog::make_problem("lock-up-slider-crank", {{"l", "1"}});
                       }),
                       "the rod's length l is 1 (must lie below the crank's length r = 1"));
}

TEST(Impasse, KeepsItsRowsAndLosesGB) {
  const auto p = catalog::make_problem("impasse");
  const double ends = std::log(2);  // x0 = pi/6
  EXPECT_GT(p.t_end, ends);
  EXPECT_FALSE(p.reference.at(ends + 1e-12));
  const State late = *p.reference.at(ends - 1e-8);
  Evaluation e;
  p.problem->evaluate(Part::jacobian | Part::input, Point(late.t, late.z), e);
  EXPECT_EQ(rank(*p.problem, late.t, late.z), 1);
  EXPECT_NEAR(e.B.norm(), 1, 1e-15);
  EXPECT_NEAR(product(e.G, e.B)(0, 0), std::sqrt(2e-8), 1e-10);  // cos x = sqrt(1 - e^(2 (t - t*)))
  EXPECT_NEAR(late.lambda(0), -1 / std::sqrt(2e-8), 1e-3);
  const Solution s = tight_run(p, 0.6);
  EXPECT_LT(distance(s.final.z, p.reference.at(0.6)->z), 1e-10);
}

}  // namespace
}  // namespace driftless::tests

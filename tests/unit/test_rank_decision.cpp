// RankDecision: redundant rows are found on the manifold and beside it, with hysteresis, whatever the units; multipliers of least norm.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/idle_multipliers.hpp>
#include <driftless/core/rank_decision.hpp>
#include <driftless/problems/parallelogram.hpp>

#include "support/dense_oracle.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using Rows = std::vector<int>;

// The second row is `scale` times the first one, turned by the angle.
struct Turned {
  static constexpr int nq = 3, ng = 2;
  double angle = 0, scale = 1;
  void force(auto, auto, auto, auto f) const { f[2] = 1.0; }
  void constraint(auto, auto q, auto g) const {
    g[0] = q[0];
    g[1] = scale * (q[0] * std::cos(angle) + q[1] * std::sin(angle));
  }
};

// The same, but the angle grows along q_0, so that a motion leads through.
struct Passing {
  static constexpr int nq = 3, ng = 2;
  double angle = 0;
  void force(auto, auto, auto, auto f) const { f[2] = 1.0; }
  void constraint(auto, auto q, auto g) const {
    g[0] = q[1];
    g[1] = q[1] + (angle + q[0]) * q[2];
  }
};

RankDecision decided(const Problem& problem, const Vector& z, RankDecision decision = RankDecision()) {
  decision.decide(problem, 0, z);
  return decision;
}

TEST(RankDecision, SameRankAtEveryDistanceFromTheManifold) {
  for (const char* bar : {"none", "redundant"}) {
    const ProblemInstance instance = catalog::make_problem("parallelogram", {{"bar", bar}});
    const bool redundant = instance.problem->shape().ng == 5;
    for (const double distance : {0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
      Vector z = instance.start.z;
      for (int i = 0; i < 5; ++i) z(i) += distance * std::sin(1.0 + 3.0 * i);
      const RankDecision decision = decided(*instance.problem, z);
      EXPECT_EQ(decision.left_out().size(), redundant ? 1u : 0u) << bar << " at a distance of " << distance;
      EXPECT_EQ(decision.full(), !redundant) << distance;
      EXPECT_EQ(decision.pending(), redundant) << distance;
      EXPECT_EQ(decision.rows(), (Rows{0, 1, 2, 3})) << "the last one goes, at a distance of " << distance;
    }
  }
}

// In motion: at rest they would count, see AtRestSmallAnglesCount.
TEST(RankDecision, Hysteresis) {
  const Vector z{{0, 0, 0, 1, 1, 1}};
  const auto next = [&](const RankDecision& before, double angle) {
    return decided(*make_problem(Passing{.angle = angle}), z, before);
  };
  const RankDecision near = next(RankDecision(), 2e-5);
  EXPECT_TRUE(near.full());
  EXPECT_TRUE(near.pending()) << "so near, every place is looked at";
  const RankDecision lost = next(near, 5e-6);
  EXPECT_FALSE(lost.full());
  EXPECT_FALSE(next(lost, 2e-5).full()) << "comes back above 3e-5 only";
  const RankDecision back = next(lost, 1e-4);
  EXPECT_TRUE(back.full());
  EXPECT_FALSE(back.pending());
  EXPECT_TRUE(next(back, 2e-5).full());
}

TEST(RankDecision, AtRestSmallAnglesCount) {
  const Vector start{{0.1, 0, 0, 0, 0, 0}}, rest = Vector::Zero(6);
  for (const double angle : {1e-4, 5e-6, 1e-8}) {
    const auto problem = make_problem(Passing{.angle = angle});
    const RankDecision regular = decided(*problem, start);
    ASSERT_TRUE(regular.full());
    EXPECT_TRUE(decided(*problem, rest, regular).full()) << angle;
  }
}

TEST(RankDecision, UnitsDoNotMatter) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    EXPECT_FALSE(decided(*make_problem(Turned{.angle = 1e-6, .scale = scale}), Vector::Zero(6)).full());
    EXPECT_TRUE(decided(*make_problem(Turned{.angle = 1e-4, .scale = scale}), Vector::Zero(6)).full());
  }
}

struct Vanishing {
  static constexpr int nq = 2, ng = 2;
  void force(auto, auto, auto, auto f) const { f[1] = 1.0; }
  void constraint(auto, auto q, auto g) const {
    g[0] = q[1] * q[1];
    g[1] = q[0];
  }
};

TEST(RankDecision, RowThatVanishes) {
  const auto problem = make_problem(Vanishing{});
  EXPECT_EQ(decided(*problem, Vector::Zero(4)).left_out(), Rows{0});
  EXPECT_TRUE(decided(*problem, Vector{{0, 0.5, 0, 0}}).full());
}

struct Three {
  static constexpr int nq = 2, ng = 3;
  void force(auto, auto, auto, auto f) const { f[1] = 1.0; }
  void constraint(auto, auto q, auto g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    g[1] = 2.0 * g[0];
    g[2] = -5.0 * g[0];
  }
};

TEST(RankDecision, MoreRowsThanVelocities) {
  const RankDecision decision = decided(*make_problem(Three{}), Vector{{0.6, 0.81, 0, 0}});
  EXPECT_EQ(decision.rows().size(), 1u);
  EXPECT_EQ(decision.left_out().size(), 2u);
}

// w repeats g' four times as strongly: it goes, since positions would be left alone without g.
struct Repeated {
  static constexpr int nq = 3, ng = 1, nk = 2;
  void force(auto, auto, auto, auto f) const { f[1] = 1.0; }
  void constraint(auto, auto q, auto g) const { g[0] = q[2] - q[0] * q[1]; }
  void velocity_constraint(auto, auto q, auto v, auto w) const {
    w[0] = 4.0 * (v[2] - q[0] * v[1] - q[1] * v[0]);
    w[1] = v[0] - v[1];
  }
};

TEST(RankDecision, PositionsComeFirst) {
  const auto problem = make_problem(Repeated{});
  const Vector z{{0.3, 0.7, 0.21, 0, 0, 0}};
  EXPECT_EQ(decided(*problem, z).left_out(), Rows{1});
  EXPECT_TRUE(decided(*problem, z, RankDecision(RankDecision::Of::positions)).full());
}

struct Root {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = 1.0; }
  void constraint(auto, auto q, auto g) const {
    using std::sqrt;
    g[0] = sqrt(q[0]) - 1.0;
  }
};

TEST(RankDecision, NotFinite) {
  const auto problem = make_problem(Root{});
  const RankDecision decision = decided(*problem, Vector{{-1, 0, 0, 0}});
  EXPECT_TRUE(decision.full());
  EXPECT_TRUE(decision.pending()) << "nothing is known yet";
  EXPECT_TRUE(decided(*problem, Vector{{1, 0, 0, 0}}, decision).full());
}

TEST(RankDecision, LeastMultipliers) {
  const ProblemInstance instance = catalog::make_problem("parallelogram");
  const RankDecision decision = decided(*instance.problem, instance.start.z);
  Evaluation e;
  instance.problem->evaluate(Part::jacobian, Point(0, instance.start.z), e);
  const Matrix B = e.G.transpose();
  const Vector l{{1, -2, 3, 0.5, 4}};
  EXPECT_LT((decision.least_norm(B, l) - least_norm_solution(B, B * l, 1e-8)).norm(), 1e-13);
  const Matrix idle = idle_multipliers(B, decision.left_out());
  EXPECT_LT(product(B, idle).norm(), 1e-14);
  EXPECT_NEAR(idle.norm(), 1, 1e-14);
}

// Where no row is left, nothing is spanned and every multiplier is idle.
TEST(RankDecision, NoColumnCarries) {
  Matrix B = Matrix::Zero(3, 2);
  const std::vector<int> idle = idle_columns(B, 2);
  ASSERT_EQ(idle, (std::vector<int>{0, 1}));
  B(0, 0) = 1e-9;
  put_in_span(B, idle);
  EXPECT_EQ(B, Matrix::Zero(3, 2));
  const Matrix n = idle_multipliers(B, idle);
  EXPECT_LT((product(n.transpose(), n) - Matrix::Identity(2, 2)).cwiseAbs().maxCoeff(), 1e-14);
}

// A row without a gradient anywhere constrains nothing, with implicit formulations too.
struct EmptyRow {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -1; }
  void constraint(auto, auto q, auto g) const { g[0] = 0.0 * q[0]; }
};

TEST(RankDecision, ARowWithoutAnyGradient) {
  const auto problem = make_problem(EmptyRow{});
  for (const char* formulation : {"index1", "ggl", "index2", "stabilized-index1"}) {
    const bool implicit = std::string(formulation) != "index1";
    const Solution run =
        solve(*problem, state_of(*problem, {0, 0, 1, 0}),
              {.formulation = formulation, .integrator = implicit ? "bdf" : "dopri5"}, {.t_end = 1});
    ASSERT_TRUE(run.complete()) << formulation << ": " << run.end_message;
    EXPECT_NEAR(run.final.q()(0), 1, 1e-5) << formulation;
    EXPECT_NEAR(run.final.q()(1), -0.5, 1e-5) << formulation;
  }
}

TEST(RankDecision, IdleColumns) {
  Matrix B(3, 4);
  B << 1, 2, 0, 1,  //
      0, 0, 3, 1,   //
      0, 0, 0, 0;
  const std::vector<int> idle = idle_columns(B, 2);
  Matrix rest(3, 0);
  for (int j = 0; j < 4; ++j)
    if (j != idle[0] && j != idle[1]) {
      rest.conservativeResize(3, rest.cols() + 1);
      rest.rightCols(1) = B.col(j);
    }
  ASSERT_EQ(rest.cols(), 2);
  EXPECT_GT(std::abs(determinant(rest.topRows(2))), 0.1);
  EXPECT_EQ(idle, (std::vector<int>{1, 3})) << "the first ones that can do it stay";
}

TEST(RankDecision, Contradictions) {
  const auto problem = make_problem(Turned{.angle = 0, .scale = 2});
  const RankDecision decision = decided(*problem, Vector::Zero(6));
  Matrix C(2, 3);
  C << 1, 0, 0, 2, 0, 0;
  const Matrix none;  // no rows of K
  EXPECT_FALSE(decision.contradicts({C, none}, Vector{{3, 5, 0}}, Vector{{3, 6}}, 0));
  EXPECT_TRUE(decision.contradicts({C, none}, Vector{{3, 5, 0}}, Vector{{3, -6}}, 0));
  // At an equilibrium under gravity all that is left is roundoff, which contradicts nothing.
  EXPECT_FALSE(decision.contradicts({C, none}, Vector{{1e-15, 0, 1e-15}}, Vector{{0, 1e-15}}, 9.81));
  EXPECT_TRUE(decision.contradicts({C, none}, Vector{{1e-15, 0, 1e-15}}, Vector{{0, 1e-3}}, 9.81));
}

}  // namespace
}  // namespace driftless::tests

// Problems: shapes that are refused, states made of levels, hand-written derivatives that are really used, problems written without a
// model.
#include <gtest/gtest.h>

#include <thread>

#include "support/models.hpp"
#include "support/random_point.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

TEST(ProblemShape, ImpossibleOnesAreRefused) {
  const auto says = [](const Shape& shape) { return complaint([&] { check_shape(shape); }); };
  EXPECT_EQ(says({.nq = 2, .nv = 2, .ng = 3}), "(no complaint)") << "redundant constraints are welcome";
  EXPECT_TRUE(contains(says({.nq = 0, .nv = 0}), "at least 1 each"));
  EXPECT_TRUE(contains(says({.order = 0, .nq = 1, .nv = 1}), "the order of the system is 0"));
  EXPECT_TRUE(contains(says({.nq = 4, .nv = 3}), "add a function `kinematics`"));
  EXPECT_TRUE(contains(says({.order = 1, .nq = 2, .nv = 2, .nk = 1}),
                       "velocity constraints are for systems of order 2"));
  EXPECT_TRUE(contains(says({.nq = 2, .nv = 2, .ng = -1}), "negative sizes"));
  EXPECT_EQ(says({.nq = 2, .nv = 2, .ng = 2}), "(no complaint)");
}

TEST(MakeState, ChecksItsLevels) {
  const auto pendulum = make_problem(problems::Pendulum{});
  const State state = make_state(*pendulum, {{3, 4}});
  EXPECT_EQ(state.q()(1), 4);
  EXPECT_EQ(state.v().norm(), 0);
  EXPECT_EQ(state.lambda.size(), 1);
  EXPECT_TRUE(contains(complaint([&] {
                         make_state(*pendulum, {{3, 4, 5}});
                       }),
                       "level 0 of the state has 3 values (the problem has 2 there)"));
  EXPECT_TRUE(contains(complaint([&] {
                         make_state(*pendulum, {{1, 2}, {3, 4}, {5, 6}});
                       }),
                       "3 levels are given for a system of order 2"));
}

// Every derivative by hand, each recognisable: what the model says is what the problem gives.
struct ByHand {
  static constexpr int nq = 2, ng = 1;
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(auto, auto, auto, auto) const {}
  void constraint(auto, auto q, auto g) const { g[0] = q[0]; }
  void jacobian(double, auto, auto G) const { G(0, 0) = 11; }
  void curvature(double, auto, auto, auto c) const { c[0] = 12; }
  void rate_jacobian(double, auto, auto, auto L) const { L(0, 1) = 13; }
  void force_jacobian(double, auto, auto, auto f_q, auto f_v) const { f_q(0, 1) = 14, f_v(1, 0) = 15; }
  void mass_product_jacobian(double, auto, auto a, auto out) const { out(1, 1) = 16 * a[0]; }
  void multiplier_jacobian(double, auto, auto lambda, auto out) const { out(0, 0) = 17 * lambda[0]; }
};

TEST(HandWrittenDerivatives, AreUsed) {
  const auto problem = make_problem(ByHand{});
  const RandomPoint p(problem->shape());
  Evaluation e;
  problem->evaluate(Part::jacobian | Part::curvature | Part::rate_jacobian | Part::force_jacobian |
                        Part::mass_product_jacobian | Part::multiplier_jacobian,
                    p.point(), e);
  EXPECT_EQ(e.G(0, 0), 11);
  EXPECT_EQ(e.G(0, 1), 0);
  EXPECT_EQ(e.c(0), 12);
  EXPECT_EQ(e.L[0](0, 1), 13);
  EXPECT_EQ(e.f_z(0, 1), 14);
  EXPECT_EQ(e.f_z(1, 2), 15);
  EXPECT_EQ(e.Ma_x(1, 1), 16 * p.a(0));
  EXPECT_EQ(e.Bl_x(0, 0), 17 * p.lambda(0));
  // The acceleration uses them too: 11 a_0 + 12 = r.
  Workspace work;
  Vector a(2), lambda(1);
  ASSERT_EQ(problem->acceleration(0, p.z, Vector::Constant(1, 34), a, lambda, work), Status::ok);
  EXPECT_NEAR(a(0), 2, 1e-14);
}

// M, f, g and G by one function, with what is left beside them; where M is the identity it stays so.
struct EquationsByHand {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto) const {}
  void constraint(auto, auto q, auto g) const { g[0] = q[0]; }
  void equations(double, auto, auto, auto M, auto f, auto g, auto G) const {
    M(0, 0) = 22;
    f[1] = 23;
    g[0] = 24;
    G(0, 1) = 25;
  }
};
struct WithMass : EquationsByHand {
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = 1.0; }
};

TEST(HandWrittenDerivatives, AreUsedTogether) {
  const auto identity = make_problem(EquationsByHand{});
  const auto with_mass = make_problem(WithMass{});
  const Vector z = Vector::LinSpaced(4, 1, 4);
  Evaluation e;
  identity->evaluate(Part::mass | Part::force | Part::position | Part::jacobian | Part::rates | Part::input,
                     Point(0, z), e);
  EXPECT_EQ(e.M, Matrix::Identity(2, 2));
  EXPECT_EQ(e.f, Eigen::Vector2d(0, 23));
  EXPECT_EQ(e.g(0), 24);
  EXPECT_EQ(e.G, Eigen::RowVector2d(0, 25));
  EXPECT_EQ(e.B, Eigen::Vector2d(0, 25));
  EXPECT_EQ(e.rates(0, 0), 100);  // G v
  Evaluation less;
  with_mass->evaluate(Part::mass | Part::position | Part::jacobian, Point(0, z), less);
  EXPECT_EQ(less.M(0, 0), 22);
  EXPECT_EQ(less.M(1, 1), 0);
  EXPECT_EQ(less.f.size(), 0);
}

// The mechanism whose functions are written by hand with shared terms gives at once what it gives one by one.
TEST(HandWrittenDerivatives, OfAndrewsAgreeWithOneAnother) {
  const auto problem = make_problem(problems::Andrews{});
  const RandomPoint p(problem->shape());
  Evaluation together, alone;
  problem->evaluate(Part::mass | Part::force | Part::position | Part::jacobian, p.point(), together);
  for (const Part part : {Part::mass, Part::force, Part::position, Part::jacobian})
    problem->evaluate(part, p.point(), alone);
  EXPECT_LT((together.M - alone.M).norm(), 1e-15 * alone.M.norm());
  EXPECT_LT((together.f - alone.f).norm(), 1e-15 * alone.f.norm());
  EXPECT_LT((together.g - alone.g).norm(), 1e-15);
  EXPECT_LT((together.G - alone.G).norm(), 1e-15 * alone.G.norm());
}

// Hand-written dynamics of order 3, with run-time sizes, with N(q) or given B: used wherever acceleration needs all of it.
struct JerkByHand {
  static constexpr int order = 3, nq = 1, ng = 1;
  void force(auto, auto, auto, auto, auto) const {}
  void constraint(auto, auto x, auto g) const { g[0] = x[0]; }
  void curvature(double, auto, auto, auto, auto c) const { c[0] = 21; }
  auto energy(auto, auto x, auto, auto) const { return x[0]; }
};
struct RunTimeDynamics {
  int nq = 2, ng = 1;
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = 2.0; }
  void force(auto, auto, auto, auto) const {}
  void constraint(auto, auto q, auto g) const { g[0] = q[0]; }
  void dynamics(double, auto, auto, auto M, auto f, auto C, auto c) const {
    M(0, 0) = M(1, 1) = 2;
    f[1] = 6;
    C(0, 0) = 1;
    c[0] = -4;
  }
};

TEST(HandWrittenDerivatives, AreUsedForEveryOrderAndSize) {
  const auto jerk = make_problem(JerkByHand{});
  EXPECT_TRUE(jerk->shape().has_energy);
  Evaluation e;
  const Vector z = Vector::Ones(3);
  jerk->evaluate(Part::curvature, Point(0, z), e);
  EXPECT_EQ(e.c(0), 21);
  const auto run_time = make_problem(RunTimeDynamics{});
  Workspace work;
  Vector a(2), lambda(1);
  ASSERT_EQ(run_time->acceleration(0, Vector::Ones(4), Vector::Zero(1), a, lambda, work), Status::ok);
  EXPECT_NEAR(a(0), 4, 1e-14);
  EXPECT_NEAR(a(1), 3, 1e-14);
}

TEST(Evaluations, MayBeUsedForSeveralProblems) {
  Evaluation e;
  Workspace work;
  for (const int n : {2, 9, 3}) {
    const auto chain = make_problem(Chain(n));
    const Vector z = Vector::LinSpaced(4 * n, 0.1, 2);
    chain->evaluate(Part::mass | Part::force | Part::jacobian, Point(0, z), e);
    EXPECT_EQ(e.M.rows(), 2 * n);
    EXPECT_EQ(e.G.rows(), n);
    Vector a(2 * n), lambda(n);
    EXPECT_EQ(chain->acceleration(0, z, Vector::Zero(n), a, lambda, work), Status::ok);
  }
}

// M must be what it is declared to be.
struct OneTriangle {
  static constexpr int nq = 2;
  bool diagonal = false;
  void mass(auto, auto, auto M) const {
    M(0, 0) = M(1, 1) = 1.0;
    M(1, 0) = 0.5;
  }
  void force(auto, auto, auto, auto) const {}
};
struct NotDiagonal {
  static constexpr int nq = 2;
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;
  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = 1.0, M(0, 1) = M(1, 0) = 0.9; }
  void force(auto, auto, auto, auto) const {}
};

TEST(MassMatrix, ContradictionsAreRefused) {
  const auto one = make_problem(OneTriangle{});
  EXPECT_TRUE(
      contains(complaint([&] { consistent_state(*one, make_state(*one, {})); }), "write both triangles"));
  const auto declared = make_problem(NotDiagonal{});
  EXPECT_TRUE(contains(complaint([&] { consistent_state(*declared, make_state(*declared, {})); }),
                       "declare another structure"));
}

// NaN in every ingredient is named.
struct NanInK {
  static constexpr int nq = 2, nk = 1;
  void force(auto, auto, auto, auto) const {}
  void velocity_constraint(auto, auto q, auto v, auto w) const {
    w[0] = v[0] + std::numeric_limits<double>::quiet_NaN() * v[1] * q[1];
  }
};
struct NanInB {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto) const {}
  void constraint(auto, auto q, auto g) const { g[0] = q[0]; }
  void input(auto, auto, auto B) const { B(1, 0) = std::numeric_limits<double>::quiet_NaN(); }
};

TEST(Explanations, NameTheIngredient) {
  const Vector z = Vector::Ones(4);
  EXPECT_TRUE(contains(make_problem(NanInK{})->explain(Status::not_finite, 0.5, z),
                       "velocity constraint Jacobian K"));
  EXPECT_TRUE(
      contains(make_problem(NanInB{})->explain(Status::not_finite, 0.5, z),
               "given B(1, 0) = nan at t = 0.5") ||
      contains(make_problem(NanInB{})->explain(Status::not_finite, 0.5, z), "given B[1] = nan at t = 0.5"));
}

// A Problem without a model: the pendulum, written as compute().
class WrittenOut final : public Problem {
 public:
  WrittenOut()
      : Problem({.nq = 2, .nv = 2, .ng = 1, .has_energy = true, .mass = linalg::MassStructure::identity}) {}

 protected:
  void compute(Parts parts, const Point& at, Evaluation& e) const override {
    const double x = at.z(0), y = at.z(1), u = at.z(2), v = at.z(3);
    if (parts.has(Part::mass)) e.M.setIdentity();
    if (parts.has(Part::force)) e.f << 0, -1;
    if (parts.has(Part::position)) e.g << (x * x + y * y - 1) / 2;
    if (parts.has(Part::jacobian)) e.G << x, y;
    if (parts.has(Part::rates)) e.rates << x * u + y * v;
    if (parts.has(Part::curvature)) e.c << u * u + v * v;
    if (parts.has(Part::rate_jacobian)) e.L[0] << u, v;
    if (parts.has(Part::energy)) e.energy = (u * u + v * v) / 2 + y;
  }
};

TEST(ProblemWithoutModel, RunsLikeAnyOther) {
  const WrittenOut problem;
  const auto instance = catalog::make_problem("pendulum");
  const Options options{.t_end = 1, .rtol = 1e-10, .atol = 1e-10};
  for (const char* formulation : {"index1", "baumgarte"}) {
    const Solution s = solve(problem, instance.start, {.formulation = formulation}, options);
    EXPECT_LT((s.final.z - instance.reference.at(1)->z).norm(), 1e-8) << formulation;
  }
}

// A model without a mass has the unit matrix, also where what else is asked for comes from its `dynamics`.
TEST(ProblemOfUnitMass, SaysSo) {
  const auto arevalo = catalog::make_problem("arevalo");
  for (const Parts others : {Parts(), Part::force | Part::jacobian | Part::curvature}) {
    Evaluation e;
    arevalo.problem->evaluate(others | Part::mass, Point(0.5, arevalo.start.z), e);
    EXPECT_EQ(e.M, Matrix::Identity(2, 2));
  }
}

TEST(ProblemSharing, TwoThreadsMaySolveTheSameProblem) {
  const auto andrews = catalog::make_problem("andrews");
  const Options options{.t_end = 0.03, .rtol = 1e-7, .atol = 1e-7};
  Vector ends[4];
  std::vector<std::thread> threads;
  for (Vector& end : ends)
    threads.emplace_back([&] { end = solve(*andrews.problem, andrews.start, {}, options).final.z; });
  for (auto& thread : threads) thread.join();
  for (const Vector& end : ends) EXPECT_EQ(end, ends[0]);
}

}  // namespace
}  // namespace driftless::tests

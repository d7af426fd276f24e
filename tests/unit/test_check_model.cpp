// Models that contradict themselves: what check_model() finds, what runs refuse, and that nothing is found
// where all is right.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

// A pendulum of unit length under weight, with everything by hand; factors other than 1 make a part wrong.
struct ByHand {
  static constexpr int nq = 2, ng = 1;
  double dynamics_weight = 9.81, jacobian_y = 1, curvature_y = 1, rate_y = 1, force_y = 1, multiplier_y = 1,
         product_y = 1;
  void mass(auto, auto q, auto M) const { M(0, 0) = 1.0, M(1, 1) = 1.0 + q[1] * q[1]; }
  void force(auto, auto q, auto v, auto f) const { f[1] = -9.81 - 0.1 * v[1] * q[1]; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
  void dynamics(double, auto q, auto v, auto M, auto f, auto C, auto c) const {
    M(0, 0) = 1, M(1, 1) = 1 + q[1] * q[1];
    f[1] = -dynamics_weight - 0.1 * v[1] * q[1];
    C(0, 0) = q[0], C(0, 1) = q[1];
    c[0] = v[0] * v[0] + v[1] * v[1];
  }
  void jacobian(double, auto q, auto G) const { G(0, 0) = q[0], G(0, 1) = jacobian_y * q[1]; }
  void curvature(double, auto, auto v, auto c) const { c[0] = v[0] * v[0] + curvature_y * v[1] * v[1]; }
  void rate_jacobian(double, auto, auto v, auto L) const { L(0, 0) = v[0], L(0, 1) = rate_y * v[1]; }
  void force_jacobian(double, auto q, auto v, auto f_q, auto f_v) const {
    f_q(1, 1) = -0.1 * v[1], f_v(1, 1) = -0.1 * force_y * q[1];
  }
  void mass_product_jacobian(double, auto q, auto a, auto out) const {
    out(1, 1) = product_y * 2 * q[1] * a[1];
  }
  void multiplier_jacobian(double, auto, auto lambda, auto out) const {
    out(0, 0) = lambda[0], out(1, 1) = multiplier_y * lambda[0];
  }
};

State swinging(const Problem& problem) {
  return make_state(problem, {{-0.8, -0.6}, {0.6, -0.8}});
}

std::vector<ModelFinding> findings(const ByHand& model) {
  const auto problem = make_problem(model);
  return check_model(*problem, swinging(*problem));
}

void expect_one(const ByHand& model, const std::string& part, int row, int column, double given,
                double expected) {
  const auto found = findings(model);
  ASSERT_EQ(found.size(), 1u) << part;
  EXPECT_EQ(found[0].part, part);
  EXPECT_EQ(found[0].row, row) << part;
  EXPECT_EQ(found[0].column, column) << part;
  EXPECT_NEAR(found[0].given, given, 1e-12) << part;
  EXPECT_NEAR(found[0].expected, expected, 1e-8) << part;
  EXPECT_TRUE(contains(found[0].text, "`" + part + "`")) << found[0].text;
}

TEST(CheckModel, FindsNothingWhereAllAgrees) {
  EXPECT_TRUE(findings({}).empty());
}

TEST(CheckModel, NamesPartEntryAndBothValues) {
  expect_one({.dynamics_weight = 9}, "dynamics", 1, -1, -9 - 0.048, -9.81 - 0.048);
  expect_one({.jacobian_y = -1}, "jacobian", 0, 1, 0.6, -0.6);
  expect_one({.curvature_y = 2}, "curvature", 0, -1, 0.36 + 1.28, 1);
  expect_one({.rate_y = 0.5}, "rate_jacobian", 0, 1, -0.4, -0.8);
  expect_one({.force_y = -1}, "force_jacobian", 1, 3, -0.06, 0.06);
  const auto multiplier = findings({.multiplier_y = 0});
  ASSERT_EQ(multiplier.size(), 1u);
  EXPECT_EQ(multiplier[0].part, "multiplier_jacobian");
  EXPECT_EQ(multiplier[0].given, 0);
  const auto product = findings({.product_y = 0.5});
  ASSERT_EQ(product.size(), 1u);
  EXPECT_EQ(product[0].part, "mass_product_jacobian");
  EXPECT_NEAR(product[0].given / product[0].expected, 0.5, 1e-8);
}

// Off by 1e-7 is no contradiction, off by 1e-4 is.
TEST(CheckModel, ForgivesRoundingOnly) {
  EXPECT_TRUE(findings({.dynamics_weight = 9.81 * (1 + 1e-7)}).empty());
  EXPECT_EQ(findings({.dynamics_weight = 9.81 * (1 + 1e-4)}).size(), 1u);
}

struct Bent {  // w is not linear in v
  static constexpr int nq = 2, nk = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -1; }
  void velocity_constraint(auto, auto q, auto v, auto w) const { w[0] = v[0] * v[0] - q[1] * v[1]; }
};

TEST(CheckModel, WantsVelocityConstraintsLinear) {
  const auto problem = make_problem(Bent{});
  const auto found = check_model(*problem, make_state(*problem, {{1, 2}, {2, 2}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].part, "velocity_constraint");
  EXPECT_TRUE(contains(found[0].text, "w[0]")) << found[0].text;
}

std::string refusal(const Problem& problem, const State& start, const char* formulation) {
  return complaint([&] { solve(problem, start, {.formulation = formulation}, {.t_end = 1}); });
}

TEST(ModelsInRuns, AreRefusedWhereTheyContradictThemselves) {
  for (const char* formulation : {"index1", "ggl", "state-space"}) {
    const auto dynamics = make_problem(ByHand{.dynamics_weight = 9});
    std::string text = refusal(*dynamics, swinging(*dynamics), formulation);
    EXPECT_TRUE(contains(text, "`dynamics` gives f[1] = -9.048 and `force` -9.858")) << text;
    const auto jacobian = make_problem(ByHand{.jacobian_y = -1});
    text = refusal(*jacobian, swinging(*jacobian), formulation);
    EXPECT_TRUE(contains(text, "`jacobian` gives G(0, 1) = 0.6") && contains(text, "g[0]")) << text;
  }
}

// Nothing is wrong at the start, where y = 0 and v = 0 hide it; the first steps show it, or, where there are
// none, the end.
TEST(ModelsInRuns, EndWhereAContradictionShows) {
  for (const ByHand& model : {ByHand{.jacobian_y = -1}, ByHand{.curvature_y = 3}}) {
    const auto problem = make_problem(model);
    const State start = make_state(*problem, {{-1, 0}, {0, 0}});
    EXPECT_TRUE(check_model(*problem, start).empty());
    for (const char* formulation : {"index1", "ggl"}) {
      const Solution s = solve(*problem, start, {.formulation = formulation}, {.t_end = 1});
      EXPECT_EQ(s.end, EndReason::contradiction) << s.end_message;
      EXPECT_TRUE(contains(s.end_message, "the model contradicts itself")) << s.end_message;
      EXPECT_LT(s.work.steps + s.work.rejected, 500);
    }
  }
}

// The pivot begins to move at t = 1.
struct Late {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto t, auto q, auto g) const {
    const auto s = t > 1.0 ? (t - 1.0) * (t - 1.0) * (t - 1.0) * 0.1 : t * 0.0;
    const auto x = q[0] - s;
    g[0] = (x * x + q[1] * q[1] - 1.0) / 2.0;
  }
};
struct DeclaredLate : Late {
  static constexpr bool moving = true;
};

TEST(ModelsInRuns, MustDeclareConstraintsThatMoveLater) {
  const auto late = make_problem(Late{});
  const State start = make_state(*late, {{0.1, -1}, {0, 0}});
  for (const char* formulation : {"index1", "ggl", "state-space"}) {
    const std::string text = refusal(*late, start, formulation);
    EXPECT_TRUE(contains(text, "g[0]") && contains(text, "declare `moving = true`")) << text;
  }
  // Declared, two formulations agree on the motion.
  const auto declared = make_problem(DeclaredLate{});
  const Options options{.t_end = 3, .rtol = 1e-9, .atol = 1e-9};
  const Solution a = solve(*declared, start, {.formulation = "index1"}, options),
                 b = solve(*declared, start, {.formulation = "ggl"}, options);
  EXPECT_LT((a.final.z - b.final.z).cwiseAbs().maxCoeff(), 1e-6);
}

// Where the state decides whether t enters, the run finds out: y rises above -0.5 at about t = 0.36.
struct Gate {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto t, auto q, auto g) const {
    const auto above = q[1] + 0.5;
    const auto s = above > 0.0 ? above * above * above * t : 0.0 * t;
    const auto x = q[0] - s;
    g[0] = (x * x + q[1] * q[1] - 1.0) / 2.0;
  }
};
// And a Problem written without a model, which nothing is known of.
class LateWrittenOut final : public Problem {
 public:
  LateWrittenOut() : Problem({.nq = 2, .nv = 2, .ng = 1, .mass = linalg::MassStructure::identity}) {}

 protected:
  void compute(Parts parts, const Point& at, Evaluation& e) const override {
    const double late = std::max(at.t - 0.4, 0.0), s = 0.1 * late * late * late, rate = 0.3 * late * late;
    const double x = at.z(0) - s, y = at.z(1), u = at.z(2) - rate, v = at.z(3);
    if (parts.has(Part::mass)) e.M.setIdentity();
    if (parts.has(Part::force)) e.f << 0, -9.81;
    if (parts.has(Part::position)) e.g << (x * x + y * y - 1) / 2;
    if (parts.has(Part::jacobian)) e.G << x, y;
    if (parts.has(Part::rates)) e.rates << x * u + y * v;
    if (parts.has(Part::curvature)) e.c << u * u + v * v - x * 0.6 * late;
    if (parts.has(Part::rate_jacobian)) e.L[0] << u, v;
  }
};

TEST(ModelsInRuns, EndWhereAConstraintMovesUndeclared) {
  const auto gate = make_problem(Gate{});
  const Solution s = solve(*gate, make_state(*gate, {{0, -1}, {3.6, 0}}), {}, {.t_end = 2});
  EXPECT_EQ(s.end, EndReason::contradiction);
  EXPECT_TRUE(contains(s.end_message, "g[0] moves") && contains(s.end_message, "declare `moving = true`"))
      << s.end_message;
  EXPECT_LT(s.final.t, 0.6);

  const LateWrittenOut late;
  const Solution w = solve(late, make_state(late, {{0, -1}, {1, 0}}), {}, {.t_end = 2});
  EXPECT_EQ(w.end, EndReason::contradiction) << w.end_message;
  EXPECT_GT(w.final.t, 0.4);
  EXPECT_LT(w.final.t, 0.7);
}

// Hand-written parts of the catalog, along motions: no alarm, and the one-step checks of a run agree.
TEST(ModelsInRuns, NamedProblemsAgreeWithThemselves) {
  for (const auto& [name, entry] : catalog::problem_table()) {
    const ProblemInstance instance = catalog::make_problem(name);
    EXPECT_TRUE(check_model(*instance.problem, instance.start).empty()) << name;
    const State start = consistent_state(*instance.problem, instance.start).state;
    const double span = std::min(instance.t_end - start.t, 0.2 * (instance.t_end - start.t) + 1e-3);
    struct Everywhere : Observer {
      const Problem* problem = nullptr;
      std::string what;
      void step(const AcceptedStep& s) override {
        if (s.to.t == s.from.t || !what.empty() || ++steps % 16 != 1) return;
        for (const auto& found : check_model(*problem, s.to)) what += found.text + "\n";
      }
      int steps = 0;
    } everywhere;
    everywhere.problem = instance.problem.get();
    const Solution s =
        solve(*instance.problem, start, {}, {.t_end = start.t + span, .max_steps = 300}, {&everywhere});
    EXPECT_TRUE(everywhere.what.empty()) << name << ": " << everywhere.what;
    EXPECT_NE(s.end, EndReason::contradiction) << name << ": " << s.end_message;
  }
}

}  // namespace
}  // namespace driftless::tests

// Multipliers that are shown belong to the state beside which they are shown: at steps, the first ones
// included, at output times between them, at events, at the end, and where a run is taken up again; for
// every formulation, with an integrator of each family. What they are to be is computed here: lambda and
// kappa of  M a = f - B lambda - K^T kappa,  G a + c = r,  K a + ck = r.
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/methods.hpp"

namespace driftless::tests {
namespace {

constexpr double gamma_ = 3;  // of baumgarte

// r = - sum of gains g^(j), and -gamma w.
enum class Feedback {
  none,
  powers,
  taylor
};  // of (d/dt + gamma)^m g = 0; m!/j! gamma^(m-j), as in the papers on regularization

struct Law {
  std::string formulation;
  Feedback feedback = Feedback::none;
  double softened = 0;  // by how much of themselves, by an epsilon or an iteration that ends
};

// How a failing test is named.
void PrintTo(const Law& law, std::ostream* out) {
  *out << law.formulation;
}

Vector feedback(const Problem& problem, const State& state, Feedback kind) {
  const Shape& shape = problem.shape();
  Vector r = Vector::Zero(shape.multipliers());
  if (kind == Feedback::none) return r;
  Evaluation e;
  Parts parts = Part::position | Part::rates;
  if (shape.nk > 0) parts = parts | Part::velocity;
  problem.evaluate(parts, Point(state.t, state.z), e);
  const int m = shape.order;
  for (int j = 0; j < m; ++j) {  // of g^(j)
    double gain = std::tgamma(m + 1) / std::tgamma(j + 1) * std::pow(gamma_, m - j);
    if (kind == Feedback::powers) gain /= std::tgamma(m - j + 1);
    r.head(shape.ng) -= gain * (j == 0 ? Vector(e.g) : Vector(e.rates.col(j - 1)));
  }
  if (shape.nk > 0) r.tail(shape.nk) -= gamma_ * e.w;
  return r;
}

void expect_law(const Problem& problem, const State& state, const Law& law, const std::string& where) {
  const Shape& shape = problem.shape();
  Workspace workspace;
  const Vector r = feedback(problem, state, law.feedback);
  Vector a(shape.nv), expected(r.size());
  ASSERT_EQ(problem.acceleration(state.t, state.z, r, a, expected, workspace), Status::ok) << where;
  Vector shown(shape.multipliers());
  shown << state.lambda, state.kappa;
  const double limit = (1e-10 + law.softened) * (1 + expected.norm());
  EXPECT_LE((shown - expected).norm(), limit) << where << " at t = " << state.t;
}

void expect_law(const Problem& problem, const Solution& s, const Law& law, const std::string& what) {
  for (const State& state : s.states) expect_law(problem, state, law, what);
  for (const EventRecord& event : s.events) expect_law(problem, event.state, law, what + " event");
  expect_law(problem, s.final, law, what + " end");
}

class ShownMultipliers : public testing::TestWithParam<std::tuple<Law, std::string>> {};

TEST_P(ShownMultipliers, BelongToTheState) {
  const auto& [law, integrator] = GetParam();
  int ran = 0;
  for (const ShapeCase& c : shape_cases()) {
    if (c.problem->shape().multipliers() == 0) continue;
    const double end = c.t_end / 4;
    Options options{.t_end = end};
    if (catalog::integrator(integrator).traits.error_estimate)
      options.rtol = options.atol = 1e-4;
    else
      options.step = end / 16;
    options.events = {{.name = "clock", .value = [=](const State& s) { return s.t - 0.37 * end; }}};
    const Method method{.formulation = law.formulation, .integrator = integrator, .stabilizer = "none"};
    const std::string what = law.formulation + " " + integrator + " on " + c.name;
    Solution steps, between, rest;
    try {
      steps = solve(*c.problem, c.start, method, options);
      options.output = {.kind = Output::Kind::every, .interval = end / 23};
      between = solve(*c.problem, c.start, method, options);
      options.resume = between.checkpoint;
      options.output = {};
      options.t_end = 1.3 * end;
      rest = solve(*c.problem, c.start, method, options);
    } catch (const InputError&) {
      continue;  // refused: the combination table's matter
    }
    ++ran;
    ASSERT_TRUE(steps.complete() && between.complete() && rest.complete()) << what << steps.end_message;
    EXPECT_FALSE(steps.events.empty()) << what;
    expect_law(*c.problem, steps, law, what);
    expect_law(*c.problem, between, law, what + " between steps");
    expect_law(*c.problem, rest, law, what + " taken up again");
  }
  if (ran == 0) GTEST_SKIP() << "refused for every shape of problem";
}

// Every formulation of the catalog; those that bound multipliers with an epsilon chosen here.
std::vector<Law> laws() {
  std::vector<Law> all;
  for (const auto& row : catalog::formulation_table()) {
    const auto has = [&](const char* option) {
      return std::any_of(row.entry.options.begin(), row.entry.options.end(),
                         [&](const OptionSpec& spec) { return spec.name == option; });
    };
    Law law{.formulation = row.name};
    if (row.name == "baumgarte" || has("penalty"))
      law = {.formulation = row.name + ":gamma=3", .feedback = Feedback::powers};
    if (has("epsilon")) law = {.formulation = row.name + ":gamma=3", .feedback = Feedback::taylor};
    if (has("epsilon") || has("penalty")) law.softened = 1e-6;
    all.push_back(law);
  }
  all.push_back({.formulation = "baumgarte:gamma=3,form=coupled", .feedback = Feedback::powers});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, ShownMultipliers,
                         testing::Combine(testing::ValuesIn(laws()),
                                          testing::Values("dopri5", "ab3", "backward-euler", "bdf", "radau5",
                                                          "half-explicit", "rattle", "generalized-alpha")),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param).formulation + "_" + std::get<1>(c.param));
                         });

}  // namespace
}  // namespace driftless::tests

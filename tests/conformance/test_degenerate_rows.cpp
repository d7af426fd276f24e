// Every formulation with integrators of all families and every stabilizer where there is little or nothing to
// constrain: no rows, one row, velocity rows alone, rows that say the same twice, rows that are always met.
// And every formulation on every named problem. Each runs and is right, or is refused, or ends early with a
// sentence; nothing else is thrown, nothing crashes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "conformance/methods.hpp"
#include "support/models.hpp"

namespace driftless::tests {
namespace {

constexpr double g0 = 9.81;

// Two coupled springs, no rows.
struct Springs {
  static constexpr int nq = 2;
  void mass(auto, auto, auto M) const { M(0, 0) = 2.0, M(1, 1) = 1.0; }
  void force(auto, auto q, auto, auto f) const { f[0] = q[1] - 3.0 * q[0], f[1] = q[0] - q[1]; }
  auto energy(auto, auto q, auto v) const {
    return v[0] * v[0] + v[1] * v[1] / 2.0 + (2.0 * q[0] * q[0] + (q[1] - q[0]) * (q[1] - q[0])) / 2.0;
  }
};
struct Nothing : Springs {  // sizes that are declared and zero
  static constexpr int ng = 0, nk = 0;
  void constraint(auto, auto, auto) const {}
  void velocity_constraint(auto, auto, auto, auto) const {}
};

struct OneRow {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -g0; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
  auto energy(auto, auto q, auto v) const { return (v[0] * v[0] + v[1] * v[1]) / 2.0 + g0 * q[1]; }
};
struct TwiceTheRow : OneRow {
  static constexpr int ng = 2;
  void constraint(auto t, auto q, auto g) const {
    OneRow::constraint(t, q, g);
    g[1] = 2.0 * g[0];
  }
};
struct RowAlwaysMet : OneRow {
  static constexpr int ng = 2;
  void constraint(auto t, auto q, auto g) const {
    OneRow::constraint(t, q, g);
    g[1] = 0.0 * q[0];
  }
};
struct OnlyRowsAlwaysMet : Springs {
  static constexpr int ng = 1;
  void constraint(auto, auto q, auto g) const { g[0] = 0.0 * q[0]; }
};
struct TwiceTheKnife : Sleigh {
  static constexpr int nk = 2;
  static constexpr std::array<const char*, 2> constraint_names{"knife", "knife again"};
  void velocity_constraint(auto t, auto q, auto v, auto w) const {
    Sleigh::velocity_constraint(t, q, v, w);
    w[1] = -w[0];
  }
};

struct Case {
  std::string name;
  std::shared_ptr<const Problem> problem, simple;  // the same motion without what is peculiar
  std::vector<double> z;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    const std::vector<double> springs = {0.3, -0.2, 0, 1}, pendulum = {0.6, -0.8, 0.8, 0.6};
    std::vector<double> sleigh = {0, 0, 0.2, 0, 0, 1};
    const auto free = make_problem(Springs{});
    const auto one = make_problem(OneRow{});
    const auto knife = make_problem(Sleigh{});
    return std::vector<Case>{{"no_rows", free, free, springs},
                             {"zero_sizes", make_problem(Nothing{}), free, springs},
                             {"one_row", one, one, pendulum},
                             {"velocity_rows_only", knife, knife, sleigh},
                             {"twice", make_problem(TwiceTheRow{}), one, pendulum},
                             {"one_always_met", make_problem(RowAlwaysMet{}), one, pendulum},
                             {"only_always_met", make_problem(OnlyRowsAlwaysMet{}), free, springs},
                             {"velocity_rows_twice", make_problem(TwiceTheKnife{}), knife, sleigh}};
  }();
  return all;
}

// A sentence that somebody can act upon.
void expect_sentence(const std::string& text, const std::string& what) {
  EXPECT_GT(text.size(), 20u) << what;
  EXPECT_TRUE(contains(text, ";") || contains(text, "use ")) << what << ": " << text;
  EXPECT_FALSE(contains(text, "nan of") || contains(text, "  ")) << what << ": " << text;
}

class DegenerateRows : public testing::TestWithParam<std::string> {};

TEST_P(DegenerateRows, RunRightOrSayWhyNot) {
  const auto c =
      *std::find_if(cases().begin(), cases().end(), [&](const Case& x) { return x.name == GetParam(); });
  constexpr double t_end = 0.2;
  const State start = consistent_state(*c.simple, state_of(*c.simple, c.z)).state;
  const Solution exact =
      solve(*c.simple, start, {.formulation = "index1"}, {.t_end = t_end, .rtol = 1e-11, .atol = 1e-11});
  ASSERT_TRUE(exact.complete());
  std::vector<double> z(start.z.data(), start.z.data() + start.z.size());
  const State begin = state_of(*c.problem, z);
  int right = 0, early = 0, refused = 0;
  const auto try_one = [&](const std::string& formulation, const std::string& integrator,
                           const std::string& stabilizer, Options options) {
    const std::string what = formulation + " " + integrator + " " + stabilizer + " on " + c.name;
    try {
      const Solution s =
          solve(*c.problem, begin,
                {.formulation = formulation, .integrator = integrator, .stabilizer = stabilizer}, options);
      if (!s.complete()) {
        ++early;
        return expect_sentence(s.end_message, what);
      }
      ++right;
      const double limit = contains(integrator, "euler") ? 1e-2 : 2e-3;  // of order 1: about h t times a jerk
      EXPECT_LT((s.final.z - exact.final.z).cwiseAbs().maxCoeff(), limit) << what;
      EXPECT_TRUE(s.final.lambda.allFinite() && s.final.kappa.allFinite()) << what;
    } catch (const InputError& refusal) {
      ++refused;
      expect_sentence(refusal.what(), what);
    }
  };
  const Options by_error{.t_end = t_end, .rtol = 1e-6, .atol = 1e-6};
  const Options by_step{.t_end = t_end, .step = 0.005};
  for (const std::string& formulation : names_of(catalog::formulation_table())) {
    for (const std::string& stabilizer : names_of(catalog::stabilizer_table()))
      for (const char* integrator : {"dopri5", "bdf", "radau5", "generalized-alpha"})
        try_one(formulation, integrator, stabilizer, by_error);
    for (const char* integrator : {"dop853"}) try_one(formulation, integrator, "", by_error);
    for (const char* integrator :
         {"rk4", "ab3", "backward-euler:iterations=20", "implicit-midpoint", "half-explicit", "rattle"})
      try_one(formulation, integrator, "", by_step);
  }
  EXPECT_GT(right, 60);
  RecordProperty("right", right), RecordProperty("early", early), RecordProperty("refused", refused);
}

INSTANTIATE_TEST_SUITE_P(Cases, DegenerateRows,
                         testing::Values("no_rows", "zero_sizes", "one_row", "velocity_rows_only", "twice",
                                         "one_always_met", "only_always_met", "velocity_rows_twice"),
                         [](const auto& c) { return c.param; });

// A few steps each, with every family that the formulation takes.
TEST(EveryFormulationOnEveryProblem, RunsOrSaysWhyNot) {
  for (const std::string& name : names_of(catalog::problem_table())) {
    const ProblemInstance instance = catalog::make_problem(name);
    for (const std::string& formulation : names_of(catalog::formulation_table()))
      for (const char* integrator : {"dop853", "bdf", "generalized-alpha"}) {
        const std::string what = formulation + " " + integrator + " on " + name;
        try {
          const Solution s =
              solve(*instance.problem, instance.start, {.formulation = formulation, .integrator = integrator},
                    {.t_end = instance.t_end, .max_steps = 30});
          if (!s.complete() && s.end != EndReason::max_steps) expect_sentence(s.end_message, what);
          EXPECT_NE(s.end, EndReason::exception) << what << ": " << s.end_message;
          EXPECT_TRUE(s.final.z.allFinite()) << what;
        } catch (const InputError& refusal) {
          expect_sentence(refusal.what(), what);
        }
      }
  }
}

// What the stiff governor, which has no rows, does to an explicit method: its damper makes the first trial
// states overflow.
TEST(EveryFormulationOnEveryProblem, PenaltiesWithoutRowsRunToo) {
  const ProblemInstance flyball = catalog::make_problem("flyball");
  const Options options{.t_end = flyball.start.t + 0.1};
  const Solution plain = solve(*flyball.problem, flyball.start, {.integrator = "dop853"}, options),
                 penalties = solve(*flyball.problem, flyball.start,
                                   {.formulation = "augmented-lagrangian", .integrator = "dop853"}, options);
  EXPECT_TRUE(penalties.complete()) << penalties.end_message;
  EXPECT_LT((plain.final.z - penalties.final.z).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace driftless::tests

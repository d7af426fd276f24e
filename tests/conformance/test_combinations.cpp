// The combination table: every formulation x integrator x stabilizer x controller x control x shape of problem
// either runs or is refused with a reason, as combinations.txt says; and every method of the catalog stands in
// the table.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

struct Table {
  std::map<std::string, std::vector<std::string>> kinds;
  std::map<std::pair<std::string, std::string>, std::string> refused;  // both orders of a pair
};

using Groups = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> members(const Groups& groups, const std::string& name) {
  if (name[0] != '@') return {name};
  EXPECT_TRUE(groups.contains(name)) << name << " is no group";
  return groups.at(name);
}

Table read_table() {
  std::ifstream file(DRIFTLESS_SOURCE_DIR "/tests/conformance/combinations.txt");
  EXPECT_TRUE(file) << "the table is missing";
  Table table;
  Groups groups;
  std::string line, section;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      section = line;
      continue;
    }
    const auto colon = line.find(" : ");
    std::istringstream words(line.substr(0, colon));
    if (section == "[kinds]") {
      std::string kind, name;
      words >> kind;
      while (words >> name) table.kinds[kind].push_back(name);
    } else if (section == "[groups]") {
      std::string group, name;
      words >> group;
      while (words >> name) groups[group].push_back(name);
    } else {
      std::string a, times, b;
      words >> a >> times >> b;
      const std::string reason = line.substr(colon + 3);
      for (const std::string& one : members(groups, a))
        for (const std::string& other : members(groups, b))
          table.refused[{one, other}] = table.refused[{other, one}] = reason;
    }
  }
  return table;
}

const Table& table() {
  static const Table t = read_table();
  return t;
}

std::string base(const std::string& text) {
  return text.substr(0, text.find(':'));
}

std::set<std::string> bases(const std::string& kind) {
  std::set<std::string> names;
  for (const auto& text : table().kinds.at(kind)) names.insert(base(text));
  return names;
}

template <class Entry>
std::set<std::string> names_in(const std::vector<Named<Entry>>& rows) {
  std::set<std::string> names;
  for (const auto& row : rows) names.insert(row.name);
  return names;
}

TEST(Combinations, EveryMethodStandsInTheTableAndNoOther) {
  EXPECT_EQ(bases("formulation"), names_in(catalog::formulation_table()));
  EXPECT_EQ(bases("integrator"), names_in(catalog::integrator_table()));
  EXPECT_EQ(bases("stabilizer"), names_in(catalog::stabilizer_table()));
  EXPECT_EQ(bases("controller"), names_in(catalog::controller_table()));
  std::set<std::string> controls = names_in(catalog::control_table());
  controls.insert("no-control");
  EXPECT_EQ(bases("control"), controls);
  std::set<std::string> shapes, in_table(table().kinds.at("shape").begin(), table().kinds.at("shape").end());
  for (const auto& c : shape_cases()) shapes.insert(c.name);
  EXPECT_EQ(in_table, shapes);
  // Every F and every other choice of every stabilizer, the default one without being named. The papers' unit of time is for some F only.
  for (const auto& row : catalog::stabilizer_table())
    for (const auto& option : row.entry.options)
      for (const auto& choice : option.choices) {
        if (option.name == "time") continue;
        const std::string text =
            choice == option.fallback ? row.name : row.name + ":" + option.name + "=" + choice;
        const auto& listed = table().kinds.at("stabilizer");
        EXPECT_TRUE(std::find(listed.begin(), listed.end(), text) != listed.end())
            << text << " is not in the table";
      }
}

// The reason for which the table refuses a combination, or nothing.
std::vector<std::string> expected_refusals(const std::vector<std::string>& parts) {
  const std::string& shape = parts.back();
  const bool constrained = shape != "unconstrained",
             high_positions = constrained && shape != "order-1" && shape != "nonholonomic";
  const std::map<std::string, bool> conditions = {
      {"where constrained: ", constrained},
      {"where positions of order above 1: ", high_positions},
      {"where index3 has positions: ", parts.front() == "index3" && high_positions}};
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size(); ++j)
      if (const auto found = table().refused.find({parts[i], parts[j]}); found != table().refused.end()) {
        std::string reason = found->second;
        bool holds = true;
        for (const auto& [condition, met] : conditions)
          if (reason.starts_with(condition)) {
            reason = reason.substr(condition.size());
            holds = met;
          }
        if (holds) reasons.push_back(reason);
      }
  return reasons;
}

// Controllers and controls do not see how stabilizers and formulations are varied by options: one integrator tries them all, the
// others vary one thing at a time.
bool tried(const std::string& f, const std::string& i, const std::string& s, const std::string& controller,
           const std::string& control) {
  const bool plain_methods = f == base(f) && s == base(s),
             plain_rest = control == "no-control" && (controller == "pi" || controller == "fixed");
#ifdef __SANITIZE_ADDRESS__  // twenty times slower: one thing at a time
  const bool by_pi = controller == "pi", alone = control == "no-control";
  if (i != "dopri5") return plain_methods && by_pi && alone;
  return alone && by_pi ? true : plain_methods && (alone || by_pi);
#endif
  return plain_methods || plain_rest || i == "dopri5";
}

class CombinationsOf : public testing::TestWithParam<std::string> {};

TEST_P(CombinationsOf, RunOrAreRefusedAsTheTableSays) {
  const ShapeCase& c = shape_case(GetParam());
  int ran = 0, refused = 0;
  const auto try_one = [&](const std::string& f, const std::string& i, const std::string& s,
                           const std::string& controller, const std::string& control) {
    const std::string what = f + " " + i + " " + s + " " + controller + " " + control + " on " + c.name;
    Method method{.formulation = f, .integrator = i, .stabilizer = s, .controller = controller};
    if (control != "no-control") method.controls = {control};
    Options options{.t_end = 0.02};
    if (controller == "fixed") options.step = 0.002;
    const auto reasons = expected_refusals({f, i, s, controller, control, c.name});
    std::string said;
    try {
      const Solution solution = solve(*c.problem, c.start, method, options);
      EXPECT_TRUE(reasons.empty()) << what << " ran, but the table refuses it: "
                                   << (reasons.empty() ? "" : reasons[0]);
      EXPECT_TRUE(solution.complete()) << what << ": " << solution.end_message;
      EXPECT_TRUE(solution.final.z.allFinite()) << what;
      if (solution.drift) {
        EXPECT_LT(solution.drift->position, 1e-2) << what;
      }
      ++ran;
      return;
    } catch (const InputError& error) {
      said = error.what();
    }
    ++refused;
    const bool named = std::any_of(reasons.begin(), reasons.end(),
                                   [&](const auto& r) { return said.find(r) != std::string::npos; });
    EXPECT_TRUE(named) << what << " was refused with: " << said;
    EXPECT_NE(said.find("use "), std::string::npos) << "a refusal says what to use instead: " << said;
  };
  for (const auto& f : table().kinds.at("formulation"))
    for (const auto& i : table().kinds.at("integrator"))
      for (const auto& s : table().kinds.at("stabilizer"))
        for (const auto& controller : table().kinds.at("controller"))
          for (const auto& control : table().kinds.at("control"))
            if (tried(f, i, s, controller, control)) try_one(f, i, s, controller, control);
  EXPECT_GT(ran, 0);
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CombinationsOf,
                         testing::Values("mechanical", "time-dependent", "nonholonomic", "both-constraints",
                                         "quaternions", "order-1", "order-3", "unconstrained"),
                         [](const auto& c) {
                           std::string name = c.param;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

// Refusals that concern the options of a run.
TEST(Refusals, OfRunOptions) {
  const ShapeCase& c = shape_case("mechanical");
  const auto says = [&](const Method& method, const Options& options) {
    return complaint([&] { solve(*c.problem, c.start, method, options); });
  };
  const auto expect = [&](const std::string& text, const std::string& piece) {
    EXPECT_NE(text.find(piece), std::string::npos) << text;
  };
  expect(says({.integrator = "rk4"}, {.t_end = 1}),
         "rk4 has no error estimate, so that it cannot choose its steps; give `step = H`, or use ");
  expect(says({.integrator = "rk4"}, {.t_end = 1}), "dop853 or dopri5");
  expect(says({.controller = "fixed"}, {.t_end = 1}), "fixed needs the step; give `step = H`");
  expect(says({.controller = "pi"}, {.t_end = 1, .step = 0.1}), "`step` would be ignored");
  expect(says({}, {.t_end = 1, .step = 0.1, .rtol = 1e-3}), "`rtol` and `atol` would be ignored");
  expect(says({}, {.t_end = 1, .step = 0.1, .h0 = 0.1}), "`h0` would be ignored");
  expect(says({}, {.t_end = 1, .step = 0.1, .hmax = 0.01}), "larger than `hmax`");
  expect(says({}, {.t_end = 1, .step = 1e-9}), "takes 1e+09 steps (limit 10000000)");
  expect(says({}, {.t_end = -1}), "`t_end` is -1 (must not lie before the start, 0)");
  expect(says({}, {.t_end = std::nan("")}), "`t_end` is nan");
  expect(says({}, {.t_end = 1, .rtol = -1e-6}), "`rtol` is -1e-06 (must be a number above 0)");
  expect(says({}, {.t_end = 1, .atol = 0}), "`atol` is 0 (must be a number above 0)");
  expect(says({}, {.t_end = 1, .rtol = 2}), "`rtol` is 2 (must be below 1)");
  expect(says({}, {.t_end = 1, .step = -0.1}), "`step` is -0.1");
  expect(says({}, {.t_end = 1, .h0 = std::numeric_limits<double>::infinity()}), "`h0` is inf");
  expect(says({}, {.t_end = 1, .max_steps = 0}), "`max_steps` is 0 (at least 1)");
  expect(says({.formulation = "baumgart"}, {.t_end = 1}),
         "there is no formulation 'baumgart'; known: augmented-lagrangian, baumgarte, ");
  expect(says({.formulation = "baumgart"}, {.t_end = 1}), " (did you mean baumgarte or index2-baumgarte?)");
  expect(says({.integrator = "dopri"}, {.t_end = 1}), "did you mean dopri5?");
  expect(says({.stabilizer = "projecton"}, {.t_end = 1}), "did you mean projection?");
  expect(says({.controls = {"energy"}}, {.t_end = 1}), "there is no control 'energy'");
  expect(says({.controls = {"energy-descent"}}, {.t_end = 1}),
         "energy-descent has no gain; use gain=auto, or mu_v");
  expect(says({.controls = {"energy-descent:mu_v=1", "energy-baumgarte"}}, {.t_end = 1}),
         "energy-baumgarte: another control steers the energy already; use one of them");
  expect(says({.formulation = "invariant-stabilized:invariants=energy"}, {.t_end = 1}),
         "F=full or F=transpose only; use one of these");
  expect(says({.formulation = "invariant-stabilized:F=split,form=integral"}, {.t_end = 1}),
         "H F = I is needed (1.13); use F=full");
  expect(says({.controller = "fixd"}, {.t_end = 1}), "did you mean fixed?");
  expect(says({.formulation = "baumgarte:gamma=1,alpha=2"}, {.t_end = 1}),
         "gamma, or roots, or alpha and beta; leave the others out");
  expect(says({.formulation = "baumgarte:alpha=2"}, {.t_end = 1}), "give beta too");
  expect(says({.stabilizer = "none", .controller = "pi:error=tangential"}, {.t_end = 1}),
         "none removes nothing of it; use error=whole");
  expect(says({}, {.t_end = 1, .h0 = 1e-300}), "`h0` is 1e-300 (must be above");
  expect(says({.formulation = "index1:gamma=1"}, {.t_end = 1}), "index1 has no option 'gamma'; it has none");
}

}  // namespace
}  // namespace driftless::tests

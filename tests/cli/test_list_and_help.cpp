// list, --help and --version tell what the catalog knows, in 80 columns.
#include <algorithm>

#include "program.hpp"

#include <driftless/catalog/catalog.hpp>
#include <driftless/mechanics/force.hpp>
#include <driftless/version.hpp>

namespace driftless::cli {
namespace {

using ListAndHelp = Program;

using Kinds = std::vector<std::pair<std::string, std::vector<Words>>>;

// Name and option names of everything that a run may be told, by kind.
Kinds everything_of_run() {
  Kinds kinds;
  const auto add = [&](const char* kind, const auto& table, auto options) {
    kinds.push_back({kind, {}});
    for (const auto& row : table) {
      Words words = {row.name};
      for (const OptionSpec& option : row.entry.*options) words.push_back(option.name);
      kinds.back().second.push_back(words);
    }
  };
  add("problems", catalog::problem_table(), &ProblemEntry::parameters);
  add("formulations", catalog::formulation_table(), &FormulationEntry::options);
  add("integrators", catalog::integrator_table(), &IntegratorEntry::options);
  add("stabilizers", catalog::stabilizer_table(), &StabilizerEntry::options);
  add("controls", catalog::control_table(), &ControlEntry::options);
  add("controllers", catalog::controller_table(), &ControllerEntry::options);
  return kinds;
}

// And of what mechanisms are made of.
Kinds everything() {
  Kinds kinds = everything_of_run();
  const auto add = [&](const char* kind, const auto& table) {
    kinds.push_back({kind, {}});
    for (const auto& row : table) {
      Words words = {row.name};
      for (const auto& setting : row.entry.settings) words.push_back(setting.name);
      kinds.back().second.push_back(words);
    }
  };
  add("joints", mechanics::joint_table());
  add("forces", mechanics::force_table());
  return kinds;
}

void expect_narrow(const std::string& text) {
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(ListAndHelp, ListNamesEverything) {
  const Outcome outcome = run({"list"});
  EXPECT_EQ(outcome.status, 0);
  expect_narrow(outcome.out);
  for (const auto& [kind, items] : everything()) {
    EXPECT_NE(("\n" + outcome.out).find("\n" + kind + "\n"), std::string::npos) << kind;
    for (const Words& item : items)
      EXPECT_NE(outcome.out.find("\n  " + item[0] + " "), std::string::npos) << item[0];
  }
}

TEST_F(ListAndHelp, ListOfOneKindNamesOptions) {
  for (const auto& [kind, items] : everything()) {
    const Outcome outcome = run({"list", kind});
    EXPECT_EQ(outcome.status, 0);
    expect_narrow(outcome.out);
    for (const Words& item : items)
      for (std::size_t i = 1; i < item.size(); ++i)
        EXPECT_NE(outcome.out.find("\n    " + item[i] + " "), std::string::npos) << kind << " " << item[i];
  }
  const std::string text = run({"list", "integrators"}).out;
  EXPECT_NE(text.find("order 5, error estimate, dense output of order 4"), std::string::npos) << text;
}

TEST_F(ListAndHelp, ListAsJson) {
  const Json all = json({"list"});
  for (const auto& [kind, items] : everything()) {
    ASSERT_TRUE(all.contains(kind)) << kind;
    EXPECT_EQ(json({"list", kind})[kind], all[kind]);
    ASSERT_EQ(all[kind].size(), items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      EXPECT_EQ(all[kind][i]["name"], items[i][0]);
      EXPECT_EQ(all[kind][i][kind == "problems" ? "parameters" : "options"].size(), items[i].size() - 1);
    }
  }
  const Json& integrators = all["integrators"];
  const auto dopri5 = std::find_if(integrators.begin(), integrators.end(),
                                   [](const Json& entry) { return entry["name"] == "dopri5"; });
  ASSERT_NE(dopri5, integrators.end());
  EXPECT_EQ((*dopri5)["order"], 5);
  EXPECT_EQ((*dopri5)["error_estimate"], true);
}

TEST_F(ListAndHelp, HelpOfRunNamesFlagsMethodsAndOptions) {
  const Outcome outcome = run({"run", "--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  expect_narrow(outcome.out);
  for (const char* flag :
       {"--formulation", "--integrator", "--stabilizer", "--control", "--controller", "--step", "--rtol",
        "--atol", "--h0", "--hmax", "--max-steps", "--t-end", "--set", "--output", "--out", "--json"})
    EXPECT_NE(outcome.out.find(std::string("  ") + flag + " "), std::string::npos) << flag;
  for (const auto& kind : everything_of_run())
    for (const Words& item : kind.second) {
      EXPECT_NE(outcome.out.find("\n  " + item[0]), std::string::npos) << item[0];
      for (const std::string& word : item) EXPECT_NE(outcome.out.find(word), std::string::npos) << word;
    }
}

TEST_F(ListAndHelp, OtherHelpAndVersion) {
  for (const Words& words : {Words{"--help"}, Words{"-h"}, Words{"list", "--help"}, Words{"demo", "--help"},
                             Words{"reproduce", "--help"}, Words{"modes", "--help"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << words[0];
    EXPECT_NE(outcome.out.find("usage: driftless"), std::string::npos) << outcome.out;
    expect_narrow(outcome.out);
  }
  for (const char* command : {"demo", "run", "modes", "reproduce", "list"})
    EXPECT_NE(run({"--help"}).out.find(std::string("\n  ") + command + " "), std::string::npos) << command;
  EXPECT_EQ(run({"--version"}).out, "driftless " + std::string(version) + "\n");
}

TEST_F(ListAndHelp, AFullStandardOutputIsAFailure) {
  const Outcome outcome = shell("\"$driftless\" list > /dev/full");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace driftless::cli

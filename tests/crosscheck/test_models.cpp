// Every file in models/ runs with default settings, stays on its constraints, keeps its energy balance and meets the numbers that it states; and
// every type of joint and force is used in two of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <driftless/io/model_file.hpp>
#include <driftless/io/model_generators.hpp>
#include <driftless/io/model_outputs.hpp>

#include "support/model_files.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

const std::filesystem::path folder = models_folder();

Method method_of(const io::ModelRun& run) {
  Method method;
  if (!run.formulation.empty()) method.formulation = run.formulation;
  if (!run.integrator.empty()) method.integrator = run.integrator;
  if (!run.stabilizer.empty()) method.stabilizer = run.stabilizer;
  if (!run.controller.empty()) method.controller = run.controller;
  method.controls = run.controls;
  return method;
}

// |E - E(start) - W| against the largest T + |V| + |W| of the run.
double relative_balance(const io::Model& model, const Solution& run) {
  const auto results = model.mechanism.results();
  double scale = 0;
  for (const State& state : run.states) {
    double energy = 0;
    for (const auto& one : results.energies(state)) energy += one.kinetic + std::abs(one.potential);
    scale = std::max(scale, energy + std::abs(run.energy->work));
  }
  return std::abs(run.energy->balance) / scale;
}

class EveryModel : public testing::TestWithParam<std::string> {};

TEST_P(EveryModel, RunsAndMeetsItsNumbers) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  EXPECT_FALSE(model.title.empty());
  ASSERT_FALSE(model.expectations.empty()) << "a model states a number to expect";
  const auto problem = model.mechanism.problem();
  Options options{.t_end = model.run.t_end.value_or(10)};
  options.step = model.run.step;
  options.rtol = model.run.rtol;
  options.atol = model.run.atol;
  options.hmax = model.run.hmax;
  if (model.run.output)
    options.output = {.kind = Output::Kind::every, .interval = *model.run.output, .times = {}};
  const Solution run =
      solve(*problem, model.mechanism.assembled(model.closing), method_of(model.run), options);
  ASSERT_TRUE(run.complete()) << run.end_message;
  if (run.drift) {
    EXPECT_LE(run.drift->position, 1e-10);
  }
  ASSERT_TRUE(run.energy.has_value());
  EXPECT_LE(relative_balance(model, run), 1e-6);
  for (const io::MetExpectation& e : io::named_results(model, run).expectations) {
    ASSERT_TRUE(e.value.has_value()) << e.name << " is expected at t = " << e.at
                                     << ", where the run has no state";
    EXPECT_NEAR(*e.value, e.expected, e.tolerance) << e.name << ": " << e.why;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(model_names()), [](const auto& c) {
  std::string name = c.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Models, UseEveryTypeOfJointAndForceTwice) {
  std::map<std::string, std::set<std::string>> used;
  for (const std::string& name : model_names()) {
    std::ifstream file(folder / (name + ".toml"));
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    for (const auto& joint : mechanics::joint_table())
      if (all.find("\"" + joint.name + "\"") != std::string::npos) used[joint.name].insert(name);
    for (const auto& force : mechanics::force_table())
      if (all.find("\"" + force.name + "\"") != std::string::npos) used[force.name].insert(name);
  }
  for (const auto& joint : mechanics::joint_table())
    EXPECT_GE(used[joint.name].size(), 2U) << "joint " << joint.name;
  for (const auto& force : mechanics::force_table())
    EXPECT_GE(used[force.name].size(), 2U) << "force " << force.name;
  EXPECT_GE(model_names().size(), 25U);
}

// The generated row of four-bars moves as the hand-written one.
TEST(Models, GeneratedRowOfFourBars) {
  const io::Model model =
      io::read_model_text(io::generated_model("n-four-bar", {{"N", "3"}}), "generated.toml");
  const auto exact = catalog::make_problem("n-four-bar", {{"N", "3"}});
  const Solution run = solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), {},
                             {.t_end = 0.6, .rtol = 1e-11, .atol = 1e-11});
  io::ModelOutputs outputs(model, {"crank0.angle", "coupler3.x"});
  const auto row = outputs.row(run.final);
  const State end = *exact.reference.at(0.6);
  EXPECT_NEAR(row[0] - std::acos(-1.0) / 2, end.q()(2), 1e-9);
  EXPECT_NEAR(row[1], end.q()(3 * 6), 1e-9);
}

TEST(Models, GeneratedChainIsClosedAndKeepsItsEnergy) {
  const io::Model model =
      io::read_model_text(io::generated_model("chain-loop", {{"N", "12"}}), "generated.toml");
  const State start = model.mechanism.start(), closed = model.mechanism.assembled(model.closing);
  EXPECT_LT((start.q() - closed.q()).lpNorm<Eigen::Infinity>(), 1e-12);  // as generated
  const Solution run = solve(*model.mechanism.problem(), closed, {}, {.t_end = 1, .rtol = 1e-8});
  ASSERT_TRUE(run.complete()) << run.end_message;
  EXPECT_LE(relative_balance(model, run), 1e-6);
  EXPECT_LE(run.drift->position, 1e-10);
}

}  // namespace
}  // namespace driftless::tests

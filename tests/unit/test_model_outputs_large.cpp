// Many columns at once: what each of them is does not depend on the others that are asked for with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>
#include <driftless/io/model_generators.hpp>
#include <driftless/io/model_outputs.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using io::Model;
using io::ModelOutputs;
using Names = std::vector<std::string>;

constexpr int cells = 60;

// Bodies on hinges that stand beside each other, with all that has columns; names that begin alike.
Model row_of_cells(const std::string& more = "") {
  std::string text = "title = \"row\"\ngravity = [0, 0, -9.81]\n";
  for (int k = 0; k < cells; ++k)
    text += fmt::format(R"(
[body.arm{0}]
mass = {1}
inertia = [0.1, 0.2, 0.3]
at = [{2}, 0, 0]
center = [0.2, 0, 0.1]
rates = [0, 0, {1}]
[body.bob{0}]
mass = 0.5
inertia = [0.01, 0.02, 0.02]
at = [{2}, 1, 0]
[joint.pin{0}]
type = "revolute"
between = ["ground", "arm{0}"]
at = [{2}, 0, 0]
[joint.ball{0}]
type = "spherical"
between = ["arm{0}", "bob{0}"]
at = [{2}, 0.5, 0]
[point.tip{0}]
body = "bob{0}"
at = [0.1, 0.2, 0.3]
[force.spring{0}]
type = "spring-damper"
between = ["ground", "bob{0}"]
from = [{2}, 3, 0]
to = [{2}, 1, 0]
stiffness = {1}
damping = 0.3
[force.rubber{0}]
type = "bushing"
between = ["ground", "bob{0}"]
at = [{2}, 1, 0]
kx = {1}
ky = 2
ktz = 3
cx = 0.5
)",
                        k, 1 + 0.01 * k, 3 * k);
  for (int k = 0; k < cells; k += 7)
    text += fmt::format("[drive.motor{0}]\non = \"pin{0}.angle\"\nmotion = \"{1}*t\"\n", k, 1 + k);
  return io::read_model_text(text + more, "row.toml");
}

// Somewhere, moving, and with multipliers: no run is needed to see that columns agree.
std::vector<State> states_of(const Model& model) {
  std::vector<State> states;
  for (int n = 0; n < 4; ++n) {
    State state = model.mechanism.start();
    state.t = 0.1 * n;
    for (Eigen::Index i = 0; i < state.z.size(); ++i)
      state.z(i) += 0.3 * (n + 1) * std::sin(1.0 + static_cast<double>(i) + n);
    for (Eigen::Index i = 0; i < state.lambda.size(); ++i)
      state.lambda(i) = std::cos(2.0 * static_cast<double>(i) + n);
    states.push_back(state);
  }
  return states;
}

std::size_t place(const ModelOutputs& outputs, const std::string& name) {
  const auto found = std::find(outputs.names().begin(), outputs.names().end(), name);
  EXPECT_NE(found, outputs.names().end()) << name;
  return static_cast<std::size_t>(found - outputs.names().begin());
}

TEST(ModelOutputsLarge, AllColumnsAreWhatEachIsAlone) {
  const Model model = row_of_cells();
  const std::vector<State> states = states_of(model);
  ModelOutputs all(model, {"*.*"});
  // 15 of a spatial body, 6 of a point, 14 of a joint and 2 more for a coordinate, 4 of a spring, 2 of a bushing or drive, 6 of the whole.
  EXPECT_EQ(all.names().size(), cells * (2 * 15u + 6 + 16 + 14 + 4 + 2) + 9 * 2 + 6);
  std::vector<std::vector<double>> rows;
  for (const State& state : states) rows.push_back(all.row(state));
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < all.names().size(); i += 173) some.push_back(i);
  for (std::size_t i = all.names().size() - 12; i < all.names().size(); ++i) some.push_back(i);
  for (const std::size_t i : some) {
    ModelOutputs one(model, {all.names()[i]});
    EXPECT_EQ(one.names(), Names{all.names()[i]});
    EXPECT_EQ(one.units(), Names{all.units()[i]});
    for (std::size_t n = 0; n < states.size(); ++n)
      EXPECT_EQ(one.row(states[n]), std::vector<double>{rows[n][i]}) << all.names()[i] << " at state " << n;
  }
}

TEST(ModelOutputsLarge, AllColumnsAreWhatTheMechanismSays) {
  const Model model = row_of_cells();
  const mechanics::MechanismResults results = model.mechanism.results();
  ModelOutputs all(model, {"*.*"});
  for (const State& state : states_of(model)) {
    const std::vector<double> row = all.row(state);
    const auto value = [&](const std::string& name) { return row[place(all, name)]; };
    const auto energies = results.energies(state);
    double kinetic = 0, potential = 0, power = 0;
    for (const auto& one : energies) kinetic += one.kinetic, potential += one.potential, power += one.power;
    EXPECT_EQ(value("energy.kinetic"), kinetic);
    EXPECT_EQ(value("energy.total"), kinetic + potential);
    EXPECT_EQ(value("energy.power"), power);
    for (int k = 0; k < cells; k += 7) {
      const auto at = [&](const char* of) { return of + std::to_string(k); };
      const auto& arm = *std::find_if(model.bodies.begin(), model.bodies.end(),
                                      [&](const auto& body) { return body.name == at("arm"); });
      const auto& pin = *std::find_if(model.joints.begin(), model.joints.end(),
                                      [&](const auto& joint) { return joint.name == at("pin"); });
      const mechanics::Pose pose = results.pose(state, arm.id);
      EXPECT_EQ(value(at("arm") + ".x"), (pose.r + pose.R * -arm.center).x);
      EXPECT_EQ(value(at("arm") + ".p2"), results.quaternion(state, arm.id)[2]);
      EXPECT_EQ(value(at("pin") + ".angle'"), results.coordinate(state, pin.id, "angle").rate);
      EXPECT_EQ(value(at("pin") + ".force"), norm(results.reaction(state, pin.id).force));
      EXPECT_EQ(value(at("motor") + ".effort"), results.effort(state, at("motor")));
      // A bushing has parts, rubber1, .. and not those of rubber10.
      double stored = 0, lost = 0;
      for (const auto& one : energies) {
        if (one.name == at("spring")) {
          EXPECT_EQ(value(one.name + ".length"), one.value);
        }
        if (one.name == at("arm")) {
          EXPECT_EQ(value(one.name + ".kinetic"), one.kinetic);
        }
        if (one.name.starts_with(at("rubber") + ", ")) stored += one.potential, lost += one.power;
      }
      EXPECT_NE(stored, 0);
      EXPECT_EQ(value(at("rubber") + ".energy"), stored);
      EXPECT_EQ(value(at("rubber") + ".power"), lost);
    }
  }
}

TEST(ModelOutputsLarge, TheUsualColumnsInTheOrderOfTheFile) {
  Model model = io::read_model_text(io::generated_model("chain-loop", {{"N", "300"}}), "chain.toml");
  model.columns.clear();
  ASSERT_EQ(model.bodies.size(), 300u);
  Names expected;
  for (const auto& body : model.bodies)
    for (const char* own : {".x", ".y", ".angle"}) expected.push_back(body.name + own);
  for (const auto& joint : model.joints)
    for (const char* own : {".angle", ".angle'"}) expected.push_back(joint.name + own);
  for (const char* own : {"kinetic", "potential", "total"}) expected.push_back(std::string("energy.") + own);
  EXPECT_EQ(ModelOutputs(model).names(), expected);
}

TEST(ModelOutputsLarge, NamesAreChosenOnceAndTold) {
  const Model model = row_of_cells();
  const ModelOutputs outputs(model, {"tip3.*", "arm1.x", "tip3.vx", "*.effort", "tip3.*", "motor7.effort"});
  Names expected = {"tip3.x", "tip3.vx", "tip3.y", "tip3.vy", "tip3.z", "tip3.vz", "arm1.x"};
  for (int k = 0; k < cells; k += 7) expected.push_back(fmt::format("motor{}.effort", k));
  EXPECT_EQ(outputs.names(), expected);
  for (const char* known : {"arm59.wz", "*.x", "pin1.*", "*.*", "energy.total"})
    EXPECT_EQ(outputs.fault(known), "") << known;
  EXPECT_EQ(outputs.fault("tip3.w"), "there is no output 'tip3.w'; tip3 has x, vx, y, vy, z, vz");
  EXPECT_NE(outputs.fault("arn17.x").find("write NAME.WHAT"), std::string::npos) << outputs.fault("arn17.x");
  EXPECT_NE(outputs.fault("arn17.x").find("arm17.x"), std::string::npos) << outputs.fault("arn17.x");
  EXPECT_EQ(outputs.fault("arn17.x", false).find("arm17.x"), std::string::npos);
  for (const char* unknown : {"*.nothing", "arm1", "*", "", "."})
    EXPECT_NE(outputs.fault(unknown), "") << unknown;
  EXPECT_THROW(ModelOutputs(model, {"arm1.x", "tip3.w"}), InputError);
}

// Each is met by its own column, in whatever order they stand.
TEST(ModelOutputsLarge, Expectations) {
  const Model model = row_of_cells(R"([expect]
"pin9.angle" = {at = 0.3, value = 1, tolerance = 1}
"arm2.x" = {at = 0.1, value = 6, tolerance = 100}
"motor7.effort" = {at = 0.2, value = 0, tolerance = 1e-9, why = "it is none"}
"bob5.z" = {at = 0.25, value = 0, tolerance = 1}
"energy.total" = {at = 0.5, value = 0, tolerance = 1e9}
)");
  Solution solution;
  solution.states = states_of(model);
  solution.final = solution.states.back();
  solution.final.t = 0.5;
  const auto met = io::named_results(model, solution).expectations;
  ASSERT_EQ(met.size(), 5u);
  const std::vector<std::size_t> at = {3, 1, 2, 9, 4};  // the state that each speaks of; 9: there is none
  for (std::size_t k = 0; k < met.size(); ++k) {
    const std::string& name = model.expectations[k].column;
    SCOPED_TRACE(name);
    EXPECT_EQ(met[k].name, name);
    EXPECT_EQ(met[k].value.has_value(), at[k] != 9);
    ModelOutputs one(model, {name});
    EXPECT_EQ(met[k].unit, one.units().front());
    std::vector<double> values;
    for (const State& state : solution.states) values.push_back(one.row(state).front());
    values.push_back(one.row(solution.final).front());
    if (met[k].value) {
      EXPECT_EQ(*met[k].value, values.at(at[k]));
    }
  }
}

}  // namespace
}  // namespace driftless::tests

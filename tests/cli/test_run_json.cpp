// driftless run --json: the shape that scripts rely on, and the values in it.
#include "program.hpp"

namespace driftless::cli {
namespace {

using RunJson = Program;

void expect_fields(const Json& json, const std::vector<std::string>& names, const std::string& where) {
  for (const std::string& name : names) EXPECT_TRUE(json.contains(name)) << where << " has no " << name;
}

TEST_F(RunJson, HasEveryFieldOfTheShape) {
  const Json run = json({"run", "001-slider-crank"});
  expect_fields(
      run, {"problem", "method", "end", "final", "drift", "energy", "error", "work", "seconds", "version"},
      "run");
  expect_fields(run["method"], {"formulation", "integrator", "stabilizer", "controls", "controller"},
                "method");
  expect_fields(run["end"], {"reason", "t"}, "end");
  expect_fields(run["final"], {"t", "q", "v", "lambda", "kappa", "extras"}, "final");
  expect_fields(run["drift"], {"position", "velocity"}, "drift");
  expect_fields(run["energy"], {"start", "end", "balance"}, "energy");
  expect_fields(run["error"], {"q", "v", "lambda"}, "error");
  expect_fields(run["work"], {"steps", "rejected", "rhs", "jacobians", "factorizations", "newton"}, "work");
}

TEST_F(RunJson, SaysWhatWasRun) {
  const Json run = json({"run", "001-slider-crank"});
  EXPECT_EQ(run["problem"], "001-slider-crank");
  EXPECT_EQ(run["method"]["formulation"], "index1");
  EXPECT_EQ(run["method"]["integrator"], "dopri5");
  EXPECT_EQ(run["method"]["stabilizer"], "post:F=block");
  EXPECT_EQ(run["method"]["controls"], Json::array());
  EXPECT_EQ(run["method"]["controller"], "pi");
  EXPECT_EQ(run["settings"]["rtol"], 1e-6);
  EXPECT_EQ(run["end"]["reason"], "reached-end");
  EXPECT_EQ(run["end"]["t"], 10.0);
  EXPECT_EQ(run["final"]["q"].size(), 4u);
  EXPECT_EQ(run["final"]["v"].size(), 4u);
  EXPECT_EQ(run["final"]["lambda"].size(), 3u);
  EXPECT_EQ(run["final"]["kappa"].size(), 0u);
  EXPECT_GT(run["work"]["steps"], 10);
  EXPECT_GT(run["work"]["rhs"], run["work"]["steps"]);
  EXPECT_LT(run["error"]["q"], 1e-4);
  EXPECT_GT(run["error"]["q"], 0.0);
}

// Where the final state stands with its constraints and invariants.
TEST_F(RunJson, TheEndOnItsConstraints) {
  const Json run = json({"run", "pendulum", "--formulation", "baumgarte", "--stabilizer", "none", "--step",
                         "0.01", "--integrator", "rk4", "--set", "case=A01", "--set", "length=2"});
  const Json& end = run["final"];
  expect_fields(end, {"g", "g_rate", "invariants", "drift"}, "final");
  const double x = end["q"][0], y = end["q"][1], vx = end["v"][0], vy = end["v"][1];
  ASSERT_EQ(end["g"].size(), 1u);
  EXPECT_NEAR(end["g"][0].get<double>(), (x * x + y * y - 4) / 2, 1e-15);
  EXPECT_NEAR(end["g_rate"][0].get<double>(), x * vx + y * vy, 1e-15);
  EXPECT_EQ(end["drift"]["position"], std::abs(end["g"][0].get<double>()));
  EXPECT_EQ(end["drift"]["velocity"], std::abs(end["g_rate"][0].get<double>()));
  EXPECT_NE(end["g"][0], 0.0);
  EXPECT_LE(end["drift"]["position"], run["drift"]["position"]);
  EXPECT_EQ(end["invariants"], Json::object());
  // E - E(start) - work at the end, with its sign.
  EXPECT_NEAR(run["energy"]["balance"].get<double>(), (vx * vx + vy * vy) / 2 + 9.81 * y, 1e-12);

  const Json kepler = json({"run", "001-kepler", "--t-end", "3", "--stabilizer", "none"});
  const Json& z = kepler["final"]["q"];
  EXPECT_NEAR(kepler["final"]["invariants"]["angular-momentum"].get<double>(),
              z[0].get<double>() * z[3].get<double>() - z[1].get<double>() * z[2].get<double>(), 1e-15);
  EXPECT_EQ(kepler["final"]["g"], Json::array());
  EXPECT_EQ(kepler["final"]["g_rate"], Json::array());
  EXPECT_TRUE(kepler["final"]["drift"]["position"].is_null());
  const Json first_order = json({"run", "001-example1", "--t-end", "0.1"});  // no g' of a system of order 1
  EXPECT_EQ(first_order["final"]["g"].size(), 1u);
  EXPECT_EQ(first_order["final"]["g_rate"], Json::array());
}

// Every part of the state is compared with the reference: derivatives beyond the velocity, and kappa.
TEST_F(RunJson, ErrorsOfAllParts) {
  const Json jerk = json({"run", "jerk-sphere"});
  expect_fields(jerk["error"], {"q", "v", "x2", "lambda"}, "error");
  EXPECT_FALSE(jerk["error"].contains("kappa"));
  for (const char* part : {"q", "v", "x2", "lambda"}) EXPECT_LT(jerk["error"][part], 1e-5) << part;
  const Json sleigh = json({"run", "chaplygin-sleigh"});
  EXPECT_LT(sleigh["error"]["kappa"], 1e-5);
  EXPECT_TRUE(sleigh["error"]["lambda"].is_null());
  EXPECT_NE(sleigh["notes"].dump().find("error.lambda is null: the problem has none"), std::string::npos);
  const Json kepler = json({"run", "001-kepler"});
  EXPECT_TRUE(kepler["error"]["v"].is_null());
  EXPECT_NE(kepler["notes"].dump().find("error.v is null: the problem has none"), std::string::npos);
}

TEST_F(RunJson, StartsLaterThanZero) {
  const Json run = json({"run", "arevalo", "--output", "every=0.5"});
  EXPECT_EQ(run["start"]["t"], 1.0);
  EXPECT_EQ(run["final"]["t"], 5.0);
  EXPECT_EQ(run["output"]["states"], 9);
  EXPECT_LT(run["error"]["lambda"], 1e-2);
}

// A start that is off the constraints on purpose stays there, and a note says so.
TEST_F(RunJson, StartsAsGiven) {
  const Words words = {"run",          "001-drift-model", "--integrator", "forward-euler", "--stabilizer",
                       "none",         "--step",          "0.01",         "--t-end",       "0.02",
                       "--formulation"};
  const auto with = [&](std::initializer_list<std::string> more) {
    Words all = words;
    all.insert(all.end(), more);
    return json(all);
  };
  const Json baumgarte = with({"baumgarte:alpha=200,beta=10000", "--out", "deadbeat"});
  EXPECT_TRUE(baumgarte["start"]["report"].is_null());
  EXPECT_EQ(baumgarte["start"]["moved"], Json({0.0, 0.0}));
  EXPECT_NE(baumgarte["notes"].dump().find("off the constraints on purpose"), std::string::npos);
  const Csv steps(read("deadbeat/trajectory.csv"));
  ASSERT_EQ(steps.rows.size(), 3u);
  EXPECT_EQ(steps.value(0, "s"), 1e-3);
  EXPECT_NEAR(steps.value(1, "r"), -0.1, 1e-15);
  EXPECT_NEAR(steps.value(2, "s"), 0, 1e-17);
  EXPECT_NEAR(steps.value(2, "r"), 0, 1e-15);
  const Json stabilized = with({"invariant-stabilized:gamma=100,F=split", "--set", "r0=1e-3", "--out", "s"});
  EXPECT_NEAR(Csv(read("s/trajectory.csv")).value(1, "s"), 1e-5, 1e-17);
  EXPECT_NEAR(stabilized["final"]["q"][0], 0, 1e-17);
}

// What is not known is null, and a note says why.
TEST_F(RunJson, ExplainsNulls) {
  const Json run = json({"run", "001-slider-crank"});
  EXPECT_TRUE(run["error"]["lambda"].is_null());
  EXPECT_NE(run["notes"].dump().find("error.lambda is null"), std::string::npos) << run["notes"];
  const Json other = json({"run", "001-slider-crank", "--set", "m2=2"});
  EXPECT_TRUE(other["error"]["q"].is_null());
  EXPECT_TRUE(other["error_relative"]["q"].is_null());
  EXPECT_NE(other["notes"].dump().find("no reference"), std::string::npos) << other["notes"];
  EXPECT_EQ(other["parameters"]["m2"], 2);
}

TEST_F(RunJson, FixedStepsNameTheirMethod) {
  const Json run = json({"run", "pendulum", "--integrator", "rk4", "--step", "0.01", "--formulation",
                         "baumgarte:gamma=10", "--stabilizer", "none"});
  EXPECT_EQ(run["method"]["formulation"], "baumgarte:gamma=10");
  EXPECT_EQ(run["method"]["integrator"], "rk4");
  EXPECT_EQ(run["method"]["stabilizer"], "none");
  EXPECT_EQ(run["method"]["controller"], "fixed");
  EXPECT_EQ(run["work"]["steps"], 100);
  EXPECT_TRUE(run["settings"]["rtol"].is_null());
}

TEST_F(RunJson, AndrewsKeepsItsPromises) {
  const Json run = json({"run", "andrews", "--rtol", "1e-6", "--atol", "1e-6"});
  EXPECT_LT(run["error_relative"]["q"], 1e-6);
  EXPECT_GT(run["error_relative"]["q"], 1e-12);
  EXPECT_LT(run["error_relative"]["v"], 1e-4);
  EXPECT_LT(run["error_relative"]["lambda"], 1e-4);
  EXPECT_LT(run["drift"]["position"], 1e-13);
  EXPECT_LT(run["drift"]["velocity"], 1e-10);
  EXPECT_EQ(run["final"]["t"], 0.03);
}

TEST_F(RunJson, TellsOfAMovedStart) {
  const Outcome outcome = run({"run", "pendulum", "--set", "x=0.9", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json run = Json::parse(outcome.out);
  EXPECT_NEAR(run["start"]["moved"][0].get<double>(), 0.1, 1e-12);
  EXPECT_NE(run["notes"].dump().find("moved onto the constraints"), std::string::npos) << run["notes"];
  EXPECT_NE(outcome.err.find("moved onto the constraints"), std::string::npos) << outcome.err;
  const Json consistent = json({"run", "pendulum"});
  EXPECT_EQ(consistent["start"]["moved"], Json({0.0, 0.0}));
  EXPECT_TRUE(consistent["start"]["report"].is_null());
  // At (1, 0) with speed 1 upwards, gravity 1: centripetal along the rod, free fall across it.
  EXPECT_EQ(consistent["start"]["acceleration"], Json({-1.0, -1.0}));
}

// The work is part of the state, and a run that is taken up again goes on with it.
TEST_F(RunJson, ControlsLeaveTheirWorkAndTheirNotes) {
  const std::vector<std::string> words = {"--control", "energy-baumgarte", "--step",
                                          "0.02",      "--integrator",     "ab2"};
  const auto crank = [&](const std::string& t_end, const std::string& folder) {
    std::vector<std::string> all = {"run", "001-slider-crank", "--t-end", t_end, "--out", folder};
    all.insert(all.end(), words.begin(), words.end());
    return json(all);
  };
  const Json whole = crank("8", "whole");
  EXPECT_EQ(whole["method"]["controls"], Json({"energy-baumgarte"}));
  ASSERT_EQ(whole["final"]["extras"]["work"].size(), 1u);
  EXPECT_NEAR(whole["final"]["extras"]["work"][0].get<double>(), whole["energy"]["work"].get<double>(), 1e-3);
  EXPECT_NE(whole["notes"].dump().find("energy-baumgarte: its force faded to less than half in "),
            std::string::npos);
  EXPECT_NE(read("whole/trajectory.csv").find(",work"), std::string::npos);
  crank("4.5", "part");
  const Json rest = json({"run", "--resume", "part", "--t-end", "8"});
  EXPECT_EQ(rest["final"], whole["final"]);
}

TEST_F(RunJson, TheFileHoldsTheSameDocument) {
  const Json run = json({"run", "pendulum"});
  EXPECT_EQ(run["output"]["folder"], "results/pendulum");
  EXPECT_EQ(Json::parse(read("results/pendulum/run.json")), run);
}

}  // namespace
}  // namespace driftless::cli

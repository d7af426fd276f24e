// Model files on the command line: run, check, modes, generate; by names, with parameters, and with what is wrong.
#include <cmath>
#include <fstream>

#include "program.hpp"

namespace driftless::cli {
namespace {

using ModelFiles = Program;

const std::string models = DRIFTLESS_SOURCE_DIR "/models";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ModelFiles, RunSpeaksOfBodiesAndJoints) {
  const Outcome outcome = run({"run", models + "/four-bar.toml", "--out", "r"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "coupler.x")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "expected")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "lambda[")) << outcome.out;
  const Csv outputs(read("r/outputs.csv"));
  EXPECT_EQ(outputs.columns.front(), "t");
  const Json document = Json::parse(read("r/outputs.json"));
  EXPECT_EQ(document["columns"].size(), outputs.columns.size());
  EXPECT_EQ(document["rows"].size(), outputs.rows.size());
  const Json report = Json::parse(read("r/run.json"));
  EXPECT_TRUE(report["outputs"]["values"].contains("coupler.x"));
  EXPECT_EQ(report["outputs"]["expectations"][0]["met"], true);
}

// The same model with the same method by the flags; and on with it.
TEST_F(ModelFiles, AnyMethodAndResume) {
  const std::string file = models + "/four-bar.toml";
  const Json bdf =
      json({"run", file, "--formulation", "ggl", "--t-end", "0.5", "--rtol", "1e-8", "--output", "steps"});
  EXPECT_EQ(bdf["method"]["formulation"], "ggl");
  EXPECT_EQ(bdf["method"]["integrator"], "bdf");
  const Json half = json({"run", file, "--t-end", "0.5", "--out", "half"});
  const Json whole = json({"run", "--resume", "half", "--t-end", "1"});
  EXPECT_EQ(whole["end"]["reason"], "reached-end");
  EXPECT_EQ(run({"modes", file, "--at", "start"}).status, 0);
  // A flag replaces what the file says, and flags that exclude each other are refused as for any problem.
  EXPECT_EQ(json({"run", file, "--t-end", "0.1", "--step", "0.001"})["settings"]["step"], 0.001);
  const Json by_size = json({"run", file, "--t-end", "0.1", "--rtol", "1e-4"})["settings"];
  EXPECT_EQ(by_size["rtol"], 1e-4);
  EXPECT_TRUE(by_size["atol"].is_null());  // rtol times the size of a body
  EXPECT_EQ(json({"run", file, "--t-end", "0.1", "--rtol", "1e-4", "--atol", "1e-5"})["settings"]["atol"],
            1e-5);
  EXPECT_EQ(run({"run", file, "--step", "0.001", "--rtol", "1e-4"}).status, 2);
}

// Another mass, another line of its table: it would be another motion from the middle on.
TEST_F(ModelFiles, ResumeOfAChangedModelIsRefused) {
  const auto write = [&](const char* mass, const char* last_force) {
    std::ofstream(folder() / "work" / "force.csv") << "-3 -3\n0 0\n1 1\n2 " << last_force << "\n";
    std::ofstream(folder() / "work" / "m.toml")
        << "title = \"pushed\"\ndimensions = 2\n[body.a]\nat = [0, 0]\ninertia = 1\nmass = " << mass
        << "\n[joint.j]\ntype = \"prismatic\"\nbetween = [\"ground\", \"a\"]\nat = [0, 0]\naxis = [1, 0]\n"
           "[force.s]\ntype = \"spring-damper\"\non = \"j.position\"\nrest = -1\n"
           "curve = {file = \"force.csv\"}\n[run]\nt_end = 1\n";
  };
  write("1", "4");
  json({"run", "m.toml", "--t-end", "0.5", "--out", "half"});
  EXPECT_EQ(json({"run", "--resume", "half", "--t-end", "1"})["end"]["reason"], "reached-end");
  fs::create_directory(folder() / "work" / "elsewhere");
  const std::string from_elsewhere = "cd elsewhere && $driftless run --resume ../half --t-end 1";
  EXPECT_EQ(shell(from_elsewhere).status, 0);
  for (const auto& [mass, force] : {std::pair("2", "4"), std::pair("1", "5")}) {
    write(mass, force);
    const Outcome outcome = run({"run", "--resume", "half", "--t-end", "1"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(contains(outcome.err, "has changed since the run in 'half' was saved")) << outcome.err;
  }
}

TEST_F(ModelFiles, FaultsAreToldTogether) {
  std::ofstream(folder() / "work" / "bad.toml")
      << "title = \"bad\"\n[body.a]\nmass = -1\ninertia = [1, 1, 1]\n[joint.j]\ntype = \"revolut\"\nbetween "
         "= [\"ground\", \"a\"]\n";
  for (const char* command : {"run", "check"}) {
    const Outcome outcome = run({command, "bad.toml"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(contains(outcome.err, "bad.toml:3:8: body.a.mass: mass is -1")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "bad.toml:6:8: joint.j.type: there is no joint type 'revolut'"))
        << outcome.err;
  }
  const Json faults = json({"check", "bad.toml", "--json"}, 2);
  EXPECT_EQ(faults["faults"][0]["line"], 3);
  EXPECT_EQ(faults["faults"][1]["path"], "joint.j.type");
  EXPECT_EQ(run({"run", "nowhere.toml"}).status, 2);
  EXPECT_FALSE(fs::exists(folder() / "work" / "results"));
}

TEST_F(ModelFiles, ANumberThatIsNotMetIsSaid) {
  std::ofstream(folder() / "work" / "m.toml")
      << "title = \"free\"\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n[run]\nt_end = "
         "1\n[expect]\n\"a.x\" = {at = 1, value = 2, tolerance = 0.1}\n";
  const Outcome outcome = run({"run", "m.toml"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.out, "NOT met")) << outcome.out;
}

TEST_F(ModelFiles, ParametersCanBeSet) {
  std::ofstream(folder() / "work" / "m.toml")
      << "title = \"free\"\n[parameters]\nspeed = 1\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\nvelocity = "
         "[\"speed\", 0, 0]\n[run]\nt_end = 1\n";
  const Json report = json({"run", "m.toml", "--set", "speed=2^2"});
  EXPECT_NEAR(report["outputs"]["values"]["a.x"]["value"].get<double>(), 4, 1e-9);
  const Outcome outcome = run({"run", "m.toml", "--set", "sped=2"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(contains(outcome.err, "did you mean speed")) << outcome.err;
}

TEST_F(ModelFiles, PlotsAndEventsByName) {
  const std::string file = models + "/four-bar.toml";
  const Outcome outcome = run({"run", file, "--t-end", "1", "--out", "r", "--plot", "A.angle,coupler.x;pin",
                               "--event", "A.angle:value=0"});
  EXPECT_EQ(outcome.status, 2) << "there is no pin";
  const Outcome good = run({"run", file, "--t-end", "1", "--out", "r", "--plot", "A.angle,coupler.x;A.force",
                            "--event", "coupler.x:value=1.2"});
  EXPECT_EQ(good.status, 0) << good.err;
  int pictures = 0;
  for (const auto& entry : fs::directory_iterator(folder() / "work" / "r"))
    pictures += entry.path().extension() == ".svg";
  EXPECT_EQ(pictures, 2);
}

// A ball on a bar of 1 m, from below with v^2 = 3.5 g: the bar's force is 3 m g (1/2 - height), by the balance of forces along it.
TEST_F(ModelFiles, EventsOfForces) {
  std::ofstream(folder() / "work" / "bar.toml")
      << "title = \"ball on a bar\"\ndimensions = 2\ngravity = [0, -9.81]\n[body.ball]\nmass = 2\ninertia = "
         "1\n"
         "at = [0, -1]\nvelocity = [5.859607495387, 0]\n[joint.rope]\ntype = \"distance\"\nbetween = "
         "[\"ground\", \"ball\"]\na = {at = [0, 0]}\nb = {at = [0, 0]}\n[run]\nt_end = 1\nrtol = 1e-10\natol "
         "= 1e-10\n";
  for (const char* method : {"index1", "ggl", "index2"}) {
    const Json report = json({"run", "bar.toml", "--formulation", method, "--event", "rope.force:value=0",
                              "--event", "rope.force:value=39.24"});
    const Json& events = report.at("events");
    ASSERT_EQ(events.size(), 2u) << method;
    EXPECT_NEAR(events[0]["state"]["q"][1].get<double>(), 0.5 - 39.24 / (3 * 2 * 9.81), 1e-8) << method;
    EXPECT_NEAR(events[1]["state"]["q"][1].get<double>(), 0.5, 1e-8) << method;
  }
  const Outcome pin = run({"run", models + "/four-bar.toml", "--event", "A.force:value=0"});
  EXPECT_EQ(pin.status, 2) << "a size passes no zero";
  EXPECT_TRUE(contains(pin.err, "A.own_fx")) << pin.err;
}

// Whole turns are counted however seldom results are written.
TEST_F(ModelFiles, AnglesWithSparseOutput) {
  std::ofstream(folder() / "work" / "m.toml")
      << "title = \"wheel\"\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\nrates = [0, 0, 30]\n[joint.s]\ntype = "
         "\"revolute\"\nbetween = [\"ground\", \"a\"]\n[run]\nt_end = 2\noutput = 0.5\n";
  const Json report = json({"run", "m.toml"});
  EXPECT_NEAR(report["outputs"]["values"]["s.angle"]["value"].get<double>(), 60, 1e-4);
}

TEST_F(ModelFiles, CheckTellsDegreesOfFreedom) {
  const Outcome text = run({"check", models + "/four-bar-in-space.toml"});
  EXPECT_EQ(text.status, 0) << text.err << text.out;
  EXPECT_TRUE(contains(text.out, "1 degree of freedom")) << text.out;
  for (const std::string& line : lines_of(text.out)) EXPECT_LE(line.size(), 80U) << line;
  json({"check", models + "/stewart-platform.toml", "--json"});
}

TEST_F(ModelFiles, GeneratedOnesRun) {
  EXPECT_EQ(run({"generate", "chain-loop", "--set", "N=5", "--out", "chain.toml"}).status, 0);
  EXPECT_EQ(run({"run", "chain.toml", "--t-end", "0.2"}).status, 0);
  EXPECT_EQ(run({"generate", "chain-loop", "--out", "chain.toml"}).status, 2) << "nothing is overwritten";
  const Outcome unknown = run({"generate", "chain-lop"});
  EXPECT_TRUE(contains(unknown.err, "did you mean chain-loop")) << unknown.err;
}

// What `check` calls an error ends a run before anything is computed, in the same words.
TEST_F(ModelFiles, RunSaysWhatCheckFinds) {
  std::ofstream(folder() / "work/thick.toml")
      << "title = \"impossible inertia\"\n[body.rod]\nat = [0, 1, 0]\nmass = 1\ninertia = [1, 0.1, 0.1]\n"
         "[joint.A]\ntype = \"spherical\"\nbetween = [\"ground\", \"rod\"]\nat = [0, 0, 0]\n";
  const std::string text = json({"check", "thick.toml"}, 1)["findings"][0]["text"];
  EXPECT_NE(text.find("largest principal moment"), std::string::npos) << text;
  const Outcome refused = run({"run", "thick.toml", "--t-end", "1e9"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err, "driftless: body rod: " + text +
                             "\nnothing was computed; mend the model, or run it as it is with --anyway\n");
  EXPECT_FALSE(fs::exists(folder() / "work/results"));
  const Outcome done = run({"run", "thick.toml", "--t-end", "0.01", "--anyway"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.err, "driftless: warning: body rod: " + text + "\n");
  EXPECT_EQ(Json::parse(read("results/thick/run.json"))["notes"][0], "warning: body rod: " + text);
}

// What the end and the step of a run are when the file says too little, or too much.
TEST_F(ModelFiles, RunsSayWhereTheyEndAndWhenTheirStepsAreTooLong) {
  std::ofstream(folder() / "work/rod.toml") << "title = \"pendulum\"\ndimensions = 2\ngravity = [0, "
                                               "-9.81]\n[body.rod]\nfrom = [0, 0]\nto = [0.8, 0]\n"
                                               "mass = 1\nshape = {type = \"link\"}\n[joint.A]\ntype = "
                                               "\"revolute\"\nbetween = [\"ground\", \"rod\"]\n";
  const std::string ends = "no t_end is given: the run ends at t = 10 s";
  EXPECT_TRUE(contains(json({"check", "rod.toml"})["findings"].dump(), ends));
  EXPECT_TRUE(contains(json({"run", "rod.toml"})["notes"].dump(), ends));
  const Words stepped = {"run", "rod.toml", "--t-end", "1", "--integrator", "rk4", "--step"};
  const auto with = [&](const char* step) {
    Words words = stepped;
    words.push_back(step);
    return run(words);
  };
  const Outcome one = with("5"), ten = with("0.1"), eleven = with("0.09");
  EXPECT_TRUE(contains(one.err, "a step of 5 s is no shorter than the run of 1 s")) << one.err;
  EXPECT_TRUE(contains(ten.err, "a step of 0.1 s is 0.1 of the run of 1 s")) << ten.err;
  EXPECT_EQ(eleven.err, "");
  EXPECT_FALSE(contains(eleven.out, ends)) << eleven.out;
}

TEST_F(ModelFiles, RunSaysWhatCheckWarnsOf) {
  std::ofstream(folder() / "work/light.toml")
      << "title = \"gravity in another unit\"\ndimensions = 2\ngravity = [0, -9.81]\n[units]\nlength = "
         "\"mm\"\n"
         "[body.rod]\nfrom = [0, 0]\nto = [400, 0]\nmass = 1\nshape = {type = \"link\"}\n"
         "[joint.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\nat = [0, 0]\n";
  const Outcome outcome = run({"run", "light.toml", "--t-end", "0.1"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err.find("driftless: warning: gravity: gravity is 9.81 mm/s2"), 0u) << outcome.err;
  EXPECT_EQ(outcome.out.find("gravity is"), std::string::npos) << "once: " << outcome.out;
  const Json notes = Json::parse(read("results/light/run.json"))["notes"];
  EXPECT_TRUE(notes[0].get<std::string>().starts_with("warning: gravity: ")) << notes;
}

// The middle of an arm of 1 m comes half as far.
TEST_F(ModelFiles, AnUnreachableStartIsToldByRunAsByCheck) {
  std::ofstream(folder() / "work/arm.toml")
      << "title = \"arm\"\ndimensions = 2\n[body.arm]\nfrom = [0, 0]\nto = [1, 0]\nmass = 1\ninertia = 0.1\n"
         "[joint.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"arm\"]\nat = [0, 0]\n"
         "[start]\npositions = {\"arm.y\" = 2}\n";
  const std::string text = json({"check", "arm.toml"}, 1)["findings"][0]["text"];
  EXPECT_NE(text.find("asks for arm.y = 2 m"), std::string::npos) << text;
  EXPECT_NE(text.find("reached is 0.5 m"), std::string::npos) << text;
  const Outcome refused = run({"run", "arm.toml"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "driftless: start of arm.y: " + text + "\n");
}

}  // namespace
}  // namespace driftless::cli

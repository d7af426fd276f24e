// --event and --resume, from outside.
#include <fstream>

#include "program.hpp"

namespace driftless::cli {
namespace {

class EventFlag : public Program {};
class ResumeFlag : public Program {};

TEST_F(EventFlag, ReportsRootsInJsonAndFile) {
  const Json result =
      json({"run", "pendulum", "--set", "case=C3", "--t-end", "2", "--rtol", "1e-12", "--atol", "1e-12",
            "--event", "x", "--event", "vx:direction=rising", "--json", "--out", "r"});
  const Json& events = result.at("events");
  ASSERT_EQ(events.size(), 3u);  // down at 0.5, the turning point at 1, back at 1.5
  const double times[] = {0.5, 1, 1.5};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(events[i].at("t").get<double>(), times[i], 1e-9);
  EXPECT_EQ(events[0].at("name"), "x = 0");
  EXPECT_EQ(events[1].at("name"), "vx = 0 rising");
  EXPECT_NEAR(events[0].at("state").at("q")[1].get<double>(), -1, 1e-12);
  const auto lines = lines_of(read("r/events.csv"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].substr(0, 9), "event,t,x");
  EXPECT_EQ(lines[1].substr(0, 6), "x = 0,");
}

TEST_F(EventFlag, StopsTheRun) {
  const Outcome o = run({"run", "pendulum", "--set", "case=A01", "--event", "y:value=-0.5,stop=yes"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.out.find("event 'y = -0.5' ended the run at t = "), std::string::npos) << o.out;
}

// The tension v^2 - g y of a rope that starts at the bottom with v^2 = 3.5 g is 3 g (1/2 - y).
TEST_F(EventFlag, ReadsMultipliers) {
  for (const char* formulation : {"index1", "ggl", "index3"}) {
    const Json result = json({"run",           "pendulum",
                              "--set",         "gravity=9.81",
                              "--set",         "x=0",
                              "--set",         "y=-1",
                              "--set",         "vx=5.859607495387",
                              "--set",         "vy=0",
                              "--t-end",       "2",
                              "--rtol",        "1e-10",
                              "--atol",        "1e-10",
                              "--formulation", formulation,
                              "--event",       "lambda[0]:direction=falling,stop=yes",
                              "--json",        "--out",
                              formulation});
    ASSERT_EQ(result.at("events").size(), 1u) << formulation;
    EXPECT_NEAR(result.at("final").at("q")[1].get<double>(), 0.5, 1e-7) << formulation;
    EXPECT_NEAR(result.at("final").at("lambda")[0].get<double>(), 0, 1e-9) << formulation;
  }
}

TEST_F(EventFlag, WrongNamesAreRefused) {
  const Outcome o = run({"run", "andrews", "--event", "bta"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("did you mean beta"), std::string::npos) << o.err;
  EXPECT_EQ(run({"run", "andrews", "--event", "beta:way=up"}).status, 2);
  EXPECT_EQ(run({"run", "andrews", "--event", "beta:direction=up"}).status, 2);
}

TEST_F(ResumeFlag, GoesOnBitByBit) {
  for (const Words& method : {Words{},
                              {"--integrator", "rk4", "--step", "1e-5"},
                              {"--integrator", "ab4", "--step", "1e-5"},
                              {"--integrator", "implicit-midpoint", "--step", "1e-4"}}) {
    const auto go = [&](Words words) {
      words.insert(words.end(), method.begin(), method.end());
      return json(words).at("final");
    };
    const Json whole = go({"run", "andrews", "--event", "beta:value=3", "--json"});
    go({"run", "andrews", "--event", "beta:value=3", "--json", "--t-end", "0.0123", "--out", "part"});
    const Json rest = json({"run", "--resume", "part", "--t-end", "0.03", "--json"});
    EXPECT_EQ(whole, rest.at("final"));
    fs::remove_all(folder() / "work" / "part");
  }
}

TEST_F(ResumeFlag, RefusesWhatItWouldIgnoreAndWhatItCannotRead) {
  ASSERT_EQ(run({"run", "pendulum", "--out", "r"}).status, 0);
  const auto complaint = [&](const Words& words) {
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 2);
    return o.err;
  };
  EXPECT_NE(complaint({"run", "--resume", "r", "--rtol", "1e-3"}).find("--rtol would be ignored"),
            std::string::npos);
  EXPECT_NE(complaint({"run", "pendulum", "--resume", "r"}).find("a problem would be ignored"),
            std::string::npos);
  EXPECT_NE(complaint({"run", "--resume", "none"}).find("cannot be read"), std::string::npos);
  EXPECT_NE(complaint({"run", "--resume", "r", "--t-end", "0.1"}).find("give a later end"),
            std::string::npos);
  std::ofstream(folder() / "work" / "bad.json") << "{\"problem\": 3}";
  EXPECT_NE(complaint({"run", "--resume", "bad.json"}).find("is no checkpoint"), std::string::npos);
}

}  // namespace
}  // namespace driftless::cli

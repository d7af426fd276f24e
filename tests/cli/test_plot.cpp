// driftless run --plot: the files, the refusals, the JSON document.
#include "program.hpp"

#include "support/xml_check.hpp"

namespace driftless::cli {
namespace {

using Plot = Program;

TEST_F(Plot, EachItemBecomesAFile) {
  const Outcome outcome = run({"run", "001-slider-crank", "--plot", "drift;energy;theta,psi';x2|y2"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const char* file : {"drift.svg", "energy.svg", "theta-psi_dot.svg", "y2-over-x2.svg"}) {
    const std::string svg = read(fs::path("results/001-slider-crank") / file);
    EXPECT_EQ(tests::xml_fault(svg), "") << file;
    EXPECT_NE(svg.find("class=\"curve\""), std::string::npos) << file;
    EXPECT_NE(svg.find("001-slider-crank: index1 + dopri5 + post:F=block; rtol = 1e-06"), std::string::npos)
        << svg;
    EXPECT_NE(outcome.out.find(file), std::string::npos) << outcome.out;
  }
  EXPECT_NE(read("results/001-slider-crank/theta-psi_dot.svg").find(">psi&#39;<"), std::string::npos);
}

TEST_F(Plot, WithoutTheFlagThereAreNone) {
  ASSERT_EQ(run({"run", "pendulum"}).status, 0);
  for (const auto& file : fs::directory_iterator(folder() / "work/results/pendulum"))
    EXPECT_NE(file.path().extension(), ".svg");
}

TEST_F(Plot, JsonStaysOneDocumentAndNamesTheFiles) {
  const Json run = json({"run", "pendulum", "--plot", "x,y;drift"});
  EXPECT_EQ(run["output"]["plots"], (Json{"x-y.svg", "drift.svg"}));
  EXPECT_EQ(Json::parse(read("results/pendulum/run.json")), run);
  EXPECT_TRUE(fs::exists(folder() / "work/results/pendulum/x-y.svg"));
  EXPECT_EQ(json({"run", "pendulum"})["output"]["plots"], Json::array());
}

TEST_F(Plot, OnlyOutputStatesAreDrawn) {
  ASSERT_EQ(run({"run", "pendulum", "--output", "at=0.2;0.6;1", "--plot", "x"}).status, 0);
  const std::string svg = read("results/pendulum/x.svg");
  std::size_t marks = 0;
  for (auto at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++marks;
  EXPECT_EQ(marks, 3u);
}

TEST_F(Plot, ARunThatEndsEarlyIsDrawnToo) {
  const Outcome outcome = run({"run", "pendulum", "--max-steps", "3", "--plot", "drift;x"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(tests::xml_fault(read("results/pendulum/drift.svg")), "");
  EXPECT_EQ(tests::xml_fault(read("results/pendulum/x.svg")), "");
}

TEST_F(Plot, AFullDiskIsReported) {
  const std::string text =
      shell(
          "trap '' XFSZ; (ulimit -f 0; \"$driftless\" run pendulum --plot x; echo \"status $?\") "
          "2>&1 | cat")
          .out;
  EXPECT_NE(text.find("could not be written"), std::string::npos) << text;
  EXPECT_NE(text.find("status 1"), std::string::npos) << text;
}

// Refused before a run that would take hours, and before there is a folder.
TEST_F(Plot, RefusesWhatItDoesNotKnowBeforeTheRun) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"drfit", "did you mean drift"},
      {"x,vz", "did you mean vx or vy"},
      {"lambda", "did you mean lambda[0]"},
      {"x|z", "knows no 'z'"},
      {"x;;y", "an item is empty"},
      {"", "an item is empty"},
      {"x;x", "twice"},
      {"x,y,x", "twice"},
      {"x|", "a column is missing"},
      {"x,drift", "an item of its own"},
  };
  for (const auto& [list, said] : cases) {
    const Outcome outcome = run({"run", "pendulum", "--t-end", "1e9", "--rtol", "1e-12", "--atol", "1e-12",
                                 "--max-steps", "1e15", "--output", "every=1e3", "--plot", list});
    EXPECT_EQ(outcome.status, 2) << list;
    EXPECT_EQ(outcome.out, "") << list;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find("--plot"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(folder() / "work/results"));
  }
}

TEST_F(Plot, HelpTellsOfIt) {
  const std::string help = run({"run", "--help"}).out;
  EXPECT_NE(help.find("  --plot LIST"), std::string::npos) << help;
  EXPECT_NE(help.find("items of --plot"), std::string::npos) << help;
}

}  // namespace
}  // namespace driftless::cli

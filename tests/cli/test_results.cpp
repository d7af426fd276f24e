// The files of a run: where they are, what is in them, and that nothing computed is lost.
#include "program.hpp"

#include <cmath>

namespace driftless::cli {
namespace {

using Results = Program;

TEST_F(Results, AnExistingFolderGetsANumberedSibling) {
  for (int i = 0; i < 3; ++i) ASSERT_EQ(run({"run", "pendulum"}).status, 0);
  const std::string first = read("results/pendulum/run.json");
  EXPECT_TRUE(fs::exists(folder() / "work/results/pendulum-2/run.json"));
  EXPECT_TRUE(fs::exists(folder() / "work/results/pendulum-3/trajectory.csv"));
  EXPECT_FALSE(fs::exists(folder() / "work/results/pendulum-4"));
  EXPECT_EQ(read("results/pendulum/run.json"), first);
}

// Scripts look where they said.
TEST_F(Results, AFolderThatWasNamedAndHasFilesIsRefused) {
  ASSERT_EQ(run({"run", "pendulum", "--out", "near"}).status, 0);
  ASSERT_EQ(run({"run", "pendulum", "--out", "here/there/"}).status, 0);
  const std::string first = read("here/there/run.json");
  for (const Words& again :
       {Words{"run", "pendulum", "--t-end", "1e9", "--out", "here/there/"},
        Words{"run", "--resume", "here/there", "--t-end", "1e9", "--out", "here/there"},
        Words{"demo", "--out", "here/there"}, Words{"reproduce", "--out", "here/there"}}) {
    const Outcome outcome = run(again);  // with what would take minutes to compute
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err,
              "driftless: the output folder here/there is there already, with files in it, and is not "
              "written over; remove it, or name another one with --out DIR\n");
  }
  EXPECT_EQ(read("here/there/run.json"), first);
  EXPECT_FALSE(fs::exists(folder() / "work/here/there-2"));
}

TEST_F(Results, AFolderThatIsEmptyIsUsedAndStays) {
  fs::create_directories(folder() / "work/mine");
  ASSERT_EQ(run({"run", "pendulum", "--max-steps", "-1", "--out", "mine"}).status, 2);
  EXPECT_TRUE(fs::exists(folder() / "work/mine"));
  ASSERT_EQ(run({"run", "pendulum", "--out", "mine"}).status, 0);
  EXPECT_TRUE(fs::exists(folder() / "work/mine/run.json"));
}

TEST_F(Results, TheSummaryNamesTheFolder) {
  const Outcome outcome = run({"run", "pendulum", "--out", "mine"});
  EXPECT_NE(outcome.out.find("in mine/"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Results, TrajectoryHasNamedColumnsAndEveryStep) {
  const Json run = json({"run", "001-slider-crank"});
  const Csv csv(read("results/001-slider-crank/trajectory.csv"));
  EXPECT_EQ(csv.columns, (Words{"t", "theta", "x2", "y2", "psi", "theta'", "x2'", "y2'", "psi'", "lambda[0]",
                                "lambda[1]", "lambda[2]"}));
  ASSERT_EQ(csv.rows.size(), run["work"]["steps"].get<std::size_t>() + 1);
  EXPECT_EQ(csv.value(0, "t"), 0);
  EXPECT_EQ(csv.value(0, "x2"), 3);
  // Bit by bit: 17 digits are enough to read the same number again.
  const std::size_t last = csv.rows.size() - 1;
  EXPECT_EQ(csv.value(last, "t"), 10);
  EXPECT_EQ(csv.value(last, "theta"), run["final"]["q"][0]);
  EXPECT_EQ(csv.value(last, "psi'"), run["final"]["v"][3]);
  EXPECT_EQ(csv.value(last, "lambda[2]"), run["final"]["lambda"][2]);
}

TEST_F(Results, StepsThatWereChosenAreListed) {
  const Json run = json({"run", "andrews", "--formulation", "ggl", "--plot", "steps"});
  const Csv csv(read("results/andrews/steps.csv"));
  EXPECT_EQ(csv.columns, (Words{"t", "h", "order", "rejected"}));
  ASSERT_EQ(csv.rows.size(), run["work"]["steps"].get<std::size_t>());
  EXPECT_EQ(csv.value(csv.rows.size() - 1, "t"), 0.03);
  std::map<std::string, int> orders;
  double rejected = 0;
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    ++orders[std::to_string(static_cast<int>(csv.value(i, "order")))];
    rejected += csv.value(i, "rejected");
  }
  EXPECT_EQ(run["work"]["orders"], Json(orders));
  EXPECT_EQ(rejected, run["work"]["rejected"]);
  EXPECT_NE(read("results/andrews/steps.svg").find("order 5"), std::string::npos);
  ASSERT_EQ(this->run({"run", "pendulum", "--step", "0.1"}).status, 0);
  EXPECT_FALSE(fs::exists(folder() / "work/results/pendulum/steps.csv"));
}

TEST_F(Results, OutputAtCertainTimesAgreesWithTheReference) {
  ASSERT_EQ(
      run({"run", "001-slider-crank", "--rtol", "1e-10", "--atol", "1e-10", "--output", "at=2;1;10"}).status,
      0);
  const Csv csv(read("results/001-slider-crank/trajectory.csv"));
  ASSERT_EQ(csv.rows.size(), 3u);
  EXPECT_EQ(csv.value(0, "t"), 1);
  EXPECT_NEAR(csv.value(0, "theta"), -1.0612702824, 1e-7);
  EXPECT_NEAR(csv.value(0, "psi'"), -0.1825416842, 1e-7);
  EXPECT_NEAR(csv.value(1, "x2"), 1.43297811, 1e-7);
  EXPECT_NEAR(csv.value(2, "y2"), -0.1846310785, 1e-7);
}

TEST_F(Results, OutputEveryInterval) {
  ASSERT_EQ(
      run({"run", "001-slider-crank", "--rtol", "1e-10", "--atol", "1e-10", "--output", "every=0.5"}).status,
      0);
  const Csv csv(read("results/001-slider-crank/trajectory.csv"));
  ASSERT_EQ(csv.rows.size(), 21u);
  for (std::size_t i = 0; i < csv.rows.size(); ++i) EXPECT_EQ(csv.value(i, "t"), 0.5 * double(i));
  EXPECT_NEAR(csv.value(4, "theta"), -2.07093812, 1e-7);
}

TEST_F(Results, ARunThatEndsEarlyKeepsWhatItHas) {
  const Outcome outcome = run({"run", "pendulum", "--max-steps", "3"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("ended early: 3 steps"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("max-steps"), std::string::npos) << outcome.out;
  EXPECT_EQ(Json::parse(read("results/pendulum/run.json"))["end"]["reason"], "max-steps");
  EXPECT_EQ(Csv(read("results/pendulum/trajectory.csv")).rows.size(), 4u);
  const Json document = json({"run", "pendulum", "--max-steps", "3"}, 1);
  EXPECT_EQ(document["end"]["reason"], "max-steps");
  EXPECT_NE(document["end"]["message"].get<std::string>().find("--max-steps"), std::string::npos);
}

// No file may grow beyond 0 blocks, as on a full disk; what is printed goes through a pipe.
TEST_F(Results, AFullDiskLosesNothingThatIsPrinted) {
  const std::string text =
      shell("trap '' XFSZ; (ulimit -f 0; \"$driftless\" run pendulum; echo \"status $?\") 2>&1 | cat").out;
  EXPECT_NE(text.find("driftless: results/pendulum/run.json could not be written"), std::string::npos)
      << text;
  EXPECT_NE(text.find("reached t = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("status 1"), std::string::npos) << text;
}

// The folder is tried before the run's time is spent: this run would take hours.
TEST_F(Results, AnUnwritableFolderIsFoundBeforeTheRun) {
  shell("echo content > file");
  const Outcome outcome = run({"run", "pendulum", "--t-end", "1e9", "--rtol", "1e-12", "--atol", "1e-12",
                               "--max-steps", "1e15", "--output", "every=1e3", "--out", "file/x"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(read("file"), "content\n");
}

}  // namespace
}  // namespace driftless::cli

// Ctrl-C: the run ends in an orderly way, and what was computed is kept.
#include "program.hpp"

#include <signal.h>

#include <chrono>
#include <thread>

namespace driftless::cli {
namespace {

class Interrupt : public Program, public testing::WithParamInterface<int> {};

TEST_P(Interrupt, KeepsWhatWasComputed) {
  const pid_t process = start({"run", "pendulum", "--t-end", "1e9", "--rtol", "1e-10", "--atol", "1e-10",
                               "--max-steps", "1e15", "--output", "every=1e3", "--json"});
  // The folder is made when the run begins.
  for (int i = 0; i < 1000 && !fs::exists(folder() / "work/results/pendulum"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ASSERT_EQ(kill(process, GetParam()), 0);
  const Outcome outcome = wait(process);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("interrupted at t = "), std::string::npos) << outcome.err;
  const Json run = Json::parse(outcome.out);
  EXPECT_EQ(run["end"]["reason"], "interrupted");
  EXPECT_GT(run["final"]["t"], 0.0);
  EXPECT_EQ(Json::parse(read("results/pendulum/run.json")), run);
  EXPECT_GE(Csv(read("results/pendulum/trajectory.csv")).rows.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, testing::Values(SIGINT, SIGTERM),
                         [](const auto& test) { return test.param == SIGINT ? "SIGINT" : "SIGTERM"; });

}  // namespace
}  // namespace driftless::cli

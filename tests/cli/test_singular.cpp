// Singular configurations and contradictions on the command line: what is printed, the exit status, what is kept.
#include "program.hpp"

namespace driftless::cli {
namespace {

class Singular : public Program {};

bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST_F(Singular, CrossingsInSummaryAndJson) {
  const Outcome told = run({"run", "n-four-bar", "--rtol", "1e-8"});
  EXPECT_EQ(told.status, 0);
  EXPECT_TRUE(contains(told.out, "singular    crossed at t = 0.71435")) << told.out;
  EXPECT_TRUE(contains(told.out, "rank 12 there, 14 around")) << told.out;
  const Json document = json({"run", "n-four-bar", "--rtol", "1e-8", "--json"});
  int crossed = 0;
  for (const Json& one : document["singularities"]) {
    EXPECT_TRUE(one["t"].is_number());
    EXPECT_FALSE(one["constraints"].empty());
    EXPECT_EQ(one["state"]["q"].size(), 15u);
    if (one["kind"] == "crossed") ++crossed;
  }
  EXPECT_EQ(crossed, 10);
}

TEST_F(Singular, LockUp) {
  const Json document = json({"run", "lock-up-slider-crank", "--json"}, 1);
  EXPECT_EQ(document["end"]["reason"], "lock-up");
  EXPECT_TRUE(contains(document["end"]["message"], "can no longer be met together by finite velocities"));
  EXPECT_FALSE(document["singularities"].empty());
  const Outcome told = run({"run", "lock-up-slider-crank", "--out", "kept"});
  EXPECT_EQ(told.status, 1);
  EXPECT_TRUE(contains(told.err, "lock-up at t = 0.52359")) << told.err;
  EXPECT_GT(Csv(read("kept/trajectory.csv")).rows.size(), 10u);
}

TEST_F(Singular, Impasse) {
  const Json document = json({"run", "impasse", "--json", "--out", "kept"}, 1);
  EXPECT_EQ(document["end"]["reason"], "impasse");
  EXPECT_NEAR(document["end"]["t"].get<double>(), 0.693147, 1e-4);
  EXPECT_GT(Csv(read("kept/trajectory.csv")).rows.size(), 10u);
}

TEST_F(Singular, Contradictions) {
  const Outcome at_start = run({"run", "redundant-pendulum", "--set", "gap=0.1"});
  EXPECT_EQ(at_start.status, 2);
  EXPECT_TRUE(contains(at_start.err, "the constraints contradict each other at the start: rod length again"))
      << at_start.err;
  const Json later =
      json({"run", "redundant-pendulum", "--set", "growth=1e-5", "--json", "--out", "kept"}, 1);
  EXPECT_EQ(later["end"]["reason"], "contradiction");
  EXPECT_GT(Csv(read("kept/trajectory.csv")).rows.size(), 2u);
}

TEST_F(Singular, RedundancyIsTold) {
  const Outcome told = run({"run", "redundant-pendulum"});
  EXPECT_EQ(told.status, 0);
  EXPECT_TRUE(contains(told.out, "1 of 2 constraints is redundant at the start")) << told.out;
}

}  // namespace
}  // namespace driftless::cli

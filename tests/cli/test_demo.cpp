// driftless demo: what a stranger sees first.
#include "program.hpp"

#include <regex>

namespace driftless::cli {
namespace {

using Demo = Program;

// Columns on the screen: bytes that continue a UTF-8 character take none.
std::size_t width(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return columns;
}

TEST_F(Demo, ShowsTheDifference) {
  const Outcome outcome = shell("LC_ALL=C.UTF-8 \"$driftless\" demo");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"001-slider-crank", "4 coordinates, 3 constraints", "index1 + dopri5",
                           "post:F=block", "drift in position", "drift in velocity", "energy balance",
                           "steps", "computing time", "results/demo/", "Try next"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
  EXPECT_NE(outcome.out.find("\u28C0"), std::string::npos) << "no Braille in:\n" << outcome.out;
  for (const std::string& line : lines_of(outcome.out))
    if (!line.starts_with("    $")) {
      EXPECT_LE(width(line), 80u) << line;
    }
}

TEST_F(Demo, PlotsWithLettersWhereBrailleCannotBeShown) {
  const Outcome outcome = shell("LC_ALL=C \"$driftless\" demo");
  EXPECT_EQ(outcome.status, 0);
  for (const char c : outcome.out) ASSERT_LT(static_cast<unsigned char>(c), 128u);
  EXPECT_NE(outcome.out.find("xxxxxx"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("oooooo"), std::string::npos) << outcome.out;
}

TEST_F(Demo, TheFilesShowTheDifferenceToo) {
  ASSERT_EQ(run({"demo"}).status, 0);
  const Json with = Json::parse(read("results/demo/with/run.json"));
  const Json without = Json::parse(read("results/demo/without/run.json"));
  EXPECT_LT(with["drift"]["position"], 1e-12);
  EXPECT_LT(with["drift"]["velocity"], 1e-11);
  EXPECT_GT(without["drift"]["position"], 1e-2);
  EXPECT_GT(without["drift"]["velocity"], 1e-5);
  EXPECT_EQ(with["method"]["stabilizer"], "post:F=block");
  EXPECT_EQ(without["method"]["stabilizer"], "none");
  // The history that is plotted: the largest of it is the drift reported.
  const Csv history(read("results/demo/without/drift.csv"));
  double largest = 0;
  for (std::size_t i = 0; i < history.rows.size(); ++i)
    largest = std::max(largest, history.value(i, "position"));
  EXPECT_EQ(largest, without["drift"]["position"]);
}

TEST_F(Demo, TheSuggestedCommandsWork) {
  const Outcome demo = run({"demo"});
  int commands = 0;
  for (const std::string& line : lines_of(demo.out)) {
    if (!line.starts_with("    $ ")) continue;
    ++commands;
    const Outcome outcome = shell(line.substr(6));
    EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
    EXPECT_FALSE(outcome.out.empty()) << line;
  }
  EXPECT_GE(commands, 2);
  EXPECT_LE(commands, 4);
}

}  // namespace
}  // namespace driftless::cli

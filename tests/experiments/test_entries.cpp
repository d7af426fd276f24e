// The rules by which an entry is judged, on runs that are made up.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include <driftless/core/errors.hpp>

#include "experiments/common/loop.hpp"
#include "experiments/common/readings.hpp"
#include "experiments/papers.hpp"

namespace driftless::experiments {
namespace {

class MadeUp final : public Runner {
 public:
  const RunRecord& run(const std::string& command) override {
    RunRecord& record = records_[command];
    if (command == "fails")
      record.json = {{"end", {{"reason", "not-finite"}, {"message", "it overflowed"}}},
                     {"error", {{"q", 1}}}};
    else
      record.json = {{"end", {{"reason", "reached-end"}}},
                     {"error", {{"q", command == "baseline" ? 0.002 : 0.001876}, {"v", nullptr}}}};
    if (command.starts_with("with "))  // a number of its own
      record.json["error"]["q"] = std::stod(command.substr(5));
    return record;
  }

 private:
  std::map<std::string, RunRecord> records_;
};

TEST(Printed, RoundedTruncatedOrOneUnitAway) {
  EXPECT_TRUE(matches(.1876e-2, ".19e-2"));  // rounds
  EXPECT_TRUE(matches(-.35601, "-.35"));     // truncates
  EXPECT_TRUE(matches(.1800e-2, ".19e-2"));  // one unit
  EXPECT_FALSE(matches(.1876e-2, ".20e-2"));
  EXPECT_FALSE(matches(.35, "-.35"));
  EXPECT_TRUE(matches(.1338e42, ".13e+42"));
  EXPECT_TRUE(matches(9.9, "10"));
  EXPECT_TRUE(matches(1.8e-15, "0"));  // roundoff
  EXPECT_FALSE(matches(1e-9, "0"));
  EXPECT_FALSE(matches(std::nan(""), "0"));
}

// What counts as roundoff goes with the size of the solution.
TEST(Printed, RoundoffOfLargeNumbers) {
  EXPECT_TRUE(matches(0, ".45e+58", 1e62));
  EXPECT_TRUE(matches(.25e59, ".45e+58", 1e62));
  EXPECT_FALSE(matches(.25e63, ".45e+58", 1e62));
  EXPECT_FALSE(matches(.25e59, ".45e+58"));
  EXPECT_TRUE(matches(4e-16, ".14e-15"));
}

TEST(Printed, UnitsBeyondTheLastDigit) {
  EXPECT_NEAR(units_beyond(.4965e-2, ".49e-2"), 0.65, 1e-12);  // truncated
  EXPECT_NEAR(units_beyond(.5246e-2, ".53e-2"), -0.54, 1e-12);
  EXPECT_NEAR(units_beyond(.8625e53, ".85e+53"), 1.25, 1e-12);
  EXPECT_NEAR(units_beyond(-.356, "-.35"), 0.6, 1e-12);
}

TEST(Recomputed, ThreeDigitsOrAllThereAre) {
  EXPECT_TRUE(agrees(1.0024e-4, digits("1.002004e-4")));
  EXPECT_FALSE(agrees(1.003e-4, digits("1.002004e-4")));
  EXPECT_TRUE(agrees(9.44e-3, digits("9.4e-3")));
  EXPECT_FALSE(agrees(9.46e-3, digits("9.4e-3")));
  EXPECT_TRUE(agrees(3.3e-14, digits("3.24e-14")));  // five percent below 1e-12
  EXPECT_FALSE(agrees(3.5e-14, digits("3.24e-14")));
  EXPECT_TRUE(agrees(.9223e74, relative(".9191e+74", 0.01)));
  EXPECT_FALSE(agrees(.94e74, relative(".9191e+74", 0.01)));
  EXPECT_TRUE(agrees(1.9e-4, within_factor("1e-4", 2)));
  EXPECT_TRUE(agrees(0.51e-4, within_factor("1e-4", 2)));
  EXPECT_FALSE(agrees(2.1e-4, within_factor("1e-4", 2)));
  EXPECT_FALSE(agrees(0.49e-4, within_factor("1e-4", 2)));
  EXPECT_FALSE(agrees(-1e-4, within_factor("1e-4", 2)));
  EXPECT_FALSE(agrees(0, within_factor("1e-4", 2)));
  EXPECT_TRUE(agrees(3.9, absolute("4", 0.2)));
  EXPECT_FALSE(agrees(3.7, absolute("4", 0.2)));
  EXPECT_TRUE(agrees(-2e-15, below(1e-14)));
  EXPECT_FALSE(agrees(2e-14, below(1e-14)));
  EXPECT_TRUE(agrees(1.1, above(1)));
  EXPECT_FALSE(agrees(0.9, above(1)));
  EXPECT_TRUE(agrees(3e15, above_or_none(1e6, ".3e+15")));
  EXPECT_FALSE(agrees(0.5, above_or_none(1e6, ".3e+15")));
  EXPECT_TRUE(agrees(std::nullopt, above_or_none(1e6, ".3e+15")));
  EXPECT_FALSE(agrees(std::nullopt, above(1e6)));
  EXPECT_TRUE(agrees(std::nullopt, overflow()));
  EXPECT_FALSE(agrees(1.0, overflow()));
  EXPECT_FALSE(agrees(std::nullopt, digits("1")));
}

Entry entry(const std::string& printed, const Expected& expected, const std::string& path,
            const std::string& command = "runs") {
  return {.item = "",
          .quantity = "",
          .printed = printed,
          .expected = expected,
          .command = command,
          .reading = pointer(path)};
}

TEST(Verdict, OfARun) {
  MadeUp runner;
  const Result good = evaluate(entry(".19e-2", digits(".1876e-2"), "/error/q"), runner);
  EXPECT_EQ(good.verdict, "match");
  EXPECT_TRUE(good.agrees);
  const Result bad = evaluate(entry(".20e-2", digits(".200e-2"), "/error/q"), runner);
  EXPECT_EQ(bad.verdict, "differs");
  EXPECT_FALSE(bad.agrees);
  EXPECT_EQ(evaluate(entry("", digits(".1876e-2"), "/error/q"), runner).verdict, "not-printed");
}

// The run that is compared with stands above: 0.002/0.001876.
TEST(Verdict, OfAQuotient) {
  Entry quotient = entry("", digits("1.066"), "/error/q");
  quotient.baseline_command = "baseline";
  MadeUp runner;
  const Result result = evaluate(quotient, runner);
  EXPECT_TRUE(result.agrees);
  EXPECT_NEAR(*result.value, 0.002 / 0.001876, 1e-15);
  quotient.baseline_command = "fails";
  EXPECT_FALSE(evaluate(quotient, runner).value.has_value());
}

// 1, 10 and 100 have the mean 10; 1 and 4 have 2.
TEST(Verdict, OfALoop) {
  Entry mean = entry("", digits("10"), "", loop("n", {"1", "10", "100"}, "with $n"));
  mean.reading = geometric_mean(pointer("/error/q"));
  MadeUp runner;
  const Result result = evaluate(mean, runner);
  EXPECT_TRUE(result.agrees);
  EXPECT_NEAR(*result.value, 10, 1e-12);
  mean.reading = largest(pointer("/error/q"));
  EXPECT_EQ(evaluate(mean, runner).value, 100);
  mean.reading = median(quotient(pointer("/error/q"), pointer("/error/q")));
  EXPECT_EQ(evaluate(mean, runner).value, 1);
  mean.reading = largest(pointer("/error/v"));
  EXPECT_FALSE(evaluate(mean, runner).value.has_value()) << "null in the document";
  mean.reading = geometric_mean(pointer("/error/q"));
  mean.baseline_command = loop("n", {"1", "4"}, "with $n");
  EXPECT_NEAR(*evaluate(mean, runner).value, 0.2, 1e-12);
  mean.reading = median(pointer("/error/q"));
  mean.baseline_command.clear();
  mean.command = loop("n", {"30", "1", "2", "4"}, "with $n");
  EXPECT_EQ(evaluate(mean, runner).value, 3);
  mean.command = loop("n", {"runs", "fails"}, "$n");
  EXPECT_FALSE(evaluate(mean, runner).value.has_value());
}

TEST(Recomputed, SignificantDigits) {
  EXPECT_EQ(significant_digits("1.0000421644"), 11);
  EXPECT_EQ(significant_digits(".0063"), 2);
  EXPECT_EQ(significant_digits("-2.500192e-7"), 7);
  EXPECT_EQ(significant_digits(""), 1);
}

// A number of a run that did not reach its end is no value, whatever the document says.
TEST(Verdict, WhatIsNotFiniteIsNullWithANote) {
  MadeUp runner;
  const Result early = evaluate(entry("1", overflow(), "/error/q", "fails"), runner);
  EXPECT_FALSE(early.value.has_value());
  EXPECT_EQ(early.verdict, "differs");
  EXPECT_TRUE(early.agrees);
  EXPECT_NE(early.note.find("it overflowed"), std::string::npos) << early.note;
  const Result missing = evaluate(entry("", digits("1"), "/error/v"), runner);
  EXPECT_FALSE(missing.value.has_value());
  EXPECT_FALSE(missing.agrees);
  EXPECT_NE(missing.note.find("not finite"), std::string::npos) << missing.note;
}

TEST(Readings, OfTwoTablesAtTheTimesOfTheFirst) {
  const RunRecord coarse{{}, {{"t", "x"}, {{0, 1, 2}, {0, 10, 20}}}};
  const RunRecord fine{{}, {{"t", "x"}, {{0, 0.5, 1, 1.5, 2}, {0, 5, 11, 15, 18}}}};
  const RowFunction x = [](const Table& table, std::size_t row) { return table.column("x")[row]; };
  EXPECT_EQ(largest_difference("", x).value(coarse, fine), 2);
  EXPECT_EQ(largest_difference("", x, 1).value(coarse, fine), 2);
  EXPECT_DOUBLE_EQ(rms_difference("", x).value(coarse, fine), std::sqrt(5.0 / 3));
  EXPECT_TRUE(std::isnan(largest_difference("", x).value(fine, coarse)))
      << "a time that the other does not have";
  EXPECT_THROW(coarse.trajectory.column("y"), InputError);
}

TEST(Commands, WordsAsAShellReadsThem) {
  EXPECT_EQ(words_of("driftless  run x --output 'at=1;2 3' "),
            std::vector<std::string>({"driftless", "run", "x", "--output", "at=1;2 3"}));
}

TEST(Commands, LoopsAsAShellReadsThem) {
  const std::string command =
      loop("tol", {"1e-4", "1e-5"}, "driftless run x --rtol $tol --set 'a b' --atol $tol");
  EXPECT_EQ(command, "for tol in 1e-4 1e-5; do driftless run x --rtol $tol --set 'a b' --atol $tol; done");
  EXPECT_EQ(commands_of(command),
            std::vector<std::string>({"driftless run x --rtol 1e-4 --set 'a b' --atol 1e-4",
                                      "driftless run x --rtol 1e-5 --set 'a b' --atol 1e-5"}));
  EXPECT_EQ(commands_of("driftless run x --formulation 'state-space:R=1;0'"),
            std::vector<std::string>({"driftless run x --formulation 'state-space:R=1;0'"}));
  EXPECT_THROW(commands_of("for tol in 1e-4; do driftless run x"), InputError);
}

TEST(Papers, AreFoundByName) {
  EXPECT_EQ(find_paper("001").name, "001");
  EXPECT_THROW(find_paper("1"), InputError);
}

}  // namespace
}  // namespace driftless::experiments

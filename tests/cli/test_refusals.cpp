// Bad usage and bad input: exit status 2, nothing on standard output, one sentence on standard error that
// says what is wrong, and no folder left behind.
#include "program.hpp"

namespace driftless::cli {
namespace {

struct Refusal {
  std::string name;
  Words arguments;
  std::vector<std::string> said;  // parts of the sentence
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

Words pendulum(const Words& more) {
  Words words = {"run", "pendulum"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::vector<Refusal> refusals = {
    {"NoCommand", {}, {"no command", "run", "--help"}},
    {"UnknownCommand", {"rum"}, {"'rum'", "did you mean run?"}},
    {"UnknownProgramFlag", {"--verion"}, {"'--verion'", "did you mean --version?"}},
    {"UnknownFlag", pendulum({"--rtoll", "1e-6"}), {"'--rtoll'", "did you mean --rtol"}},
    {"UnknownFlagOfList", {"list", "--jsn"}, {"'--jsn'", "did you mean --json?"}},
    {"ExtraArgument", pendulum({"andrews"}), {"'andrews'"}},
    {"NoProblem", {"run"}, {"needs the name of a problem"}},
    {"MissingValue", pendulum({"--rtol"}), {"--rtol needs a value"}},
    {"FlagTwice", pendulum({"--rtol", "1e-6", "--rtol", "1e-7"}), {"--rtol is given more than once"}},
    {"UnknownProblem", {"run", "pendulm"}, {"problem 'pendulm'", "did you mean pendulum?"}},
    {"UnknownFormulation",
     pendulum({"--formulation", "indx1"}),
     {"'indx1'", "did you mean index1 or index2?"}},
    {"UnknownIntegrator", pendulum({"--integrator", "dopri"}), {"'dopri'", "did you mean dopri5?"}},
    {"UnknownStabilizer", pendulum({"--stabilizer", "pst"}), {"'pst'", "did you mean post?"}},
    {"UnknownControl", pendulum({"--control", "energy"}), {"control 'energy'"}},
    {"UnknownController", pendulum({"--controller", "p"}), {"'p'", "did you mean pi?"}},
    {"UnknownKind", {"list", "integrator"}, {"'integrator'", "did you mean integrators?"}},
    {"UnknownMethodOption", pendulum({"--stabilizer", "post:G=full"}), {"post", "'G'", "F"}},
    {"BadWord", pendulum({"--stabilizer", "post:F=blok"}), {"'blok'", "did you mean block?"}},
    {"BadOptionValue", pendulum({"--stabilizer", "post:alpha=3"}), {"alpha of post is 3", "below 2"}},
    {"UnknownParameter", pendulum({"--set", "gravty=2"}), {"'gravty'", "did you mean gravity?"}},
    {"ParameterWithoutValue", pendulum({"--set", "x"}), {"--set is 'x'", "name=value"}},
    {"ParameterTwice", pendulum({"--set", "x=1", "--set", "x=2"}), {"given twice"}},
    {"NegativeRtol", pendulum({"--rtol", "-1e-6"}), {"--rtol is -1e-06", "above 0"}},
    {"NegativeAtol", pendulum({"--atol", "-1"}), {"--atol is -1", "above 0"}},
    {"NotANumber", pendulum({"--rtol", "nan"}), {"--rtol is 'nan'", "finite number"}},
    {"NotANumberAtAll", pendulum({"--t-end", "soon"}), {"--t-end is 'soon'"}},
    {"EndBeforeStart", pendulum({"--t-end", "-1"}), {"--t-end is -1", "before the start"}},
    {"StepAndTolerance", pendulum({"--step", "0.1", "--rtol", "1e-6"}), {"--step", "--rtol"}},
    {"NoStep", pendulum({"--integrator", "rk4"}), {"rk4 has no error estimate", "--step H", "dopri5"}},
    {"NoSteps", pendulum({"--max-steps", "0"}), {"--max-steps is 0"}},
    {"HalfAStep", pendulum({"--max-steps", "2.5"}), {"--max-steps is '2.5'", "whole number"}},
    {"BadOutput", pendulum({"--output", "evry=1"}), {"'evry=1'", "did you mean every?"}},
    {"NoInterval", pendulum({"--output", "every=0"}), {"interval is 0"}},
    {"OutputAfterEnd", pendulum({"--output", "at=0.5;2"}), {"output time 2", "from 0 to 1"}},
    {"ImpossibleStart",
     pendulum({"--set", "x=0", "--set", "y=0"}),
     {"cannot be made consistent", "rod length"}},
    {"AnythingPasses", pendulum({"--atol", "1e308"}), {"--atol is 1e+308", "must be below 2e+06"}},
    {"FolderWithoutName", pendulum({"--out", "."}), {"'.'", "--out"}},
    {"FolderBelowAFile", pendulum({"--out", "file/below"}), {"file/below", "Not a directory", "--out DIR"}},
    {"ModesWithoutProblem", {"modes"}, {"modes needs the name of a problem"}},
    {"ModesOfUnknownProblem", {"modes", "pendulm"}, {"did you mean pendulum?"}},
    {"ModesAtNoPlace", {"modes", "pendulum", "--at", "strt"}, {"--at is 'strt'", "did you mean start?"}},
    {"ModesBeforeTheStart", {"modes", "pendulum", "--at", "-1"}, {"--at is -1", "starts at 0"}},
    {"ModesSearch", {"modes", "pendulum", "--search", "uphill"}, {"--search is 'uphill'", "downhill"}},
    {"ModesSearchElsewhere",
     {"modes", "pendulum", "--search", "newton", "--at", "start"},
     {"--search", "--at is 'start'", "leave one of them out"}},
    {"ModesParameter", {"modes", "pendulum", "--set", "length"}, {"--set name=value"}},
    {"FolderOfDemo", {"demo", "--out", "file/below"}, {"file/below", "--out DIR"}},
};

class Refusals : public Program, public testing::WithParamInterface<Refusal> {};

TEST_P(Refusals, OneSentenceAndStatusTwo) {
  shell("echo content > file");
  const Outcome outcome = run(GetParam().arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("driftless: ")) << outcome.err;
  for (const std::string& part : GetParam().said)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << "'" << part << "' is not in: " << outcome.err;
  EXPECT_FALSE(fs::exists(folder() / "work/results"));
}

INSTANTIATE_TEST_SUITE_P(Each, Refusals, testing::ValuesIn(refusals),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace driftless::cli

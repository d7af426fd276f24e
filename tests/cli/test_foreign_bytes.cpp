// Bytes that are not UTF-8: names of files may have them, names in files not.
#include <fstream>

#include "program.hpp"

namespace driftless::cli {
namespace {

const char* const pendulum = R"(title = "Pendulum"
dimensions = 2
[body.rod]
from = [0, 0]
to = [1, 0]
mass = 1
inertia = 0.1
[joint.pivot]
type = "revolute"
between = ["ground", "rod"]
[run]
t_end = 0.1
)";

using ForeignBytes = Program;

TEST_F(ForeignBytes, AModelWhoseFileNameHasThemIsResumed) {
  const std::string name = "b\xff.toml";
  std::ofstream(folder() / "work" / name) << pendulum;
  ASSERT_EQ(run({"run", name, "--out", "first"}).status, 0);
  const Outcome resumed = run({"run", "--resume", "first", "--t-end", "0.2", "--out", "second"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(run({"run", name, "--t-end", "0.2", "--out", "whole"}).status, 0);
  EXPECT_EQ(Json::parse(read("second/run.json"))["final"]["q"],
            Json::parse(read("whole/run.json"))["final"]["q"]);
}

TEST_F(ForeignBytes, InNamesOfRobotFilesTheyAreToldWithLineAndColumn) {
  std::ofstream(folder() / "work/r.urdf") << "<robot name=\"r\">\n  <!-- fr\xfcher -->\n"
                                             "  <link name=\"a\xff\"/>\n</robot>\n";
  const Outcome outcome = run({"check", "r.urdf"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("r.urdf:3:16: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("UTF-8"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace driftless::cli

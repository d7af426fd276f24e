// The MJCF reader beside MuJoCo itself: what a file means, at random states, in two programs (mujoco/comparison.hpp). A difference above 1e-9
// in any quantity is a failure.
//   mujoco [--states N] [FILE ...]      without files: those of benchmarks/mujoco/models and the MJCF files of tests/robots
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "mujoco/comparison.hpp"

using namespace driftless::benchmarks::mujoco;

namespace {

constexpr double allowed = 1e-9;

struct Arguments {
  int states = 20;
  std::vector<std::filesystem::path> files;
};

std::vector<std::filesystem::path> usual_files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder :
       {DRIFTLESS_SOURCE_DIR "/benchmarks/mujoco/models", DRIFTLESS_SOURCE_DIR "/tests/robots"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".xml") files.push_back(entry.path());
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.stem() < b.stem(); });
  return files;
}

Arguments read(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--states" && i + 1 < words.size())
      arguments.states = std::max(1, std::atoi(words[++i].c_str()));
    else
      arguments.files.emplace_back(words[i]);
  if (arguments.files.empty()) arguments.files = usual_files();
  return arguments;
}

std::string shown(double difference, bool compared = true) {
  return compared ? fmt::format("{:.1e}", difference) : "-";
}

void print_row(const Differences& d) {
  const bool equality = d.elements > 0;
  fmt::print("  {:<15} {:>6} {:>5} {:>9} {:>10} {:>11} {:>8} {:>8} {:>12} {:>8} {:>9} {:>8} {:>9}\n", d.model,
             d.bodies, d.freedoms, shown(d.places), shown(d.velocities), shown(d.mass), shown(d.bias),
             shown(d.applied, d.any_applied), shown(d.acceleration), shown(d.energy),
             shown(d.anywhere, equality), shown(d.closed, equality), shown(d.keyframes, d.any_keyframe));
  std::fflush(stdout);
}

void print_heading(int states) {
  fmt::print(
      "MJCF by Driftless beside MuJoCo {}: the largest relative difference at {} random states and at the "
      "keyframes of each file\n\n",
      mj_versionString(), states);
  fmt::print("  {:<15} {:>6} {:>5} {:>9} {:>10} {:>11} {:>8} {:>8} {:>12} {:>8} {:>9} {:>8} {:>9}\n", "model",
             "bodies", "dofs", "places", "velocities", "mass matrix", "bias", "applied", "acceleration",
             "energy", "equality", "closed", "keyframes");
}

void print_notes(const std::vector<Differences>& all) {
  fmt::print(R"(
applied   springs, dampers and actuators             energy    kinetic and of gravity             -  the file has none
equality  rows of connect and joint as they are      closed    where MuJoCo's residuals vanish: that ours do, and what rows span, of welds too
Not compared: forces of equality constraints, which are soft in MuJoCo and hold exactly here; contacts, limits, dry friction, tendons, meshes
and sensors, which are not simulated; springs and armature of ball and free joints; whatever is newer than MuJoCo {}.
)",
             mj_versionString());
  for (const Differences& d : all) {
    for (const std::string& name : d.left_out)
      fmt::print("{}: '{}' does not move, and is no body here\n", d.model, name);
    for (const std::string& note : d.notes)
      if (note.rfind("not simulated", 0) == 0 && note.find("not drawn") == note.npos)
        fmt::print("{}: {}\n", d.model, note);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read({argv + 1, argv + argc});
  print_heading(arguments.states);
  std::vector<Differences> all;
  bool failed = false;
  for (const std::filesystem::path& file : arguments.files) try {
      all.push_back(compare(file, arguments.states));
      print_row(all.back());
      failed = failed || !(all.back().worst() <= allowed);
    } catch (const std::exception& error) {
      fmt::print("  {}: {}\n", file.filename().string(), error.what());
      failed = true;
    }
  print_notes(all);
  double worst = 0;
  int states = 0;
  for (const Differences& d : all) worst = std::max(worst, d.worst()), states += d.states;
  fmt::print("\n{}: {} files, {} states, the largest difference is {:.1e} (allowed {:.0e})\n",
             failed ? "FAILED" : "agree", arguments.files.size(), states, worst, allowed);
  return failed ? 1 : 0;
}

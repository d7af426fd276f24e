// What robot files cost: how long trees of 100 and 1000 links take to load in each format, from the text to a mechanism that is ready to run in relative
// coordinates, and what a link costs then: one right-hand side and one step of the method that `driftless run` takes.
// Wanted: 1000 links load in less than a second, and a link among 1000 costs at most 1.2 times what it costs among 100. Exit status 1 where not.
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/driftless.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/robot_file.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "common/best_batch.hpp"
#include "common/callgrind.hpp"
#include "support/robot_trees.hpp"

using namespace driftless;
using tests::RobotTree;

namespace {

struct Format {
  const char* name;
  std::function<std::string(const RobotTree&)> text;
  bool robot = true;
};
const Format formats[] = {{"URDF", [](const RobotTree& tree) { return tree.urdf(); }},
                          {"SDFormat", [](const RobotTree& tree) { return tree.sdf(); }},
                          {"MJCF", [](const RobotTree& tree) { return tree.mjcf(); }},
                          {"model file", [](const RobotTree& tree) { return tree.model(); }, false}};

mechanics::RelativeCoordinates loaded(const Format& format, const std::string& text) {
  const std::string model = format.robot ? io::robot_model_text_of(text, "tree.xml").text : text;
  const io::Model read = io::read_model_text(model, "tree.toml");
  return {read.mechanism.finished(), read.mechanism.joints(), read.mechanism.assembled()};
}

double seconds_to_load(const Format& format, const RobotTree& tree) {
  const std::string text = format.text(tree);
  double best = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    loaded(format, text);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

// Fixed steps, so that both trees take equally many; a difference leaves out what happens once.
constexpr double step = 1e-5;
constexpr int few = 100, many = 300;

void run_steps(const Problem& problem, const State& start, int count) {
  solve(problem, start, {.stabilizer = "post"}, {.t_end = count * step, .step = step});
}

struct Cost {
  double right_hand_side = HUGE_VAL, step = HUGE_VAL;  // nanoseconds per link
};

// Of both trees in turns, the best of several rounds: what else runs on the machine only ever adds to it, and not to one of them alone.
std::array<Cost, 2> costs_of(const std::array<RobotTree, 2>& trees) {
  std::array<Cost, 2> costs;
  std::vector<mechanics::RelativeCoordinates> relative;
  for (const RobotTree& tree : trees) relative.push_back(loaded(formats[0], tree.urdf()));
  for (int round = 0; round < 7; ++round)
    for (std::size_t i = 0; i < 2; ++i) {
      const Problem& problem = *relative[i].problem();
      const State& start = relative[i].start();
      const Shape& shape = problem.shape();
      Workspace work;
      Vector r = Vector::Zero(shape.multipliers()), a(shape.nv), multipliers(shape.multipliers());
      const double rhs = benchmarks::best_batch(
          [&](std::size_t) { problem.acceleration(0, start.z, r, a, multipliers, work); });
      const auto seconds = [&](int count) {
        const auto begin = std::chrono::steady_clock::now();
        run_steps(problem, start, count);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      };
      const double a_step = std::min(seconds(many), seconds(many)) / many;
      costs[i].right_hand_side = std::min(costs[i].right_hand_side, 1e9 * rhs / trees[i].joints);
      costs[i].step = std::min(costs[i].step, 1e9 * a_step / trees[i].joints);
    }
  return costs;
}

double instructions_of_step(const RobotTree& tree) {
  const auto count = [&](int steps) {
    return benchmarks::instructions(
        benchmarks::solve_function,
        {"--steps", std::to_string(steps), std::to_string(tree.joints), tree.chain ? "chain" : "branches"});
  };
  const auto less = count(few), more = count(many);
  return less && more ? (*more - *less) / (many - few) / tree.joints : NAN;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--steps") {  // counted
    const auto relative = loaded(
        formats[0], RobotTree{.joints = std::stoi(argv[3]), .chain = std::string(argv[4]) == "chain"}.urdf());
    run_steps(*relative.problem(), relative.start(), std::stoi(argv[2]));
    return 0;
  }
  bool good = true;
  fmt::print("Seconds to load                100 links   1000 links\n");
  for (const bool chain : {false, true})
    for (const Format& format : formats) {
      const double small = seconds_to_load(format, {.joints = 100, .chain = chain}),
                   large = seconds_to_load(format, {.joints = 1000, .chain = chain});
      fmt::print("  {:<10} {:<16} {:9.3f} {:12.3f}\n", format.name, chain ? "a chain" : "with branches",
                 small, large);
      good = good && large < 1;
    }
  fmt::print("\nOf one link                           100 links   1000 links   ratio\n");
  for (const bool chain : {false, true}) {
    const RobotTree small{.joints = 100, .chain = chain}, large{.joints = 1000, .chain = chain};
    const auto row = [&](const char* what, double a, double b) {
      fmt::print("  {:<22} {:<13} {:8.0f} {:12.0f} {:7.2f}\n", what, chain ? "a chain" : "branches", a, b,
                 b / a);
      good = good && !(b > 1.2 * a);
    };
    const auto costs = costs_of({small, large});
    row("right-hand side, ns", costs[0].right_hand_side, costs[1].right_hand_side);
    row("step, ns", costs[0].step, costs[1].step);
    row("step, instructions", instructions_of_step(small), instructions_of_step(large));
  }
  fmt::print("\n{}\n",
             good ? "1000 links load in less than a second and cost at most 1.2 times as much each as 100."
                  : "Not as wanted: 1000 links take a second or more to load, or cost more than 1.2 times as "
                    "much each as 100.");
  return good ? 0 : 1;
}

// What robot files cost: how long trees of 100 and 1000 links take to load in each format, from the text to a mechanism that is ready to run in relative
// coordinates, and what a link costs then: one right-hand side and one step of the method that `driftless run` takes.
// Wanted: 1000 links load in less than a second, and a link among 1000 costs at most 1.2 times what it costs among 100. Exit status 1 where not.
#include <chrono>
#include <functional>
#include <string>

#include <fmt/format.h>

#include <driftless/driftless.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/robot_file.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "common/best_batch.hpp"
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

struct Cost {
  double right_hand_side, step;  // seconds per link
};

Cost cost_of(const RobotTree& tree) {
  const auto relative = loaded(formats[0], tree.urdf());
  const Problem& problem = *relative.problem();
  const Shape& shape = problem.shape();
  Workspace work;
  Vector r = Vector::Zero(shape.multipliers()), a(shape.nv), multipliers(shape.multipliers());
  const double rhs = benchmarks::best_batch(
      [&](std::size_t) { problem.acceleration(0, relative.start().z, r, a, multipliers, work); });
  // Steps of a size that no tolerance is asked about, so that both trees take equally many.
  constexpr int steps = 200;
  const auto solved = [&](int count) {
    const double h = 1e-5;
    double best = HUGE_VAL;
    for (int i = 0; i < 5; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      solve(problem, relative.start(), {.stabilizer = "post"}, {.t_end = count * h, .step = h});
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
  };
  const double step = (solved(2 * steps) - solved(steps)) / steps;
  return {rhs / tree.joints, step / tree.joints};
}

}  // namespace

int main() {
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
  fmt::print("\nNanoseconds per link           100 links   1000 links   ratio\n");
  for (const bool chain : {false, true}) {
    const Cost small = cost_of({.joints = 100, .chain = chain}),
               large = cost_of({.joints = 1000, .chain = chain});
    const auto row = [&](const char* what, double a, double b) {
      fmt::print("  {:<15} {:<13} {:9.0f} {:12.0f} {:7.2f}\n", what, chain ? "a chain" : "branches", 1e9 * a,
                 1e9 * b, b / a);
      good = good && b <= 1.2 * a;
    };
    row("right-hand side", small.right_hand_side, large.right_hand_side);
    row("step", small.step, large.step);
  }
  fmt::print("\n{}\n",
             good ? "1000 links load in less than a second and cost at most 1.2 times as much each as 100."
                  : "Not as wanted: 1000 links take a second or more to load, or cost more than 1.2 times as "
                    "much each as 100.");
  return good ? 0 : 1;
}

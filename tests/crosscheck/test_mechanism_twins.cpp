// A mechanism and its twins: in other units, moved by up to a million times its size, turned. Random ones, drawn like those of ./dev bench random.
// They end alike, and places agree within what runs of one and the same mechanism differ by, plus roundoff of far coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/random/generate.hpp"
#include "benchmarks/random/model_text.hpp"
#include "benchmarks/random/verdict.hpp"

namespace driftless::tests {
namespace {

using namespace benchmarks::random;
using ARun = benchmarks::random::Run;  // a test has a Run of its own

constexpr std::uint64_t seed = 11;
constexpr int wanted = 25, most_bodies = 12;
constexpr double part = 0.3;  // of the time of a mechanism
constexpr double seconds_limit = 20;

struct Twin {
  const char* what;
  double length, time, mass, far;
  bool turned;
};
const Twin twins[] = {
    {"in micrometres", 1e-6, 1, 1, 0, false},
    {"of a million kilometres", 1e9, 1, 1e3, 0, false},
    {"in units of 1e-4 s", 1, 1e-4, 1, 0, false},
    {"moved by 1000 sizes", 1, 1, 1, 1e3, false},
    {"moved by 1e6 sizes", 1, 1, 1, 1e6, false},
    {"turned", 1, 1, 1, 0, true},
    {"in millimetres and grams, moved and turned", 1e-3, 1, 1e-3, 1e4, true},
};

bool is_taken(const Sketch& sketch) {
  for (const char* name : {"scaled", "far", "inconsistent", "stiff"})
    if (sketch.classes.contains(name)) return false;
  return static_cast<int>(sketch.bodies.size()) <= most_bodies;
}

// The second axis of a universal joint that is not given is taken by the axes of the world.
bool turns_with_the_world(const Sketch& sketch) {
  return std::none_of(sketch.joints.begin(), sketch.joints.end(),
                      [](const SketchJoint& joint) { return joint.type == "universal"; });
}

TEST(MechanismTwins, MoveAlike) {
  int count = 0;
  for (std::uint64_t number = 1; count < wanted; ++number) {
    Sketch sketch = generate(seed, number);
    if (!is_taken(sketch)) continue;
    ++count;
    sketch.t_end *= part;
    const double size = reach(sketch);
    std::vector<ARun> runs;
    for (const Way way : {Way::usual, Way::tighter, Way::perturbed})
      runs.push_back(run_model(model_text(sketch, "it"), way, size, seconds_limit));
    const ARun& own = runs.front();
    if (own.warned) continue;  // a singular start, for instance: roundoff decides between motions
    for (const Twin& twin : twins) {
      if (twin.turned && !turns_with_the_world(sketch)) continue;
      SCOPED_TRACE("number " + std::to_string(number) + ", " + twin.what);
      const Mat3 R = !twin.turned    ? mechanics::identity3
                     : sketch.planar ? mechanics::turned({0, 0, 1}, 1.1)
                                     : mechanics::turned({0.48, 0.6, 0.64}, 2.3);
      Sketch other = sketch;
      turn(other, R);
      other.length = twin.length, other.time = twin.time, other.mass = twin.mass;
      other.origin = twin.far * (sketch.planar ? Vec3{0.6, 0.8, 0} : Vec3{0.48, 0.6, 0.64});
      const ARun run = run_model(model_text(other, "twin"), Way::usual, size * twin.length, seconds_limit);
      EXPECT_EQ(run.ending, own.ending) << run.sentence << "\n" << own.sentence;
      EXPECT_EQ(run.reason, own.reason) << run.sentence << "\n" << own.sentence;
      if (run.warned && !own.warned) continue;  // told
      const std::vector<double> limits = allowed_differences(runs, size, 0);
      const double roundoff = 100 * std::numeric_limits<double>::epsilon() * twin.far;
      for (std::size_t time = 0; time < std::min({limits.size(), run.places.size(), own.places.size()});
           ++time)
        for (std::size_t body = 0; body < own.places[time].size(); ++body)
          ASSERT_LT(norm(run.places[time][body] - from_twin(other, R * own.places[time][body])),
                    (limits[time] + roundoff) * size * twin.length)
              << "body " << body << " at " << time + 1 << "/" << watched_times;
    }
  }
}

}  // namespace
}  // namespace driftless::tests

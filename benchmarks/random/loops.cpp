#include "loops.hpp"

#include <algorithm>

#include "trees.hpp"

namespace driftless::benchmarks::random {

namespace {

// Bodies between a body and the ground, itself included, with the joint that each hangs by.
struct Hang {
  int body, joint;
};
std::vector<Hang> way_down(const Sketch& sketch, int body) {
  std::vector<Hang> way;
  while (body != 0) {
    // Bodies are drawn in order, and a tree's joint is that with an earlier one.
    const auto found = std::find_if(sketch.joints.begin(), sketch.joints.end(), [&](const SketchJoint& j) {
      return j.joints.empty() && std::max(j.a, j.b) == body;
    });
    if (found == sketch.joints.end()) break;
    way.push_back({body, static_cast<int>(found - sketch.joints.begin())});
    body = std::min(found->a, found->b);
  }
  return way;
}

// What the joints between two bodies leave free, loops aside.
int freedoms_between(const Sketch& sketch, int a, int b) {
  std::vector<Hang> one = way_down(sketch, a), other = way_down(sketch, b);
  while (!one.empty() && !other.empty() && one.back().joint == other.back().joint)
    one.pop_back(), other.pop_back();
  int sum = 0;
  for (const auto* way : {&one, &other})
    for (const Hang& hang : *way)
      sum += freedoms_of(sketch.joints[static_cast<std::size_t>(hang.joint)].type, sketch.planar);
  return sum;
}

}  // namespace

void close_loops(Sketch& sketch, Draw& draw, int most) {
  static const std::vector<std::string> in_plane = {"revolute", "revolute",      "revolute",
                                                    "distance", "point-on-line", "prismatic"};
  static const std::vector<std::string> in_space = {
      "spherical",     "spherical", "distance",    "distance",  "point-on-line",
      "parallel-axes", "in-plane",  "cylindrical", "universal", "revolute"};
  const int bodies = static_cast<int>(sketch.bodies.size());
  for (int tries = 0, made = 0; tries < 8 * most && made < most; ++tries) {
    const int a = draw.whole(0, bodies), b = draw.whole(1, bodies);
    const std::string type = draw.one_of(sketch.planar ? in_plane : in_space);
    const Vec3 offset = draw.offset(0, 0.5, sketch.planar), axis = draw.direction(sketch.planar),
               ground = draw.within(sketch.planar);
    const int rows = rows_of(type, sketch.planar);
    if (a == b || sketch.freedoms - rows < 1 || freedoms_between(sketch, a, b) <= rows) continue;
    const Vec3 from = a == 0 ? ground : sketch.body(a).at, to = sketch.body(b).at;
    const int joint = add_joint(sketch, type, a, b, 0.5 * (from + to) + offset, axis);
    if (sketch.planar && type == "revolute") sketch.joints.back().axis = {0, 0, 1};
    if (type == "distance") {
      sketch.joints[static_cast<std::size_t>(joint)].at = from + offset;
      sketch.joints[static_cast<std::size_t>(joint)].to = to;
    }
    sketch.freedoms -= rows, ++made;
    sketch.classes.insert("loops");
  }
}

void add_bar_without_length(Sketch& sketch, Draw& draw) {
  const int bodies = static_cast<int>(sketch.bodies.size());
  const int a = draw.whole(0, bodies), b = draw.whole(1, bodies);
  if (a == b) return;
  add_joint(sketch, "distance", a, b, sketch.body(b).at);
  sketch.classes.insert("singular");
}

void couple_joints(Sketch& sketch, Draw& draw) {
  const int count = static_cast<int>(sketch.joints.size());
  for (int tries = 0; tries < 20; ++tries) {
    const int one = draw.whole(0, count - 1), other = draw.whole(0, count - 1);
    const double ratio = draw.either(draw.between(0.3, 3));
    const SketchJoint &a = sketch.joints[static_cast<std::size_t>(one)],
                      &b = sketch.joints[static_cast<std::size_t>(other)];
    if (one == other || sketch.freedoms < 2 || a.type != "revolute") continue;
    if (b.type == "revolute")
      sketch.joints.push_back({.type = "gear", .settings = {{"ratio", {ratio}}}, .joints = {one, other}});
    else if (b.type == "prismatic")
      sketch.joints.push_back({.type = "rack-and-pinion",
                               .settings = {{"radius", {.value = 0.3 * ratio, .length = 1}}},
                               .joints = {one, other}});
    else
      continue;
    --sketch.freedoms;
    sketch.classes.insert("gears");
    return;
  }
}

}  // namespace driftless::benchmarks::random

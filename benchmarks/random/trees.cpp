#include "trees.hpp"

#include <numbers>

#include <fmt/format.h>

namespace driftless::benchmarks::random {

namespace {

std::string tree_joint(Draw& draw, bool planar) {
  static const std::vector<std::string> in_plane = {"revolute",  "revolute",  "revolute",
                                                    "revolute",  "revolute",  "revolute",
                                                    "prismatic", "prismatic", "fixed"};
  static const std::vector<std::string> in_space = {"revolute",  "revolute",  "revolute",    "revolute",
                                                    "spherical", "spherical", "cylindrical", "prismatic",
                                                    "universal", "planar",    "screw",       "fixed"};
  return draw.one_of(planar ? in_plane : in_space);
}

}  // namespace

int add_body(Sketch& sketch, Draw& draw, const Vec3& at) {
  SketchBody body{.name = fmt::format("b{}", sketch.bodies.size() + 1), .at = at};
  const double width = draw.between(0.15, 0.6);  // radius of gyration
  if (sketch.planar) {
    body.angle = draw.between(-1, 1) * std::numbers::pi;
    body.inertia.z = width * width;
  } else {
    const Vec3 about = draw.direction(false);
    body.axes = mechanics::turned(about, draw.between(0, 1) * std::numbers::pi);
    // Of a box, so that no moment exceeds the other two.
    const double x = draw.between(0.05, 1) * width, y = draw.between(0.05, 1) * width, z = width;
    body.inertia = {y * y + z * z, z * z + x * x, x * x + y * y};
  }
  sketch.bodies.push_back(body);
  return static_cast<int>(sketch.bodies.size());
}

int add_joint(Sketch& sketch, const std::string& type, int a, int b, const Vec3& at, const Vec3& axis) {
  SketchJoint joint{.type = type, .a = a, .b = b, .at = at, .axis = axis};
  if (type == "screw") joint.settings = {{"pitch", {.value = 0.3, .length = 1}}};
  sketch.joints.push_back(joint);
  return static_cast<int>(sketch.joints.size()) - 1;
}

void grow_tree(Sketch& sketch, Draw& draw, int bodies) {
  const double new_branch = draw.between(0, 0.8), from_the_ground = draw.between(0, 0.4);
  for (int i = 0; i < bodies; ++i) {
    const int last = static_cast<int>(sketch.bodies.size());
    int parent = last;
    if (last == 0 || draw.chance(from_the_ground))
      parent = 0;
    else if (draw.chance(new_branch))
      parent = draw.whole(1, last);
    const Vec3 from = parent == 0 ? 0.5 * draw.within(sketch.planar) : sketch.body(parent).at;
    const Vec3 at = from + draw.offset(0.1, 0.8, sketch.planar);
    const int body = add_body(sketch, draw, at + draw.offset(0.1, 0.8, sketch.planar));
    const std::string type = tree_joint(draw, sketch.planar);
    const bool turns = sketch.planar && type == "revolute";
    const Vec3 axis = draw.direction(sketch.planar);
    // The first of two bodies is the nearer to the ground, mostly.
    const bool backwards = draw.chance(0.2);
    add_joint(sketch, type, backwards ? body : parent, backwards ? parent : body, at,
              turns ? Vec3{0, 0, 1} : axis);
    sketch.freedoms += freedoms_of(type, sketch.planar);
  }
}

}  // namespace driftless::benchmarks::random

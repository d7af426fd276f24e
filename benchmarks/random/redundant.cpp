#include "redundant.hpp"

#include <numbers>

#include "trees.hpp"

namespace driftless::benchmarks::random {

void lift_into_space(Sketch& sketch, Draw& draw) {
  const Vec3 about = draw.direction(false);
  const Mat3 R = mechanics::turned(about, draw.chance(0.3) ? 0 : draw.between(-3, 3));
  sketch.planar = false;
  for (SketchBody& body : sketch.bodies) {
    const double J = body.inertia.z;
    body.axes = mechanics::turned({0, 0, 1}, body.angle);
    body.inertia = {draw.between(0.55, 0.8) * J, draw.between(0.55, 0.8) * J, J};
  }
  const bool same_all = draw.chance(0.6);
  for (SketchJoint& joint : sketch.joints)
    if (joint.type == "revolute" && !same_all && draw.chance(0.15))
      joint.type = draw.chance(0.5) ? "spherical" : "cylindrical";
  turn(sketch, R);
}

void double_joints(Sketch& sketch, Draw& draw) {
  const std::size_t count = sketch.joints.size();
  const double share = draw.between(0.1, 0.6);
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const bool chosen = draw.chance(share) || (!any && i + 1 == count), moved = draw.chance(0.5);
    const double along = draw.between(-0.5, 0.5);
    if (!chosen || !sketch.joints[i].joints.empty() || sketch.joints[i].type == "distance") continue;
    SketchJoint again = sketch.joints[i];
    const bool has_axis = !sketch.planar && (again.type == "revolute" || again.type == "cylindrical" ||
                                             again.type == "prismatic" || again.type == "fixed");
    if (moved && has_axis) again.at = again.at + along * again.axis;
    sketch.joints.push_back(again);
    any = true;
  }
}

void rigid_triangle(Sketch& sketch, Draw& draw) {
  const Vec3 at = 0.3 * draw.within(sketch.planar), A = at + draw.offset(0.3, 0.8, sketch.planar),
             B = at + draw.offset(0.3, 0.8, sketch.planar), C = at + draw.offset(0.3, 0.8, sketch.planar);
  const int a = add_body(sketch, draw, 0.5 * (B + C)), b = add_body(sketch, draw, 0.5 * (C + A)),
            c = add_body(sketch, draw, 0.5 * (A + B));
  const auto hinge = [&](int one, int other, const Vec3& place) {
    add_joint(sketch, "revolute", one, other, place, sketch.planar ? Vec3{0, 0, 1} : draw.direction(false));
  };
  hinge(b, c, A);
  hinge(c, a, B);
  if (sketch.planar || draw.chance(0.5))
    hinge(a, b, C);
  else
    add_joint(sketch, "spherical", a, b, C);
  sketch.freedoms += sketch.planar ? 3 : 6;
  if (draw.chance(0.7)) {
    const std::string type = sketch.planar || draw.chance(0.5) ? "revolute" : "spherical";
    const Vec3 foot = at + draw.offset(0.2, 0.5, sketch.planar);
    add_joint(sketch, type, 0, a, foot, sketch.planar ? Vec3{0, 0, 1} : draw.direction(false));
    sketch.freedoms -= rows_of(type, sketch.planar);
  } else {
    const Vec3 rates = 4.0 * draw.within(sketch.planar);  // tumbles
    for (const int body : {a, b, c}) {
      const Vec3 spin = sketch.planar ? Vec3{0, 0, rates.x} : rates;
      sketch.body(body).velocity = mechanics::cross(spin, sketch.body(body).at - at);
      sketch.body(body).rates = sketch.planar ? spin : mechanics::to_body(sketch.body(body).axes, spin);
    }
  }
}

}  // namespace driftless::benchmarks::random

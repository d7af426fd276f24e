#include "sketch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace driftless::benchmarks::random {

bool is_plain_tree(const Sketch& sketch) {
  return sketch.classes.contains("trees") && !sketch.classes.contains("redundant") &&
         !sketch.classes.contains("singular");
}

bool starts_consistent(const Sketch& sketch) {
  return !sketch.by_markers &&
         std::all_of(sketch.bodies.begin(), sketch.bodies.end(), [](const SketchBody& body) {
           return norm(body.velocity) == 0 && norm(body.rates) == 0;
         });
}

Sketch twin_of(const Sketch& sketch) {
  Sketch twin = sketch;
  twin.length = twin.time = twin.mass = 1;
  twin.origin = {};
  return twin;
}

Vec3 from_twin(const Sketch& sketch, const Vec3& place) {
  return sketch.length * (place + reach(sketch) * sketch.origin);
}

void turn(Sketch& sketch, const Mat3& R) {
  sketch.gravity = R * sketch.gravity;
  sketch.origin = R * sketch.origin;
  for (SketchBody& body : sketch.bodies) {
    body.at = R * body.at;
    body.velocity = R * body.velocity;
    if (sketch.planar)
      body.angle =
          std::remainder(body.angle + std::atan2(R.x.y, R.x.x), 2 * std::numbers::pi);  // no whole turns
    else
      body.axes = R * body.axes;
  }
  for (SketchJoint& joint : sketch.joints) {
    joint.at = R * joint.at;
    if (joint.to) joint.to = R * *joint.to;
    joint.axis = R * joint.axis;
    if (joint.x) joint.x = R * *joint.x;
    joint.missed_by = R * joint.missed_by;
  }
  for (SketchForce& force : sketch.forces) {
    force.from = R * force.from;
    force.to = R * force.to;
  }
}

double reach(const Sketch& sketch) {
  std::vector<Vec3> points;
  for (const SketchBody& body : sketch.bodies) points.push_back(body.at);
  for (const SketchJoint& joint : sketch.joints)
    if (joint.joints.empty()) points.push_back(joint.at);
  Vec3 middle;
  for (const Vec3& p : points) middle += (1.0 / static_cast<double>(points.size())) * p;
  double far = 0;
  for (const Vec3& p : points) far = std::max(far, norm(p - middle));
  return std::max(far, 0.1);
}

int rows_of(const std::string& joint, bool planar) {
  static const std::map<std::string, int> in_plane = {
      {"revolute", 2}, {"prismatic", 2}, {"fixed", 3}, {"distance", 1}, {"point-on-line", 1}};
  static const std::map<std::string, int> in_space = {
      {"revolute", 5},  {"prismatic", 5},     {"cylindrical", 4}, {"screw", 5},
      {"universal", 4}, {"spherical", 3},     {"planar", 3},      {"fixed", 6},
      {"distance", 1},  {"point-on-line", 2}, {"in-plane", 1},    {"parallel-axes", 2}};
  return (planar ? in_plane : in_space).at(joint);
}

int freedoms_of(const std::string& joint, bool planar) {
  return (planar ? 3 : 6) - rows_of(joint, planar);
}

std::vector<SketchCoordinate> coordinates_of(const std::string& joint) {
  if (joint == "revolute") return {{"angle", true}};
  if (joint == "prismatic") return {{"position", false}};
  if (joint == "cylindrical" || joint == "screw") return {{"position", false}, {"angle", true}};
  return {};
}

}  // namespace driftless::benchmarks::random

// Sketch: a mechanism as it is being drawn, in a unit of length in which it is about as large as 1 and a unit
// of time in which it swings in about 1, with the masses of its bodies in kg. model_text() writes it as a
// model file, in the units that it was given.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/vector3.hpp>

namespace driftless::benchmarks::random {

using mechanics::Mat3;
using mechanics::Vec3;

// A number with powers of the units it is given in.
struct Quantity {
  double value = 0;
  int length = 0, time = 0;
};
using Settings = std::vector<std::pair<std::string, Quantity>>;

struct SketchBody {
  std::string name;
  Vec3 at = {};
  double angle = 0;                  // in the plane
  Mat3 axes = mechanics::identity3;  // in space
  double mass = 1;
  Vec3 inertia = {0.1, 0.1, 0.1};  // in the plane the third
  Vec3 velocity = {}, rates = {};  // in the plane the third rate; roughly: the start is made consistent
};

struct SketchJoint {
  std::string type = {};
  int a = 0, b = 0;  // bodies from 1; 0: the ground
  Vec3 at = {};
  std::optional<Vec3> to = {};  // the end on b, where it is another
  Vec3 axis = {0, 0, 1};
  std::optional<Vec3> x = {};  // across the axis
  Settings settings = {};
  std::vector<int> joints = {};  // between joints instead of bodies
  Vec3 missed_by = {};           // b's place is off by that
};

struct SketchForce {
  std::string type = {};
  int a = 0, b = 0;
  Vec3 from = {}, to = {};
  int joint = -1;  // or along a coordinate of it
  std::string coordinate = {};
  Settings settings = {};
};

// A joint's coordinate goes to and fro: amplitude (1 - cos(frequency t)).
struct SketchDrive {
  int joint = 0;
  std::string coordinate = {};
  double amplitude = 0, frequency = 1;
};

struct Sketch {
  bool planar = true;
  Vec3 gravity = {0, -9.81, 0};
  std::vector<SketchBody> bodies;
  std::vector<SketchJoint> joints;
  std::vector<SketchForce> forces;
  std::vector<SketchDrive> drives;
  double t_end = 1;
  int freedoms = 0;  // as counted while drawing, as if no row depended on others

  // How it is written.
  double length = 1, time = 1, mass = 1;  // units
  Vec3 origin = {};                       // in sizes of the mechanism
  int digits = 17;                        // of coordinates
  bool by_markers = false;                // joints by two markers in body axes: rounded, they miss each other

  std::set<std::string> classes;

  int velocities() const { return static_cast<int>(bodies.size()) * (planar ? 3 : 6); }
  const SketchBody& body(int index) const { return bodies[static_cast<std::size_t>(index - 1)]; }
  SketchBody& body(int index) { return bodies[static_cast<std::size_t>(index - 1)]; }
};

// No row can depend on others.
bool is_plain_tree(const Sketch& sketch);

// Places and velocities at the start belong to each other. Those that do not are moved by as little as
// possible, and what is little depends on the units.
bool starts_consistent(const Sketch& sketch);

// The same near the origin, in a unit of length of 1 m and of mass of 1 kg, and with times as they are.
Sketch twin_of(const Sketch& sketch);
// A place of the twin, where the sketch has it.
Vec3 from_twin(const Sketch& sketch, const Vec3& place);

// With the whole world turned: gravity, bodies, joints and forces. In the plane R is about the z axis.
void turn(Sketch& sketch, const Mat3& R);

// The largest distance of a body or joint from the middle of all, in the unit of length.
double reach(const Sketch& sketch);

// How many freedoms a joint between bodies leaves, and how many rows it has.
int freedoms_of(const std::string& joint, bool planar);
int rows_of(const std::string& joint, bool planar);
// The coordinates by which forces and drives may know it, and which of them is an angle.
struct SketchCoordinate {
  std::string name;
  bool angle;
};
std::vector<SketchCoordinate> coordinates_of(const std::string& joint);

}  // namespace driftless::benchmarks::random

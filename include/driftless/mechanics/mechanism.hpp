// Mechanism: bodies, joints and forces, put together by name; problem() makes a Problem of them like any other.
//
//   Mechanism m;
//   const BodyId crank = m.body(PlanarBody{.name = "crank", .mass = 1, .inertia = 0.1, .at = {0, 0.5}});
//   m.joint("revolute", "A", m.ground(), crank, {.at = {0, 0}});
//   m.gravity({0, -9.81, 0});
//   const Solution run = solve(*m.problem(), m.start(), {}, {.t_end = 10});
//
// Bodies are given where they are at the start, at least roughly; joints by a place in the world there, or by markers on both bodies.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/mechanics/force.hpp>
#include <driftless/mechanics/joint.hpp>
#include <driftless/mechanics/mechanism_results.hpp>

namespace driftless::mechanics {

struct PlanarBody {
  std::string name;
  double mass = 0, inertia = 0;  // about the mass centre
  Vec3 at = {};                  // of the mass centre; z = 0
  double angle = 0;
  Vec3 velocity = {};
  double spin = 0;
  Vec3 origin = {};  // by body axes from the mass centre: the point whose x and y Closing means
};

struct SpatialBody {
  std::string name;
  double mass = 0;
  Vec3 inertia = {};      // about the mass centre and body axes
  Vec3 products = {};     // of inertia: J_yz, J_zx, J_xy, the entries off the diagonal
  bool massless = false;  // stands between two joints: no mass and no inertia, relative coordinates only
  Vec3 at = {};           // of the mass centre
  Mat3 axes = identity3;  // where its axes point; see turned()
  Vec3 velocity = {};
  Vec3 rates = {};   // about body axes
  Vec3 origin = {};  // by body axes from the mass centre: the point whose x, y and z Closing means
};

// The axes of a body that was turned by an angle about an axis of the world.
Mat3 turned(const Vec3& axis, double angle);

// In the world, with the bodies as they were given.
struct WorldPlace {
  Vec3 at = {};
  Vec3 axis = {0, 0, 1};  // the joint's own
  Vec3 x = {};            // across it; chosen where it is not given
};

// How a rough assembly is to be closed. Names: "hinge.angle", a coordinate of a joint; "crank.x", of a body (x, y, z, and angle in the plane).
struct Closing {
  std::vector<std::string> hold = {};            // stay where they are; the rest moves as little as possible
  std::map<std::string, double> positions = {};  // are to be there
  std::map<std::string, double> rates = {};      // have these rates; the rest changes as little as possible
};

class Mechanism {
 public:
  Mechanism();

  BodyId ground() const { return {0}; }
  BodyId body(const PlanarBody& body);
  BodyId body(const SpatialBody& body);

  // A marker by body axes, and by a place in the world.
  Marker marker(BodyId body, const Vec3& point, const Vec3& axis = {0, 0, 1}, const Vec3& x = {}) const;
  Marker marker(BodyId body, const WorldPlace& place) const;

  JointId joint(const std::string& type, const std::string& name, BodyId a, BodyId b, const WorldPlace& place,
                const Settings& settings = {});
  JointId joint(const std::string& type, const std::string& name, const Marker& a, const Marker& b,
                const Settings& settings = {});

  // Between two joints: gear, rack-and-pinion.
  JointId joint(const std::string& type, const std::string& name, JointId a, JointId b,
                const Settings& settings = {});
  // A coordinate of a joint, or a point of a body along an axis of the world, is moved as told. The names of the rows are `name`.
  // A motion is a number, a formula in t or a table over t.
  // What jumps in a table is blended, or passed as an event (motion.hpp).
  void drive(const std::string& name, JointId joint, const std::string& coordinate, const Setting& motion,
             const JumpHandling& jumps = {});
  void drive(const std::string& name, const Marker& point, const Vec3& world_axis, const Setting& motion,
             const JumpHandling& jumps = {});

  std::vector<std::string> coordinates(JointId joint) const;  // names of those that it has
  bool is_angle(JointId joint, const std::string& coordinate) const;
  void count_turns(
      JointId joint);  // its angles become coordinates of their own, so that results know whole turns
  bool drives_angle(const std::string& drive) const;

  void gravity(const Vec3& g);
  // What redundant constraints may be off by, as a part of the mechanism's size: rounded coordinates. 1e-6 until it is said.
  void assembly_tolerance(double part);
  // Between two markers; between two bodies at one place; along a coordinate of a joint.
  void force(const std::string& type, const std::string& name, const Marker& a, const Marker& b,
             const Settings& settings);
  void force(const std::string& type, const std::string& name, BodyId a, BodyId b, const WorldPlace& place,
             const Settings& settings);
  void force(const std::string& type, const std::string& name, JointId joint, const std::string& coordinate,
             const Settings& settings);
  // law(t, y, rate), for any scalar: how hard it pushes along the coordinate.
  template <class Law>
  requires std::is_invocable_v<Law, UserLaw::Number, UserLaw::Number, UserLaw::Number>
  void force(const std::string& name, JointId joint, const std::string& coordinate, Law law) {
    check_name("force", name);
    model_.forces.push_back({name, coordinate_of(joint, coordinate), UserLaw{std::move(law)}});
    names_.insert(name);
  }
  // A name for formulas given later.
  void parameter(const std::string& name, double value, const Quantity& quantity = {});
  // What formulas given later are written in, with t and joint coordinates; all other numbers are SI. With the names of these
  // units ("length": "mm", all five) their quantities are checked against each other.
  void formulas_in(const Units& units, const std::map<std::string, std::string>& names = {});

  MechanismModel finished() const;  // what problem() is made of
  const std::vector<Joint>& joints() const { return joints_; }
  std::shared_ptr<const Problem> problem() const;  // InputError where a body is massless
  State start() const;  // as given; roughly closed is enough for assembled(), and for solve()
  // Closed: on all constraints, with velocities that belong to each other. Throws InputError where that is not possible.
  // `choice`, if asked for: a sentence where it closes in several ways beside a singular configuration.
  State assembled(const Closing& how = {}, std::string* choice = nullptr) const;

  // What is to be known at a state; results() for many states at once.
  MechanismResults results() const { return {finished(), joints_}; }
  Reaction reaction(const State& state, JointId joint) const { return results().reaction(state, joint); }
  double effort(const State& state, const std::string& drive) const { return results().effort(state, drive); }
  std::vector<ElementEnergy> energies(const State& state) const { return results().energies(state); }

 private:
  // All that `build` adds to the model, or nothing.
  template <class Build>
  void all_or_nothing(Build build) {
    const MechanismModel::Extent before = model_.extent();
    try {
      build();
    } catch (...) {
      model_.cut_back(before);
      throw;
    }
  }
  BodyId add(Body body, const std::vector<double>& q, const std::vector<double>& v);
  int coordinate_of(JointId joint, const std::string& coordinate);  // its measure, asked for
  int known_coordinate(JointId joint, const std::string& coordinate) const;
  void check_facing(const State& state) const;
  void check_marker(const std::string& owner, const Marker& m) const;
  Measure named(const std::string& name) const;  // "hinge.angle", "crank.x"
  void add_drive(const std::string& name, int measure, const Setting& motion, const JumpHandling& jumps);
  void add_force(const std::string& type, const std::string& name, const Joint& between,
                 const int* coordinate, const Settings& settings);
  double unit_of(const Measure& coordinate) const;  // in formulas
  ExpressionLaw read_formula(const std::string& owner, const std::string& text, const Dimension& gives);
  Expression read_motion(const std::string& text, const Dimension& gives) const;
  // Names of parameters and units for formulas; nothing: their quantities are not known.
  const NamedQuantities* quantities() const;
  JointId build(Joint joint, const Settings& settings);
  void check_name(const std::string& kind,
                  const std::string& name) const;  // a new one, to be kept when all went well
  const Body& body_at(BodyId id) const;
  const Joint& joint_at(JointId id) const;

  MechanismModel model_;
  std::vector<Joint> joints_;
  std::set<std::string> names_;
  std::map<std::string, double> parameters_;
  Units formula_units_;
  NamedQuantities quantities_;
  std::vector<double> q_, v_;  // of the bodies
};

}  // namespace driftless::mechanics

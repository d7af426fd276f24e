// URDF: links and joints of a tree. Angles are radians, `rpy` are turns about fixed axes, a joint's frame is that of its child, inertias are about
// the mass centre along the axes of <inertial>'s origin.
//   revolute, continuous   revolute        prismatic  prismatic       planar  planar, across the axis
//   floating               free            fixed      fixed           <mimic> coupling: multiplier x + offset
#include <map>

#include <fmt/format.h>

#include <driftless/core/method_options.hpp>

#include "io/robot/coupled_starts.hpp"
#include "io/robot/possible_inertia.hpp"
#include "io/robot/robot_readers.hpp"
#include "io/robot/rotations.hpp"
#include "io/robot/urdf_origin.hpp"
#include "io/robot/urdf_visuals.hpp"
#include "io/robot/xacro_macros.hpp"

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;
using Type = RobotJoint::Type;

class UrdfReader {
 public:
  explicit UrdfReader(const XmlElement& root) : root_(root), visuals_(root) { robot_.format = "URDF"; }

  Robot read() {
    robot_.name = root_.word("name").value_or("robot");
    root_.word("version"), root_.word("xmlns:xacro");
    for (const XmlElement& link : root_.children("link")) read_link(link);
    for (const XmlElement& joint : root_.children("joint")) read_joint(joint);
    for (const XmlElement& joint : root_.children("joint")) read_mimic(joint);
    for (const std::size_t circle : start_followers(robot_))
      mimics_[circle].fault("joints follow each other in a circle; let one of them move freely");
    for (const XmlElement& e : root_.children("transmission"))
      e.omit("transmissions", "motors push nothing; give forces in the loops file"), e.ignore();
    for (const XmlElement& e : root_.children("gazebo"))
      e.omit("<gazebo> extensions", "what they say of springs, contacts or sensors has no effect"),
          e.ignore();
    for (const XmlElement& e : root_.children("sensor"))
      e.leave_out("sensors", "nothing is measured"), e.ignore();
    find_root();
    robot_.notes.emplace_back("URDF says nothing of gravity: it is 9.81 m/s^2 against z");
    return std::move(robot_);
  }

 private:
  void read_link(const XmlElement& e) {
    const auto name = e.need("name", "what the link is called");
    if (!name) return;
    if (!links_.emplace(*name, static_cast<int>(robot_.links.size())).second) {
      e.fault("there is another link of this name; give each its own");
      return;
    }
    if (*name == "world" && !e.child("inertial")) {
      links_[*name] = 0;
      return;
    }
    RobotLink link{.name = *name, .line = e.line()};
    if (const auto inertial = e.child("inertial")) link.mass = inertial_of(*inertial);
    judge_inertia(link, e, robot_.notes);
    for (const XmlElement& visual : e.children("visual")) visuals_.read(visual, link);
    for (const XmlElement& collision : e.children("collision"))
      collision.omit("collision geometry", "bodies pass through each other and the ground"),
          collision.ignore();
    robot_.links.push_back(std::move(link));
  }

  static std::optional<MassProperties> inertial_of(const XmlElement& e) {
    const Place at = urdf_origin(e);
    const auto mass = e.child("mass"), inertia = e.child("inertia");
    if (!mass) {
      e.fault("<mass value=\"..\"/> is missing");
      return {};
    }
    const auto value = mass->number("value");
    if (!value) {
      if (!mass->has("value")) mass->fault("value is missing: the mass in kg");
      return {};
    }
    if (*value < 0) mass->fault("value", fmt::format("the mass is {:g} kg (must not be negative)", *value));
    MassProperties m{.mass = *value, .center = at.at};
    if (!inertia) {
      e.fault("<inertia ixx=\"..\" .. /> is missing");
      return {};
    }
    const auto entry = [&](const char* name) {
      if (!inertia->has(name)) inertia->fault(fmt::format("{} is missing", name));
      return inertia->number(name).value_or(0);
    };
    const double xy = entry("ixy"), xz = entry("ixz"), yz = entry("iyz");
    const Mat3 J{{entry("ixx"), xy, xz}, {xy, entry("iyy"), yz}, {xz, yz, entry("izz")}};
    m.inertia = at.axes * J * transposed(at.axes);
    return m;
  }

  std::optional<int> link_named(const XmlElement& joint, const char* which) {
    const auto e = joint.child(which);
    if (!e) {
      joint.fault(fmt::format("<{} link=\"..\"/> is missing", which));
      return {};
    }
    const auto name = e->need("link", "the name of a link");
    if (!name) return {};
    if (const auto found = links_.find(*name); found != links_.end()) return found->second;
    e->fault(fmt::format("there is no link '{}'{}", *name, e->reading().near(*name, links_)));
    return {};
  }

  void read_joint(const XmlElement& e) {
    static const std::map<std::string, Type> types = {
        {"revolute", Type::revolute}, {"continuous", Type::revolute}, {"prismatic", Type::prismatic},
        {"fixed", Type::fixed},       {"floating", Type::free},       {"planar", Type::planar}};
    const auto name = e.need("name", "what the joint is called"),
               word = e.need("type", "revolute, continuous, prismatic, fixed, floating or planar");
    const auto parent = link_named(e, "parent"), child = link_named(e, "child");
    if (!name || !word) return;
    const auto type = types.find(*word);
    if (type == types.end()) {
      e.fault("type", fmt::format("there is no joint type '{}'; there are revolute, continuous, prismatic, "
                                  "fixed, floating and planar",
                                  *word));
      return;
    }
    RobotJoint joint{.name = *name,
                     .line = e.line(),
                     .type = type->second,
                     .parent = parent.value_or(0),
                     .child = child.value_or(0)};
    joint.on_parent = urdf_origin(e);
    Vec3 axis{1, 0, 0};
    if (const auto given = e.child("axis")) {
      axis = given->vector("xyz").value_or(axis);
      if (!(largest_entry(axis) > 0) && joint.type != Type::fixed && joint.type != Type::free) {
        given->fault("xyz", "the axis has no direction: its length is 0");
        axis = {1, 0, 0};
      }
    }
    if (joint.type != Type::fixed && joint.type != Type::free) {
      joint.on_child.axes = axes_with_third(normalized(axis));
      joint.on_parent.axes = joint.on_parent.axes * joint.on_child.axes;
    }
    if (joint.type == Type::revolute) joint.freedoms = {{.coordinate = "angle"}};
    if (joint.type == Type::prismatic) joint.freedoms = {{.coordinate = "position"}};
    if (joint.type == Type::planar)
      joint.freedoms = {{.coordinate = "x"}, {.coordinate = "y"}, {.coordinate = "angle"}};
    read_acting(e, joint);
    if (!parent || !child) return;
    if (!joints_.emplace(*name, static_cast<int>(robot_.joints.size())).second) {
      e.fault("there is another joint of this name; give each its own");
      return;
    }
    robot_.joints.push_back(std::move(joint));
  }

  static void read_acting(const XmlElement& e, RobotJoint& joint) {
    if (const auto dynamics = e.child("dynamics")) {
      const double damping = dynamics->number("damping").value_or(0);
      if (damping < 0)
        dynamics->fault("damping", fmt::format("the damping is {:g} (must not be negative)", damping));
      for (RobotFreedom& f : joint.freedoms) f.damping = damping;
      if (joint.type == Type::free) joint.damping = damping;
      if (dynamics->number("friction").value_or(0) != 0)
        dynamics->omit("dry friction of joints", "motion loses less energy");
    }
    for (const XmlElement& limit : e.children("limit")) {
      limit.omit("limits of joints (position, velocity, effort)", "joints move beyond them");
      limit.ignore();
    }
    for (const char* rest : {"calibration", "safety_controller"})
      for (const XmlElement& other : e.children(rest))
        other.leave_out(fmt::format("<{}> of joints", rest), "it acts on controllers only"), other.ignore();
  }

  void read_mimic(const XmlElement& e) {
    const auto mimic = e.child("mimic");
    if (!mimic) return;
    const auto own = joints_.find(e.word("name").value_or(""));
    const auto leader = mimic->need("joint", "the name of the joint that it follows");
    const double multiplier = mimic->number("multiplier").value_or(1),
                 offset = mimic->number("offset").value_or(0);
    if (!leader || own == joints_.end()) return;
    const auto found = joints_.find(*leader);
    if (found == joints_.end()) {
      mimic->fault("joint", fmt::format("there is no joint '{}'", *leader));
      return;
    }
    for (const int i : {own->second, found->second})
      if (const RobotJoint& joint = robot_.joints[static_cast<std::size_t>(i)]; joint.freedoms.size() != 1) {
        mimic->fault(fmt::format("joint '{}' is no joint of one coordinate", joint.name));
        return;
      }
    if (own == found) {
      mimic->fault("joint", "a joint cannot follow itself");
      return;
    }
    robot_.couplings.push_back({.name = own->first + "_mimic",
                                .line = mimic->line(),
                                .follower = own->second,
                                .leader = found->second,
                                .c = {offset, multiplier}});
    mimics_.push_back(*mimic);
  }

  // The link that hangs on nothing is fixed to the world; the loops file may set it free.
  void find_root() {
    std::vector<bool> hangs(robot_.links.size(), false);
    for (const RobotJoint& joint : robot_.joints) hangs[static_cast<std::size_t>(joint.child)] = true;
    for (std::size_t i = 1; i < hangs.size(); ++i) {
      if (hangs[i]) continue;
      robot_.joints.push_back({.name = robot_.links[i].name + "_base",
                               .line = robot_.links[i].line,
                               .type = Type::fixed,
                               .parent = 0,
                               .child = static_cast<int>(i),
                               .base = true});
      robot_.notes.push_back(
          fmt::format("link '{}' hangs on nothing: it is fixed to the ground; base = \"free\" in the loops "
                      "file sets it free",
                      robot_.links[i].name));
    }
  }

  XmlElement root_;
  Robot robot_;
  UrdfVisuals visuals_;
  std::map<std::string, int> links_, joints_;
  std::vector<XmlElement> mimics_;  // of the couplings
};

}  // namespace

Robot read_urdf(XmlElement root) {
  if (!has_macros(root)) return UrdfReader(root).read();
  root.ignore();
  return {};
}

}  // namespace driftless::io

// A model file of a robot: what `driftless convert` writes and `driftless run` of a robot file reads, so that both run alike.
//   armature    a rotor of that inertia on the ground, geared to the joint:  I theta'^2/2 with theta = the coordinate
//   light links are points of the links that they are fixed to, with axes of their own
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "io/robot/robot_names.hpp"
#include "io/robot/toml_values.hpp"
#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;
using Type = RobotJoint::Type;

class Writer {
 public:
  Writer(const Robot& robot, RobotNames& names, const std::string& file) : robot_(robot), names_(names) {
    body();
    head(file);
  }

  std::string text() const { return head_ + text_; }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void head(const std::string& file) {
    head_ = fmt::format("# Made from {} ({}).\n", file, robot_.format);
    const auto list = [&](const char* title, bool acts) {
      std::string omissions;
      for (const RobotOmission& o : robot_.omissions)
        if (o.acts == acts) omissions += fmt::format("#   {}\n", told(o));
      if (!omissions.empty()) head_ += title + omissions;
    };
    list("# Not simulated:\n", true);
    list("# Left out, without effect on the motion:\n", false);
    for (const std::string& note : robot_.notes) head_ += fmt::format("# Note: {}\n", note);
    head_ += fmt::format("\ntitle = {}\ngravity = {}\n", toml_text(mechanics::shown(robot_.name, 200)),
                         toml_value(robot_.gravity));
    if (!parameters_.empty())
      head_ += "\n# What actuators are told: --set NAME=VALUE changes it.\n[parameters]\n" + parameters_;
  }

  void body() {
    for (std::size_t i = 1; i < robot_.links.size(); ++i) write_link(robot_.links[i], names_.links[i]);
    for (std::size_t i = 0; i < robot_.points.size(); ++i) {
      line("\n[point.{}]", toml_key(names_.points[i]));
      line("body = {}", toml_text(link(robot_.points[i].link)));
      write_place(robot_.points[i].at);
    }
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      if (robot_.joints[i].type != Type::free) write_joint(robot_.joints[i], names_.joints[i]);
    for (std::size_t i = 0; i < robot_.couplings.size(); ++i)
      write_coupling(robot_.couplings[i], toml_key(names_.couplings[i]));
    for (std::size_t i = 0; i < robot_.rods.size(); ++i) {
      const RobotRod& rod = robot_.rods[i];
      line("\n[joint.{}]", toml_key(names_.rods[i]));
      line("type = \"distance\"\nbetween = [{}, {}]", toml_text(link(rod.a)), toml_text(link(rod.b)));
      line("a = {{at = {}}}\nb = {{at = {}}}\nlength = {}", toml_value(rod.on_a), toml_value(rod.on_b),
           rod.length);
    }
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      write_damping(robot_.joints[i],
                    robot_.joints[i].type == Type::free ? link(robot_.joints[i].child) : names_.joints[i]);
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      for (const RobotFreedom& f : robot_.joints[i].freedoms)
        write_along(f, names_.joints[i], robot_.joints[i].freedoms.size() > 1 ? "_" + f.coordinate : "");
    for (std::size_t i = 0; i < robot_.actuators.size(); ++i)
      write_actuator(robot_.actuators[i], names_.actuators[i], names_.controls[i]);
    write_turns();
    write_output();
  }

  void write_place(const Place& place) {
    line("at = {}", toml_value(place.at));
    if (!is_identity(place.axes)) line("quaternion = {}", toml_quaternion(place.axes));
  }

  void write_link(const RobotLink& link, const std::string& name) {
    line("\n[body.{}]", toml_key(name));
    if (link.between) {
      line("massless = true  # between two joints of one link");
    } else {
      line("mass = {}", link.mass->mass);
      const Mat3& J = link.mass->inertia;
      line("inertia = {}", toml_value({J.x.x, J.y.y, J.z.z}));
      if (J.z.y != 0 || J.x.z != 0 || J.y.x != 0) line("products = {}", toml_value({J.z.y, J.x.z, J.y.x}));
      if (!(link.mass->center == Vec3{})) line("center = {}", toml_value(link.mass->center));
    }
    write_place(link.start);
    if (!(link.velocity == Vec3{})) line("velocity = {}", toml_value(link.velocity));
    if (!(link.turning == Vec3{})) line("rates = {}", toml_value(to_body(link.start.axes, link.turning)));
    if (link.shapes.empty() || link.between) return;
    line("shapes = [");
    for (const BodyShape& shape : link.shapes) line("  {},", toml_shape(shape));
    line("]");
  }

  void write_joint(const RobotJoint& joint, const std::string& name) {
    static const std::map<Type, const char*> types = {
        {Type::fixed, "fixed"},         {Type::revolute, "revolute"},
        {Type::prismatic, "prismatic"}, {Type::cylindrical, "cylindrical"},
        {Type::universal, "universal"}, {Type::screw, "screw"},
        {Type::planar, "planar"},       {Type::spherical, "spherical"}};
    line("\n[joint.{}]{}", toml_key(name), joint.loop ? "  # closes a loop" : "");
    line("type = \"{}\"\nbetween = [{}, {}]", types.at(joint.type), toml_text(link(joint.parent)),
         toml_text(link(joint.child)));
    line("a = {}\nb = {}", toml_marker(joint.on_parent), toml_marker(joint.on_child));
    if (joint.type == Type::screw) line("pitch = {}", joint.pitch);
  }

  // Of joints that turn about several axes.
  void write_damping(const RobotJoint& joint, const std::string& name) {
    const auto damper = [&](const char* type, bool from_child, const std::string& coefficients) {
      const int a = from_child ? joint.child : joint.parent, b = from_child ? joint.parent : joint.child;
      line("\n[force.{}]\ntype = \"{}\"\nbetween = [{}, {}]", toml_key(names_.made(name + "_damping")), type,
           toml_text(link(a)), toml_text(link(b)));
      line("a = {}\nb = {}\n{}", toml_marker(from_child ? joint.on_child : joint.on_parent),
           toml_marker(from_child ? joint.on_parent : joint.on_child), coefficients);
    };
    if (joint.type == Type::universal) {
      if (joint.damping != 0) damper("rotary-damper", true, fmt::format("ctz = {}", joint.damping));
      if (joint.second_damping != 0)
        damper("rotary-damper", false, fmt::format("ctx = {}", joint.second_damping));
    } else if (joint.damping != 0) {
      damper("rotary-damper", false, fmt::format("ctx = {0}\ncty = {0}\nctz = {0}", joint.damping));
      if (joint.type == Type::free)
        damper("bushing", false, fmt::format("cx = {0}\ncy = {0}\ncz = {0}", joint.damping));
    }
  }

  void write_coupling(const RobotCoupling& c, const std::string& key) {
    if (c.leader < 0) {
      line("\n[drive.{}]", key);
      line("on = {}\nmotion = {}", toml_text(coordinate_of(c.follower)), c.c[0]);
      return;
    }
    line("\n[joint.{}]", key);
    line("type = \"coupling\"\njoints = [{}, {}]", toml_text(joint(c.leader)), toml_text(joint(c.follower)));
    for (std::size_t i = 0; i < c.c.size(); ++i)
      if (c.c[i] != 0) line("c{} = {}", i, c.c[i]);
  }

  // `which`: what names get where a joint has several coordinates.
  void write_along(const RobotFreedom& f, const std::string& name, const std::string& which) {
    const std::string on = name + "." + f.coordinate;
    const auto made = [&](const char* what) { return names_.made(name + which + what); };
    if (f.stiffness != 0) {
      line("\n[force.{}]", toml_key(made("_spring")));
      line("type = \"spring-damper\"\non = {}\nstiffness = {}\nrest = {}", toml_text(on), f.stiffness,
           f.rest);
      if (f.damping != 0) line("damping = {}", f.damping);
    } else if (f.damping != 0) {
      line("\n[force.{}]", toml_key(made("_damping")));
      line("type = \"friction\"\non = {}\ncoefficient = {}", toml_text(on), f.damping);
    }
    if (f.armature == 0) return;
    const std::string rotor = made("_rotor"), shaft = made("_shaft");
    line("\n# The armature of {}: a rotor that turns as fast as the joint.", name);
    line("[body.{0}]\nmass = 1\ninertia = [{1}, {1}, {1}]\nat = [0, 0, 0]", toml_key(rotor), f.armature);
    if (f.start != 0) line("turn = {{axis = [0, 0, 1], angle = {}}}", f.start);
    if (f.rate != 0) line("rates = [0, 0, {}]", f.rate);
    line("[joint.{}]\ntype = \"revolute\"\nbetween = [\"ground\", {}]", toml_key(shaft), toml_text(rotor));
    line("[joint.{}]\ntype = \"{}\"\njoints = [{}, {}]\n{} = 1", toml_key(made("_gear")),
         f.coordinate == "angle" ? "gear" : "rack-and-pinion", toml_text(shaft), toml_text(name),
         f.coordinate == "angle" ? "ratio" : "radius");
  }

  void write_actuator(const RobotActuator& a, const std::string& name, const std::string& control) {
    const std::string on = coordinate_of(a.joint);
    if (a.gain != 0 || a.constant != 0) {
      std::string formula = fmt::format("{}", a.constant);
      if (a.gain != 0) {
        parameters_ += fmt::format("{} = {}\n", control, a.control);
        formula =
            fmt::format("{}*{}", a.gain, control) + (a.constant != 0 ? fmt::format(" + {}", a.constant) : "");
      }
      line("\n[force.{}]\ntype = \"actuator\"\non = {}\nforce = \"{}\"", toml_key(name), toml_text(on),
           formula);
    }
    if (a.stiffness != 0 || a.damping != 0) {
      line("\n[force.{}]\ntype = \"spring-damper\"\non = {}", toml_key(names_.made(name + "_feedback")),
           toml_text(on));
      line("stiffness = {}\nrest = 0\ndamping = {}", a.stiffness, a.damping);
    }
  }

  // Angles beyond half a turn, which places do not show.
  void write_turns() {
    std::string turns;
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      for (const RobotFreedom& f : robot_.joints[i].freedoms)
        if (f.coordinate == "angle" && std::abs(f.start) > 3.14 && !robot_.joints[i].loop && !f.said)
          turns += fmt::format("{}{} = {}", turns.empty() ? "" : ", ", toml_text(names_.joints[i] + ".angle"),
                               f.start);
    if (!turns.empty()) line("\n[start]\npositions = {{{}}}", turns);
  }

  // Coordinates of joints, and where bodies are that have none. It stands last, where the loops file may replace it.
  void write_output() {
    std::string columns;
    const auto add = [&](const std::string& name) { columns += fmt::format("  {},\n", toml_text(name)); };
    const auto add_place = [&](const std::string& name) {
      for (const char* axis : {".x", ".y", ".z"}) add(name + axis);
    };
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const RobotJoint& j = robot_.joints[i];
      if (j.loop || j.type == Type::fixed) continue;
      for (const RobotFreedom& f : j.freedoms) add(names_.joints[i] + "." + f.coordinate);
      if (j.freedoms.empty()) add_place(link(j.child));
    }
    for (std::size_t i = 0; i < robot_.points.size(); ++i)
      if (robot_.points[i].link > 0) add_place(names_.points[i]);
    for (const char* sum : {"energy.kinetic", "energy.potential", "energy.total", "drift.position"}) add(sum);
    line("\n[output]\ncolumns = [\n{}]", columns);
  }

  const std::string& link(int i) const { return names_.links[static_cast<std::size_t>(i)]; }
  const std::string& joint(int i) const { return names_.joints[static_cast<std::size_t>(i)]; }
  std::string coordinate_of(int i) const {
    return joint(i) + "." + robot_.joints[static_cast<std::size_t>(i)].freedoms.at(0).coordinate;
  }

  const Robot& robot_;
  RobotNames& names_;
  std::string head_, text_, parameters_;
};

}  // namespace

std::string told(const RobotOmission& o) {
  return fmt::format("{} ({}{}): {}", o.what, o.where,
                     o.count > 1 ? fmt::format(" and {} more", o.count - 1) : "", o.effect);
}

std::string robot_text(const Robot& robot, RobotNames& names, const std::string& file) {
  return Writer(robot, names, file).text();
}

}  // namespace driftless::io

// A model file of a robot: what `driftless convert` writes and `driftless run` of a robot file reads, so that both run alike.
//   armature    a rotor of that inertia on the ground, geared to the joint:  I theta'^2/2 with theta = the coordinate
//   light links are points of the links that they are fixed to
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/robot/robot.hpp"
#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;
using Type = RobotJoint::Type;

std::string text_of(const Vec3& v) {
  // 0 + x: no -0
  return fmt::format("[{}, {}, {}]", 0 + v.x, 0 + v.y, 0 + v.z);
}

// Names as model files have them: each used once, without dots, commas and what cannot be seen.
class Names {
 public:
  explicit Names(std::vector<std::string>& notes) : notes_(notes) {}

  // `kind`: what is added where the name is taken.
  std::string unique(const std::string& wanted, const std::string& kind) {
    std::string name = mechanics::shown(wanted, 200);
    for (char& c : name)
      if (c == '.' || c == ',') c = '_';
    if (name.empty()) name = kind;
    std::string free = name;
    for (int i = 1; !taken_.insert(free).second; ++i)
      free = i == 1 ? fmt::format("{}_{}", name, kind) : fmt::format("{}_{}{}", name, kind, i);
    if (free != wanted && !wanted.empty())
      notes_.push_back(fmt::format("{} '{}' is called '{}' here", kind, mechanics::shown(wanted, 200), free));
    return free;
  }

 private:
  std::set<std::string> taken_ = {"ground", "energy", "drift"};
  std::vector<std::string>& notes_;
};

// As text, always in quotes.
std::string quoted(const std::string& name) {
  const std::string k = toml_key(name);
  return k[0] == '"' ? k : '"' + k + '"';
}

std::string quaternion_of(const Mat3& R) {
  // The largest of the four first: no cancellation.
  const double four[] = {1 + R.x.x + R.y.y + R.z.z, 1 + R.x.x - R.y.y - R.z.z, 1 - R.x.x + R.y.y - R.z.z,
                         1 - R.x.x - R.y.y + R.z.z};
  int best = 0;
  for (int i = 1; i < 4; ++i)
    if (four[i] > four[best]) best = i;
  const double a = R.y.z - R.z.y, b = R.z.x - R.x.z, c = R.x.y - R.y.x;
  double p[4] = {four[0], a, b, c};
  if (best == 1) p[0] = a, p[1] = four[1], p[2] = R.y.x + R.x.y, p[3] = R.z.x + R.x.z;
  if (best == 2) p[0] = b, p[1] = R.y.x + R.x.y, p[2] = four[2], p[3] = R.z.y + R.y.z;
  if (best == 3) p[0] = c, p[1] = R.z.x + R.x.z, p[2] = R.z.y + R.y.z, p[3] = four[3];
  const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]) * (p[0] < 0 ? -1 : 1);
  return fmt::format("[{}, {}, {}, {}]", 0 + p[0] / size, 0 + p[1] / size, 0 + p[2] / size, 0 + p[3] / size);
}

bool is_identity(const Mat3& R) {
  return R.x == Vec3{1, 0, 0} && R.y == Vec3{0, 1, 0} && R.z == Vec3{0, 0, 1};
}

class Writer {
 public:
  Writer(const Robot& robot, const std::string& file) : robot_(robot), notes_(robot.notes), names_(notes_) {
    for (const RobotLink& link : robot.links)
      links_.push_back(link.name == "ground" && links_.empty() ? "ground" : names_.unique(link.name, "link"));
    for (const RobotJoint& joint : robot.joints)
      joints_.push_back(joint.type == Type::free ? "" : names_.unique(joint.name, "joint"));
    for (const RobotPoint& point : robot.points) points_.push_back(names_.unique(point.name, "point"));
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
    if (!robot_.omissions.empty()) {
      head_ += "# Not simulated:\n";
      for (const RobotOmission& o : robot_.omissions) head_ += fmt::format("#   {}\n", told(o));
    }
    for (const std::string& note : notes_) head_ += fmt::format("# Note: {}\n", note);
    head_ += fmt::format("\ntitle = {}\ngravity = {}\n", quoted(mechanics::shown(robot_.name, 200)),
                         text_of(robot_.gravity));
    if (!parameters_.empty())
      head_ += "\n# What actuators are told: --set NAME=VALUE changes it.\n[parameters]\n" + parameters_;
  }

  void body() {
    for (std::size_t i = 1; i < robot_.links.size(); ++i) write_link(robot_.links[i], links_[i]);
    for (std::size_t i = 0; i < robot_.points.size(); ++i) {
      line("\n[point.{}]", toml_key(points_[i]));
      line("body = {}", quoted(link(robot_.points[i].link)));
      line("at = {}", text_of(robot_.points[i].at));
    }
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      if (robot_.joints[i].type != Type::free) write_joint(robot_.joints[i], joints_[i]);
    for (const RobotCoupling& c : robot_.couplings) write_coupling(c);
    for (const RobotRod& rod : robot_.rods) {
      line("\n[joint.{}]", toml_key(names_.unique(rod.name, "rod")));
      line("type = \"distance\"\nbetween = [{}, {}]", quoted(link(rod.a)), quoted(link(rod.b)));
      line("a = {{at = {}}}\nb = {{at = {}}}\nlength = {}", text_of(rod.on_a), text_of(rod.on_b), rod.length);
    }
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      write_damping(robot_.joints[i],
                    robot_.joints[i].type == Type::free ? link(robot_.joints[i].child) : joints_[i]);
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      for (const RobotFreedom& f : robot_.joints[i].freedoms) write_along(f, joints_[i]);
    for (const RobotActuator& a : robot_.actuators) write_actuator(a);
    write_turns();
    write_output();
  }

  void write_link(const RobotLink& link, const std::string& name) {
    line("\n[body.{}]", toml_key(name));
    if (link.between) {
      line("massless = true  # between two joints of one link");
      line("at = {}", text_of(link.start.at));
      if (!is_identity(link.start.axes)) line("quaternion = {}", quaternion_of(link.start.axes));
      if (!(link.velocity == Vec3{})) line("velocity = {}", text_of(link.velocity));
      if (!(link.turning == Vec3{})) line("rates = {}", text_of(to_body(link.start.axes, link.turning)));
      return;
    }
    line("mass = {}", link.mass->mass);
    const Mat3& J = link.mass->inertia;
    line("inertia = {}", text_of({J.x.x, J.y.y, J.z.z}));
    if (J.z.y != 0 || J.x.z != 0 || J.y.x != 0) line("products = {}", text_of({J.z.y, J.x.z, J.y.x}));
    if (!(link.mass->center == Vec3{})) line("center = {}", text_of(link.mass->center));
    line("at = {}", text_of(link.start.at));
    if (!is_identity(link.start.axes)) line("quaternion = {}", quaternion_of(link.start.axes));
    if (!(link.velocity == Vec3{})) line("velocity = {}", text_of(link.velocity));
    if (!(link.turning == Vec3{})) line("rates = {}", text_of(to_body(link.start.axes, link.turning)));
    if (link.shapes.empty()) return;
    line("shapes = [");
    for (const BodyShape& shape : link.shapes) line("  {},", shape_text(shape));
    line("]");
  }

  static std::string shape_text(const BodyShape& shape) {
    std::string text;
    switch (shape.kind) {
      case BodyShape::Kind::box:
        text = fmt::format("{{type = \"box\", size = {}", text_of(shape.size));
        break;
      case BodyShape::Kind::sphere:
        text = fmt::format("{{type = \"sphere\", radius = {}", shape.radius);
        break;
      case BodyShape::Kind::cylinder:
        text = fmt::format("{{type = \"cylinder\", radius = {}, length = {}", shape.radius, shape.length);
        break;
      case BodyShape::Kind::capsule:
        text = fmt::format("{{type = \"capsule\", radius = {}, length = {}", shape.radius, shape.length);
        break;
      case BodyShape::Kind::link:
        text = fmt::format("{{type = \"link\", length = {}, width = {}, thickness = {}", shape.length,
                           shape.width, shape.thickness);
        break;
    }
    if (!(shape.at == Vec3{})) text += fmt::format(", at = {}", text_of(shape.at));
    if (!is_identity(shape.axes) && shape.kind != BodyShape::Kind::sphere) {
      text += fmt::format(", axis = {}",
                          text_of(shape.kind == BodyShape::Kind::link ? shape.axes.x : shape.axes.z));
      if (shape.kind == BodyShape::Kind::box) text += fmt::format(", x = {}", text_of(shape.axes.x));
    }
    if (!shape.color.empty()) text += fmt::format(", color = \"{}\"", shape.color);
    return text + "}";
  }

  void write_joint(const RobotJoint& joint, const std::string& name) {
    static const std::map<Type, const char*> types = {
        {Type::fixed, "fixed"},         {Type::revolute, "revolute"},
        {Type::prismatic, "prismatic"}, {Type::cylindrical, "cylindrical"},
        {Type::universal, "universal"}, {Type::screw, "screw"},
        {Type::planar, "planar"},       {Type::spherical, "spherical"}};
    line("\n[joint.{}]{}", toml_key(name), joint.loop ? "  # closes a loop" : "");
    line("type = \"{}\"\nbetween = [{}, {}]", types.at(joint.type), quoted(link(joint.parent)),
         quoted(link(joint.child)));
    line("a = {}\nb = {}", marker(joint.on_parent), marker(joint.on_child));
    if (joint.type == Type::screw) line("pitch = {}", joint.pitch);
  }
  static std::string marker(const Place& p) {
    return fmt::format("{{at = {}, axis = {}, x = {}}}", text_of(p.at), text_of(p.axes.z), text_of(p.axes.x));
  }

  // Of joints that turn about several axes.
  void write_damping(const RobotJoint& joint, const std::string& name) {
    const auto damper = [&](const char* type, bool from_child, const std::string& coefficients) {
      const int a = from_child ? joint.child : joint.parent, b = from_child ? joint.parent : joint.child;
      line("\n[force.{}]\ntype = \"{}\"\nbetween = [{}, {}]",
           toml_key(names_.unique(name + "_damping", "damping")), type, quoted(link(a)), quoted(link(b)));
      line("a = {}\nb = {}\n{}", marker(from_child ? joint.on_child : joint.on_parent),
           marker(from_child ? joint.on_parent : joint.on_child), coefficients);
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

  void write_coupling(const RobotCoupling& c) {
    if (c.leader < 0) {
      line("\n[drive.{}]", toml_key(names_.unique(c.name, "coupling")));
      line("on = {}\nmotion = {}", quoted(coordinate_of(c.follower)), c.c[0]);
      return;
    }
    line("\n[joint.{}]", toml_key(names_.unique(c.name, "coupling")));
    line("type = \"coupling\"\njoints = [{}, {}]", quoted(joint(c.leader)), quoted(joint(c.follower)));
    for (std::size_t i = 0; i < c.c.size(); ++i)
      if (c.c[i] != 0) line("c{} = {}", i, c.c[i]);
  }

  void write_along(const RobotFreedom& f, const std::string& name) {
    const std::string on = name + "." + f.coordinate;
    if (f.stiffness != 0) {
      line("\n[force.{}]", toml_key(names_.unique(name + "_spring", "spring")));
      line("type = \"spring-damper\"\non = {}\nstiffness = {}\nrest = {}", quoted(on), f.stiffness, f.rest);
      if (f.damping != 0) line("damping = {}", f.damping);
    } else if (f.damping != 0) {
      line("\n[force.{}]", toml_key(names_.unique(name + "_damping", "damping")));
      line("type = \"friction\"\non = {}\ncoefficient = {}", quoted(on), f.damping);
    }
    if (f.armature == 0) return;
    const std::string rotor = names_.unique(name + "_rotor", "rotor"),
                      shaft = names_.unique(name + "_shaft", "shaft");
    line("\n# The armature of {}: a rotor that turns as fast as the joint.", name);
    line("[body.{0}]\nmass = 1\ninertia = [{1}, {1}, {1}]\nat = [0, 0, 0]", toml_key(rotor), f.armature);
    if (f.start != 0) line("turn = {{axis = [0, 0, 1], angle = {}}}", f.start);
    if (f.rate != 0) line("rates = [0, 0, {}]", f.rate);
    line("[joint.{}]\ntype = \"revolute\"\nbetween = [\"ground\", {}]", toml_key(shaft), quoted(rotor));
    line("[joint.{}]\ntype = \"{}\"\njoints = [{}, {}]\n{} = 1",
         toml_key(names_.unique(name + "_gear", "gear")),
         f.coordinate == "angle" ? "gear" : "rack-and-pinion", quoted(shaft), quoted(name),
         f.coordinate == "angle" ? "ratio" : "radius");
  }

  void write_actuator(const RobotActuator& a) {
    const std::string name = names_.unique(a.name, "actuator"), on = coordinate_of(a.joint);
    if (a.gain != 0 || a.constant != 0) {
      std::string formula = fmt::format("{}", a.constant);
      if (a.gain != 0) {
        const std::string control = control_named(name);
        parameters_ += fmt::format("{} = {}\n", control, a.control);
        formula =
            fmt::format("{}*{}", a.gain, control) + (a.constant != 0 ? fmt::format(" + {}", a.constant) : "");
      }
      line("\n[force.{}]\ntype = \"actuator\"\non = {}\nforce = \"{}\"", toml_key(name), quoted(on), formula);
    }
    if (a.stiffness != 0 || a.damping != 0) {
      line("\n[force.{}]\ntype = \"spring-damper\"\non = {}",
           toml_key(names_.unique(name + "_feedback", "spring")), quoted(on));
      line("stiffness = {}\nrest = 0\ndamping = {}", a.stiffness, a.damping);
    }
  }
  // A parameter stands in formulas: letters, digits and _.
  std::string control_named(const std::string& actuator) {
    std::string name = "ctrl_";
    for (const char c : actuator) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    std::string free = name;
    for (int i = 2; !controls_.insert(free).second; ++i) free = fmt::format("{}_{}", name, i);
    return free;
  }

  // Angles beyond half a turn, which places do not show.
  void write_turns() {
    std::string turns;
    for (std::size_t i = 0; i < robot_.joints.size(); ++i)
      for (const RobotFreedom& f : robot_.joints[i].freedoms)
        if (f.coordinate == "angle" && std::abs(f.start) > 3.14 && !robot_.joints[i].loop)
          turns +=
              fmt::format("{}{} = {}", turns.empty() ? "" : ", ", quoted(joints_[i] + ".angle"), f.start);
    if (!turns.empty()) line("\n[start]\npositions = {{{}}}", turns);
  }

  // Coordinates of joints, and where bodies are that have none. It stands last, where the loops file may replace it.
  void write_output() {
    std::string columns;
    const auto add = [&](const std::string& name) { columns += fmt::format("  {},\n", quoted(name)); };
    const auto add_place = [&](const std::string& name) {
      for (const char* axis : {".x", ".y", ".z"}) add(name + axis);
    };
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const RobotJoint& j = robot_.joints[i];
      if (j.loop || j.type == Type::fixed) continue;
      for (const RobotFreedom& f : j.freedoms) add(joints_[i] + "." + f.coordinate);
      if (j.freedoms.empty()) add_place(link(j.child));
    }
    for (const std::string& point : points_) add_place(point);
    for (const char* sum : {"energy.kinetic", "energy.potential", "energy.total", "drift.position"}) add(sum);
    line("\n[output]\ncolumns = [\n{}]", columns);
  }

  static std::string told(const RobotOmission& o) {
    return fmt::format("{} ({}{}): {}", o.what, o.where,
                       o.count > 1 ? fmt::format(" and {} more", o.count - 1) : "", o.effect);
  }
  const std::string& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  const std::string& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  std::string coordinate_of(int i) const {
    return joint(i) + "." + robot_.joints[static_cast<std::size_t>(i)].freedoms.at(0).coordinate;
  }

  const Robot& robot_;
  std::vector<std::string> notes_;
  Names names_;
  std::vector<std::string> links_, joints_, points_;
  std::set<std::string> controls_;
  std::string head_, text_, parameters_;
};

}  // namespace

std::string toml_key(const std::string& name) {
  if (!name.empty() &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == name.npos)
    return name;
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string robot_text(const Robot& robot, const std::string& file) {
  return Writer(robot, file).text();
}

}  // namespace driftless::io

// <worldbody>: bodies in bodies, with their joints, geoms and sites; <frame> only moves what is in it. Bodies have numbers in the order of the
// file, the world 0, and their links have the frames of <body>.
#include <algorithm>

#include <fmt/format.h>

#include "io/robot/mjcf_inertia.hpp"
#include "io/robot/mjcf_joints.hpp"

namespace driftless::io {

namespace {

constexpr int deepest = 1000;  // bodies and frames in each other, over all files

class BodyReader {
 public:
  explicit BodyReader(MjcfModel& model) : model_(model) {}

  void read() {
    for (const XmlElement& world : model_.file.sections("worldbody"))
      read_inside(world, 0, model_.classes.main(), 0);
    if (model_.settings.total_mass) set_total_mass(model_.robot, *model_.settings.total_mass);
    tell_contacts();
  }

 private:
  // What stands in a body, frames taken apart.
  void collect(const XmlElement& of, const Place& frame, int inherited, std::vector<MjcfPart>& parts,
               int depth) {
    for (const XmlElement& e : model_.file.children(of)) {
      if (e.name() == "inertial" && of.name() == "frame")
        e.fault("it stands in a <frame>, which does not move it; put it into the <body> itself");
      if (e.name() != "frame") {
        parts.push_back({e, frame, inherited});
        continue;
      }
      if (depth > deepest) {
        too_deep(e);
        return;
      }
      e.word("name");
      const Place inner = frame * place_of(MjcfElement(e), model_.settings.angles);
      collect(e, inner, model_.classes.named(e, "childclass", inherited), parts, depth + 1);
    }
  }

  // Body `index`, or the world, whose element is `of`.
  void read_inside(const XmlElement& of, int index, int inherited, int depth, const Place& place = {}) {
    std::vector<MjcfPart> parts, joints, bodies;
    collect(of, {}, inherited, parts, depth);
    std::optional<XmlElement> inertial;
    for (const MjcfPart& part : parts) {
      const std::string name = part.element.name();
      if (name == "body") {
        bodies.push_back(part);
      } else if (index == 0 && (name == "joint" || name == "freejoint" || name == "inertial")) {
        part.element.fault(fmt::format("the world has no {}; put it into a <body>", name));
        part.element.ignore();
      } else if (name == "joint" || name == "freejoint") {
        joints.push_back(part);
      } else if (name == "inertial") {
        if (inertial) part.element.fault("there is a second <inertial>; keep one of them");
        inertial = part.element;
      }
    }
    if (index > 0) {
      MjcfBody& body = model_.bodies.back();
      body.carrier = joints.empty() ? model_.body(body.parent).carrier : index;
      hang_body(model_, of, place, joints);
    }
    std::vector<MjcfGeom> geoms;
    for (const MjcfPart& part : parts) read_part(part, index, geoms);
    if (index > 0) {
      RobotLink& link = model_.robot.links[static_cast<std::size_t>(model_.body(index).link)];
      const bool counts = model_.body(index).carrier != 0 || model_.settings.total_mass.has_value();
      link.mass = mass_of_body(of, inertial, geoms, model_.body(index).pos, model_.settings, counts);
      for (const MjcfGeom& geom : geoms)
        if (geom.shape) link.shapes.push_back(*geom.shape);
    } else if (!geoms.empty()) {
      geoms[0].element.leave_out("geoms of the world", "they are not drawn");
    }
    for (const MjcfPart& part : bodies) read_body(part, index, depth + 1);
  }

  void read_body(const MjcfPart& part, int parent, int depth) {
    const XmlElement& e = part.element;
    if (depth > deepest) {
      too_deep(e);
      return;
    }
    const int index = static_cast<int>(model_.bodies.size());
    const std::string given = name_of(model_, e, "body");
    if (given == "world") e.fault("name", "'world' is the name of the world; give it another one");
    const std::string name = given.empty() ? fmt::format("body{}", index) : given;
    const MjcfElement own(e);
    const Place given_place = place_of(own, model_.settings.angles), place = part.frame * given_place;
    if (own.flag("mocap", false)) e.omit("mocap bodies", "they stay where the file places them");
    if (own.number("gravcomp").value_or(0) != 0)
      e.omit("gravity compensation (gravcomp)", "gravity pulls these bodies with all of their weight");
    know(e, {"user", "sleep"});
    model_.bodies.push_back({.name = name,
                             .link = static_cast<int>(model_.robot.links.size()),
                             .parent = parent,
                             .pos = given_place.at,
                             .world = model_.body(parent).world * place});
    if (!given.empty()) model_.body_names.emplace(given, index);
    model_.robot.links.push_back({.name = name, .line = e.line()});
    read_inside(e, index, model_.classes.named(e, "childclass", part.inherited), depth, place);
  }

  void read_part(const MjcfPart& part, int index, std::vector<MjcfGeom>& geoms) {
    static const std::set<std::string> done = {"body", "joint", "freejoint", "inertial"},
                                       makers = {"replicate", "composite", "flexcomp", "attach"};
    const XmlElement& e = part.element;
    const std::string name = e.name();
    if (done.count(name)) return;
    if (name == "geom") {
      geoms.push_back(read_geom(model_, model_.classes.of(e, "geom", part.inherited), part.frame));
      const MjcfGeom& geom = geoms.back();
      if (const auto called = e.word("name"))
        model_.balls.emplace(*called, MjcfBall{index, geom.center, geom.radius});
      add_touching({geom.touches, geom.touched_by}, model_.body(index).carrier, e);
    } else if (name == "site") {
      read_site(part, index);
    } else if (name == "camera" || name == "light") {
      e.leave_out("cameras and lights", "nothing is seen by them"), e.ignore();
    } else if (name == "plugin") {
      e.omit("plugins", "what they do has no effect"), e.ignore();
    } else if (makers.count(name)) {
      e.fault(
          fmt::format("<{}> stands for elements that the file does not write out; write them out, as a file "
                      "has them that "
                      "MuJoCo has saved",
                      name));
      e.ignore();
    } else {
      e.omit(fmt::format("<{}> in <body>", name), "it is not known here, and nothing comes of it"),
          e.ignore();
    }
  }

  void read_site(const MjcfPart& part, int index) {
    const MjcfElement e = model_.classes.of(part.element, "site", part.inherited);
    know(part.element, "site");
    const std::string name = name_of(model_, part.element, "site");
    const auto ends = ends_of(e);
    const Place at = part.frame * (ends ? ends->middle : place_of(e, model_.settings.angles));
    if (name.empty()) {
      part.element.leave_out("sites without a name", "they are no points of the results");
      return;
    }
    model_.sites.emplace(name, MjcfSite{index, at});
    model_.robot.points.push_back({.name = name, .link = model_.body(index).link, .at = at});
  }

  // Two geoms touch where the bits of one meet those of the other, unless nothing moves between their bodies, or only one body's joints do.
  void tell_contacts() {
    if (!model_.settings.acts("contact") || model_.settings.only_pairs) return;
    const auto touch = [&](int a, int b) {
      if (a == b) return false;
      const bool neighbours = a != 0 && b != 0 && (carrier_of_parent(a) == b || carrier_of_parent(b) == a);
      return !neighbours || !model_.settings.acts("filterparent");
    };
    for (const auto& [a, of_a] : touching_)
      for (const auto& [b, of_b] : touching_) {
        if (!(a.first & b.second) && !(b.first & a.second)) continue;
        for (const auto& [first, e] : of_a)
          for (const auto& [second, other] : of_b)
            if (touch(first, second)) {
              e.omit("contacts between geoms", "bodies pass through each other and the ground");
              return;
            }
      }
  }
  int carrier_of_parent(int body) const { return model_.body(model_.body(body).parent).carrier; }

  // Of very many kinds the rest counts as touching everything.
  void add_touching(std::pair<unsigned, unsigned> kind, int carrier, const XmlElement& e) {
    constexpr std::size_t many = 64;
    if (touching_.size() >= many && !touching_.count(kind)) kind = {~0u, ~0u};
    touching_[kind].emplace(carrier, e);
  }

  static void too_deep(const XmlElement& e) {
    e.fault(fmt::format("bodies stand in each other more than {} deep; make shorter chains", deepest));
    e.ignore();
  }

  MjcfModel& model_;
  // By contype and conaffinity: carriers of such geoms, each with the first one.
  std::map<std::pair<unsigned, unsigned>, std::map<int, XmlElement>> touching_;
};

}  // namespace

void read_bodies(MjcfModel& model) {
  BodyReader(model).read();
}

}  // namespace driftless::io

// <equality>: what closes loops, and joints that follow others. In MuJoCo these are springs of a kind; here they hold exactly.
//   connect  a point of body1, `anchor`, stays where it is on body2 in the pose of the file; or two sites stay together
//   weld     body2 stays where it is by body1 in the pose of the file, or at `relpose`; or two sites stay together, with their axes
//   distance the surfaces of two spheres keep their distance d, and so their centres d + r1 + r2 (of other geoms it is not known; MuJoCo has left
//            it out of its format since 2.2.2)
//   joint    y - y0 = a0 + a1 (x - x0) + .. + a4 (x - x0)^4, with y of joint1, x of joint2, and y0, x0 in the pose of the file. In powers of x:
//            c_j = sum over k >= j of a_k (k over j) (-x0)^(k - j), and y0 is added to c_0. Without joint2, y = y0 + a0.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "io/robot/mjcf_model.hpp"

namespace driftless::io {

namespace {

using mechanics::Vec3;
using Type = RobotJoint::Type;

class EqualityReader {
 public:
  explicit EqualityReader(MjcfModel& model) : model_(model) {}

  void read() {
    for (const XmlElement& section : model_.file.sections("equality"))
      for (const XmlElement& e : model_.file.children(section)) read_one(e);
    if (left_out_ > 0)
      model_.robot.notes.push_back(
          fmt::format("<flag> disables equality constraints: {} are left out", left_out_));
  }

 private:
  void read_one(const XmlElement& own) {
    static const std::set<std::string> kinds = {"connect", "weld", "joint", "distance"};
    const std::string kind = own.name();
    const MjcfElement e = model_.classes.of(own, "equality", model_.classes.main());
    know(own, "equality");
    const std::string name = name_of(model_, own, "equality constraint");
    if (!e.flag("active", true)) {
      model_.robot.notes.push_back(
          fmt::format("{} of line {} is not active: it is left out", own.called(), own.line()));
      own.ignore();
    } else if (!model_.settings.acts("equality")) {
      ++left_out_;
      own.ignore();
    } else if (!kinds.count(kind)) {
      own.omit(fmt::format("<{}> of <equality>", kind), "it holds nothing"), own.ignore();
    } else {
      if (e.has("solref") || e.has("solimp"))
        own.omit("softness of equality constraints (solref, solimp)", "they hold exactly here");
      if (kind == "joint")
        read_coupling(own, name);
      else if (kind == "distance")
        read_distance(own, name);
      else
        read_loop(own, name);
    }
  }

  void note_still(const XmlElement& e) {
    model_.robot.notes.push_back(
        fmt::format("{} of line {} holds bodies that do not move against each other: it is left out",
                    e.called(), e.line()));
  }

  // --- connect, weld -----------------------------------------------------------------------------------------------------------

  std::optional<int> body_named(const XmlElement& e, const char* attribute) const {
    return named(model_.body_names, e, attribute, "body");
  }
  std::optional<MjcfSite> site_named(const XmlElement& e, const char* attribute) const {
    if (!e.need(attribute, "the name of a site; connections of sites have two")) return {};
    return named(model_.sites, e, attribute, "site");
  }

  // The two places, each in its body, that stay together.
  struct Together {
    MjcfSite a, b;
  };

  void read_loop(const XmlElement& e, const std::string& name) {
    const bool weld = e.name() == "weld";
    know(e, {"torquescale"});
    const auto together = e.has("site1") || e.has("site2") ? by_sites(e) : by_bodies(e, weld);
    if (!together) return;
    const auto& [a, b] = *together;
    const MjcfBody &first = model_.body(a.body), &second = model_.body(b.body);
    if (first.carrier == second.carrier) {
      note_still(e);
      return;
    }
    RobotJoint joint{.name = name, .line = e.line(), .type = weld ? Type::fixed : Type::spherical};
    if (name.empty()) joint.name = fmt::format("{}_{}_{}", e.name(), first.name, second.name);
    joint.parent = first.link, joint.child = second.link;
    joint.on_parent = a.at, joint.on_child = b.at;
    joint.loop = true;
    model_.robot.joints.push_back(std::move(joint));
  }

  std::optional<Together> by_sites(const XmlElement& e) const {
    for (const char* other : {"body1", "body2", "anchor", "relpose"})
      if (e.word(other)) e.fault(other, "sites say what stays together; leave it out");
    const auto a = site_named(e, "site1"), b = site_named(e, "site2");
    if (!a || !b) return {};
    return Together{*a, *b};
  }

  std::optional<Together> by_bodies(const XmlElement& e, bool weld) const {
    e.need("body1", "the name of a body");
    const auto a = body_named(e, "body1"), b = e.has("body2") ? body_named(e, "body2") : std::optional(0);
    const auto anchor = e.vector("anchor");
    if (!weld && !e.has("anchor"))
      e.fault("anchor is missing: the point that stays together, by the axes of body1");
    const auto relative = weld ? e.numbers("relpose", 7, 7) : std::nullopt;
    if (!a || !b) return {};
    if (*a == *b) {
      e.fault("body1 and body2 are the same body; connect it with another one");
      return {};
    }
    const Place second = inverse(model_.body(*a).world) * model_.body(*b).world;  // of body2 by body1's axes
    if (!weld) {
      const Place point{anchor.value_or(Vec3{})};
      return Together{{*a, point}, {*b, {(inverse(second) * point).at}}};
    }
    // The anchor is a point of body2; `relpose` says where it is on body1.
    const auto turn = relative ? rotation_of(*relative, 3) : std::nullopt;
    if (!turn) return Together{{*a, second}, {*b, {}}};
    return Together{{*a, {{(*relative)[0], (*relative)[1], (*relative)[2]}, *turn}},
                    {*b, {anchor.value_or(Vec3{})}}};
  }

  // --- distance ----------------------------------------------------------------------------------------------------------------

  void read_distance(const XmlElement& e, const std::string& name) {
    e.need("geom1", "the name of a sphere");
    e.need("geom2", "the name of a sphere");
    const auto a = named(model_.balls, e, "geom1", "geom"), b = named(model_.balls, e, "geom2", "geom");
    const double apart = e.number("distance").value_or(0);
    if (!a || !b) return;
    if (!a->radius || !b->radius) {
      e.fault(
          fmt::format("geom '{}' is no sphere, and of other geoms the distance is not known; a joint of type "
                      "\"distance\" in the loops file keeps two points apart",
                      e.word(a->radius ? "geom2" : "geom1").value_or("")));
      return;
    }
    const double length = apart + *a->radius + *b->radius;
    if (!(length > 0)) {
      e.fault("distance",
              fmt::format("the centres would be {:g} m apart (must be positive); give {:g} or more", length,
                          -*a->radius - *b->radius));
      return;
    }
    const MjcfBody &first = model_.body(a->body), &second = model_.body(b->body);
    if (first.carrier == second.carrier) {
      note_still(e);
      return;
    }
    model_.robot.rods.push_back(
        {.name = name.empty() ? fmt::format("distance_{}_{}", first.name, second.name) : name,
         .line = e.line(),
         .a = first.link,
         .b = second.link,
         .on_a = a->center,
         .on_b = b->center,
         .length = length});
  }

  // --- joint -------------------------------------------------------------------------------------------------------------------

  // A joint of one coordinate.
  std::optional<int> joint_named(const XmlElement& e, const char* attribute) {
    const auto joint = named(model_.joint_names, e, attribute, "joint");
    if (!joint || model_.joint(*joint).freedoms.size() == 1) return joint;
    e.fault(attribute, fmt::format("joint '{}' is no hinge and no slide; only these have one coordinate",
                                   model_.joint(*joint).name));
    return {};
  }

  void read_coupling(const XmlElement& e, const std::string& name) {
    e.need("joint1", "the name of the joint that follows");
    const auto follower = joint_named(e, "joint1"), leader = joint_named(e, "joint2");
    std::array<double, 5> a = {0, 1, 0, 0, 0};
    if (const auto given = e.numbers("polycoef", 1, 5)) std::copy(given->begin(), given->end(), a.begin());
    if (!follower || (e.has("joint2") && !leader)) return;
    if (leader == follower) {
      e.fault("joint2", "a joint cannot follow itself");
      return;
    }
    RobotCoupling coupling{
        .name = name, .line = e.line(), .follower = *follower, .leader = leader.value_or(-1)};
    if (name.empty()) coupling.name = model_.joint(*follower).name + "_follows";
    if (leader) {
      const double x0 = reference(*leader);
      for (std::size_t k = 0; k < 5; ++k) {
        double term = a[k];  // a_k (k over j) (-x0)^(k - j), from j = k down
        for (std::size_t j = k + 1; j-- > 0;) {
          coupling.c[j] += term;
          term *= -x0 * static_cast<double>(j) / static_cast<double>(k - j + 1);
        }
      }
    } else {
      coupling.c[0] = a[0];
    }
    coupling.c[0] += reference(*follower);
    model_.robot.couplings.push_back(std::move(coupling));
  }
  // The coordinate in the pose of the file.
  double reference(int joint) const { return model_.references.at(joint); }

  MjcfModel& model_;
  int left_out_ = 0;
};

}  // namespace

void read_equalities(MjcfModel& model) {
  EqualityReader(model).read();
}

}  // namespace driftless::io

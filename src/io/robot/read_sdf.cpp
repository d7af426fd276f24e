// SDFormat: a world of models, or one model. All places are those of the file, where all joints are at 0; links that no joint holds float, those of
// static models are part of the ground.
//   First everything that has a name is found, through nested and included models; then frames are resolved, then links and joints are read.
#include <cmath>

#include <fmt/format.h>

#include "io/robot/possible_inertia.hpp"
#include "io/robot/robot_readers.hpp"
#include "io/robot/sdf_joints.hpp"
#include "io/robot/sdf_links.hpp"
#include "io/robot/sdf_models.hpp"
#include "io/robot/sdf_tree.hpp"
#include "io/robot/sdf_values.hpp"

namespace driftless::io {

namespace {

class SdfReader {
 public:
  explicit SdfReader(const XmlElement& root) : root_(root), models_(root, robot_) {
    robot_.gravity = {0, 0, -9.8};
  }

  Robot read() {
    const auto version = sdf_version(root_);
    robot_.format = "SDFormat " + root_.word("version").value_or("");
    if (!version) return std::move(robot_);
    const SdfInside outside{.version = *version};
    if (const auto world = root_.child("world"))
      read_world(*world, outside);
    else
      read_lone_model(outside);
    for (const char* other : {"actor", "light"})
      omit_in(root_, other, fmt::format("<{}>", other), "it is left out");
    models_.frames().resolve();
    read_links();
    read_joints();
    return std::move(robot_);
  }

 private:
  void read_lone_model(const SdfInside& outside) {
    const auto models = root_.children("model"), includes = root_.children("include");
    if (models.size() + includes.size() > 1)
      (models.size() > 1 ? models[1] : includes.back())
          .fault("without a <world> there is one model; put several into a <world>");
    else if (models.size() == 1)
      robot_.name = models_.add_model(models[0], outside);
    else if (includes.size() == 1)
      robot_.name = models_.add_include(includes[0], outside);
    else
      root_.fault("there is no <model> and no <world> in it");
    robot_.notes.emplace_back("without a world, gravity is 9.8 m/s^2 against z, which is usual in SDFormat");
  }

  void read_world(const XmlElement& world, const SdfInside& outside) {
    robot_.name = world.word("name").value_or("world");
    robot_.gravity = vector_in(world, "gravity").value_or(robot_.gravity);
    for (const XmlElement& physics : world.children("physics")) {
      // Its place before version 1.6.
      robot_.gravity = vector_in(physics, "gravity").value_or(robot_.gravity);
      physics.leave_out("settings of physics engines", "methods and steps are chosen here");
      physics.ignore();
    }
    omit_in(world, "plugin", "plugins", "what they do does not happen");
    omit_in(world, "wind", "wind", "no wind blows");
    omit_in(world, "state", "states of worlds", "everything starts where its model says");
    omit_in(world, "population", "populations", "these models are missing");
    omit_in(world, "actor", "actors", "they are missing");
    for (const char* other :
         {"scene", "gui", "light", "audio", "atmosphere", "magnetic_field", "spherical_coordinates", "road"})
      leave_out_in(world, other, fmt::format("<{}> of worlds", other), "it changes no motion here");
    for (const char* other : {"model", "include"})
      for (const XmlElement& e : root_.children(other)) e.fault("it stands beside a <world>; put it inside");
    const auto models = world.children("model"), includes = world.children("include");
    const std::size_t count = models.size() + includes.size();
    if (count == 0) world.fault("there is no <model> in it");
    if (count > 1) models_.tell_apart();
    for (const XmlElement& model : models) {
      const std::string name = models_.add_model(model, outside);
      if (count == 1) robot_.name = name;
    }
    for (const XmlElement& include : includes) {
      const std::string name = models_.add_include(include, outside);
      if (count == 1) robot_.name = name;
    }
    for (const XmlElement& frame : world.children("frame")) models_.add_frame(frame, outside);
    for (const XmlElement& joint : world.children("joint")) models_.add_joint(joint, outside);
  }

  void read_links() {
    SdfFrames& frames = models_.frames();
    std::vector<std::string> silent;  // on their mass
    for (const SdfLink& l : models_.links()) {
      RobotLink& link = robot_.links[static_cast<std::size_t>(l.body)];
      if (l.body > 0) {
        link.start = frames.in_world(l.frame);
        if (!read_sdf_link(l.element, l.frame, frames, link)) silent.push_back(link.name);
        judge_inertia(link, l.element, robot_.notes);
        continue;
      }
      RobotLink part{.name = ""};
      read_sdf_link(l.element, l.frame, frames, part);
      for (BodyShape& shape : part.shapes) {
        const Place at = frames.in_world(l.frame) * Place{shape.at, shape.axes};
        shape.at = at.at, shape.axes = at.axes;
        link.shapes.push_back(std::move(shape));
      }
    }
    if (!silent.empty())
      robot_.notes.push_back(fmt::format(
          "link {}{} without <inertial>: 1 kg and 1 kg m^2 about all axes, which is usual in SDFormat",
          named(silent[0]), silent.size() > 1 ? fmt::format(" and {} more", silent.size() - 1) : ""));
  }

  void read_joints() {
    std::vector<SdfGear> gears;
    for (SdfJoint& joint : models_.joints())
      read_sdf_joint(joint, robot_, models_.frames(), models_.link_frames(), gears);
    if (!root_.reading().faults().empty()) gears.clear();  // their axes may not be known
    const std::vector<OwnStart> own = own_starts();
    couple_sdf_joints(models_.joints(), gears, models_.frames(), robot_);
    hang_sdf_joints(robot_);
    tell_starts(own);
  }

  // Joints whose <initial_position> is not 0.
  struct OwnStart {
    std::size_t joint;
    double position = 0;  // of universal joints, which have two, none
  };
  std::vector<OwnStart> own_starts() const {
    std::vector<OwnStart> own;
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const RobotJoint& joint = robot_.joints[i];
      const bool one = !joint.freedoms.empty();
      if (one && joint.freedoms[0].start != 0) own.push_back({i, joint.freedoms[0].start});
      if (!one && (joint.start.axes.x.x != 1 || joint.start.axes.z.z != 1)) own.push_back({i});
    }
    return own;
  }
  // Those of them that start elsewhere.
  void tell_starts(const std::vector<OwnStart>& own) {
    constexpr double roundoff = 1e-9;
    for (const OwnStart& given : own) {
      const RobotJoint& joint = robot_.joints[given.joint];
      if (joint.loop)
        robot_.notes.push_back(
            fmt::format("joint {} closes a loop: where it starts follows from the other joints, not from its "
                        "initial_position",
                        named(joint.name)));
      else if (!joint.freedoms.empty() && std::abs(joint.freedoms[0].start - given.position) > roundoff)
        robot_.notes.push_back(fmt::format(
            "joint {} follows another one: it starts at {:g}, not at its initial_position of {:g}",
            named(joint.name), joint.freedoms[0].start, given.position));
    }
  }

  XmlElement root_;
  Robot robot_;
  SdfModels models_;
};

}  // namespace

Robot read_sdf(XmlElement root) {
  return SdfReader(root).read();
}

}  // namespace driftless::io

// MJCF, the format of MuJoCo: bodies in bodies, each with the joints by which it moves against the one around it. Which part is read where:
//   <include>, <default>  mjcf_defaults      <compiler>, <option>  mjcf_settings      orientations  mjcf_frames
//   <worldbody>           mjcf_bodies, mjcf_joints, mjcf_inertia                      <keyframe>    mjcf_keyframes
//   <equality>            mjcf_equality      <actuator>            mjcf_actuators
//   hinge  revolute       slide  prismatic       ball  spherical       free  free       none  fixed to what is around it
#include <map>

#include <fmt/format.h>

#include "io/robot/mjcf_model.hpp"
#include "io/robot/robot_readers.hpp"

namespace driftless::io {

namespace {

struct Untold {
  const char *what, *effect;
  bool acts = false;
};

// Sections that are not simulated.
const std::map<std::string, Untold> sections = {
    {"tendon", {"tendons", "nothing is pulled by them", true}},
    {"sensor", {"sensors", "nothing is measured by them; results have columns of their own"}},
    {"asset", {"assets (meshes, textures, materials)", "they have no part in the motion"}},
    {"visual", {"<visual>", "it has no part in the motion"}},
    {"statistic", {"<statistic>", "it has no part in the motion"}},
    {"size", {"<size>", "it has no part in the motion"}},
    {"custom", {"<custom>", "it has no part in the motion"}},
    {"extension", {"plugins", "what they do has no effect", true}},
    {"deformable", {"deformable bodies and skins", "nothing of them moves", true}},
    {"skin", {"deformable bodies and skins", "nothing of them moves"}},
};

void omit_sections(MjcfModel& model) {
  static const std::set<std::string> read = {"compiler", "option",   "default",  "worldbody",
                                             "equality", "actuator", "keyframe", "contact"};
  for (const XmlElement& e : model.file.children(model.file.root())) {
    const std::string name = e.name();
    if (read.count(name)) continue;
    if (const auto known = sections.find(name); known == sections.end())
      e.omit(fmt::format("<{}> in <mujoco>", name), "it is not known here, and nothing comes of it");
    else if (known->second.acts)
      e.omit(known->second.what, known->second.effect);
    else
      e.leave_out(known->second.what, known->second.effect);
    e.ignore();
  }
  for (const XmlElement& section : model.file.sections("contact"))
    for (const XmlElement& e : model.file.children(section)) {
      // What is excluded does not touch here either.
      if (e.name() != "exclude" && model.settings.acts("contact"))
        e.omit("contacts of pairs", "bodies pass through each other and the ground");
      e.ignore();
    }
}

}  // namespace

Robot read_mjcf(XmlElement root, const std::string& keyframe) {
  MjcfModel model(root);
  model.robot.format = "MJCF";
  model.robot.name = root.word("model").value_or("robot");
  read_settings(model);
  model.classes.read(model.file);
  read_bodies(model);
  const MjcfStart start = read_keyframes(model, keyframe);
  read_equalities(model);
  read_actuators(model, start);
  omit_sections(model);
  if (model.robot.links.size() == 1 && root.reading().faults().empty())
    root.fault("there is no body; give at least one as <worldbody><body>..");
  return std::move(model.robot);
}

}  // namespace driftless::io

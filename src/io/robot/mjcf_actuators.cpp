// <actuator>: forces along hinges and slides. With the length l = gear q, the joint is pushed by
//   gear (gain u + b0 + b1 l + b2 l')        u the control
//   motor  gain = 1       position  gain = kp, b1 = -kp, b2 = -kv       velocity  gain = kv, b2 = -kv       general  gainprm, biasprm
//   damper, and affine gains in general: gain = g0 + g1 l + g2 l'. There u stays what it is at the start.
// All names stand for the same settings, so a class's <position kp=".."/> is what its <velocity> begins with.
#include <algorithm>

#include <fmt/format.h>

#include "io/robot/mjcf_model.hpp"

namespace driftless::io {

namespace {

struct Law {
  std::string dynamics = "none", gain_type = "fixed", bias_type = "none";
  std::vector<double> gain = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, bias = std::vector<double>(10, 0.0),
                      gear = {1, 0, 0, 0, 0, 0};
  double servo_damping = 0;                            // kv of <position>
  bool by_ratio = false;                               // MuJoCo finds kv
  std::size_t control_limited = 2, force_limited = 2;  // 0: no, 1: yes, 2: where there is a range
  std::vector<double> control_range = {0, 0}, force_range = {0, 0};
  bool inherits_range = false;
  int group = 0;
};

void read_common(const MjcfElement& e, Law& law) {
  law.group = e.whole("group").value_or(law.group);
  const auto limited = [&](const char* attribute, std::size_t& into) {
    into = e.one_of(attribute, {"false", "true", "auto"}).value_or(into);
  };
  limited("ctrllimited", law.control_limited);
  limited("forcelimited", law.force_limited);
  law.control_range = e.numbers("ctrlrange", 2, 2).value_or(law.control_range);
  law.force_range = e.numbers("forcerange", 2, 2).value_or(law.force_range);
  law.gear = e.overlaid("gear", law.gear);
}

void read_servo(const MjcfElement& e, Law& law) {
  law.gain_type = "fixed", law.bias_type = "affine";
  law.gain[0] = e.number("kp").value_or(law.gain[0]);
  law.servo_damping = e.number("kv").value_or(law.servo_damping);
  if (law.servo_damping < 0)
    e.fault("kv", fmt::format("{:g} is negative; give 0 or more", law.servo_damping));
  if (const auto ratio = e.number("dampratio")) law.by_ratio = *ratio != 0;
  if (const auto range = e.number("inheritrange")) law.inherits_range = *range != 0;
  law.bias = std::vector<double>(10, 0.0);
  law.bias[1] = -law.gain[0], law.bias[2] = -law.servo_damping;
}

// What an element, or one of a class, sets.
void apply(const XmlElement& own, Law& law) {
  const MjcfElement e(own);
  const std::string kind = own.name();
  read_common(e, law);
  if (kind == "general") {
    law.dynamics = e.word("dyntype").value_or(law.dynamics);
    law.gain_type = e.word("gaintype").value_or(law.gain_type);
    law.bias_type = e.word("biastype").value_or(law.bias_type);
    law.gain = e.overlaid("gainprm", law.gain);
    law.bias = e.overlaid("biasprm", law.bias);
  } else if (kind == "motor") {
    law.dynamics = "none", law.gain_type = "fixed", law.bias_type = "none";
    law.gain[0] = 1;
  } else if (kind == "position") {
    read_servo(e, law);
    law.dynamics = e.number("timeconst").value_or(0) > 0 ? "filterexact" : "none";
  } else if (kind == "intvelocity") {
    read_servo(e, law);
    law.dynamics = "integrator";
  } else if (kind == "velocity") {
    law.dynamics = "none", law.gain_type = "fixed", law.bias_type = "affine";
    law.gain[0] = e.number("kv").value_or(law.gain[0]);
    law.bias = std::vector<double>(10, 0.0);
    law.bias[2] = -law.gain[0];
  } else if (kind == "damper") {
    law.dynamics = "none", law.gain_type = "affine", law.bias_type = "none";
    law.gain = std::vector<double>(10, 0.0);
    law.gain[2] = -e.number("kv").value_or(0);
    law.control_limited = 1;
  } else {
    law.dynamics = kind;  // cylinder, muscle, adhesion, plugin and what may come
  }
}

class ActuatorReader {
 public:
  ActuatorReader(MjcfModel& model, const MjcfStart& start) : model_(model), start_(start) {}

  void read() {
    std::vector<XmlElement> all;
    for (const XmlElement& section : model_.file.sections("actuator"))
      for (const XmlElement& e : model_.file.children(section)) all.push_back(e);
    if (!start_.controls.empty() && start_.controls.size() != all.size())
      start_.key->fault("ctrl", fmt::format("there are {} numbers; the actuators of the file need {}",
                                            start_.controls.size(), all.size()));
    for (std::size_t i = 0; i < all.size(); ++i)
      read_one(all[i], i < start_.controls.size() ? start_.controls[i] : 0, i + 1);
    if (off_ > 0)
      model_.robot.notes.push_back(fmt::format("<option> disables {} actuators: they are left out", off_));
  }

 private:
  static constexpr const char* nothing = "these actuators push nothing";

  const Law& law_of(int named) {
    const auto [known, is_new] = laws_.try_emplace(named);
    if (is_new)
      for (const XmlElement& e : model_.classes.elements(named, "actuator")) apply(e, known->second);
    return known->second;
  }

  void read_one(const XmlElement& e, double control, std::size_t number) {
    Law law = law_of(model_.classes.named(e, "class", model_.classes.main()));
    apply(e, law);
    know(e, "actuator");
    const std::string name = name_of(model_, e, "actuator");
    const auto joint = target_of(e);
    if (!model_.settings.acts("actuation") || model_.settings.groups_off.count(law.group)) {
      ++off_;
      return;
    }
    if (!joint) return;
    if (law.dynamics != "none")
      e.omit("actuators with a state of their own (filters, muscles and others)", nothing);
    else if ((law.gain_type != "fixed" && law.gain_type != "affine") ||
             (law.bias_type != "none" && law.bias_type != "affine"))
      e.omit("actuators with gains of other kinds than fixed and affine", nothing);
    else
      push(e, law,
           {.name = name.empty() ? fmt::format("actuator{}", number) : name,
            .line = e.line(),
            .joint = *joint,
            .control = control});
  }

  // A hinge or slide; what goes elsewhere is told.
  std::optional<int> target_of(const XmlElement& e) {
    std::vector<const char*> targets;
    for (const char* attribute : {"joint", "jointinparent", "tendon", "cranksite", "site", "body"})
      if (e.has(attribute)) targets.push_back(attribute);
    if (targets.size() != 1) {
      e.fault(targets.empty()
                  ? std::string("nothing says what it pushes; give the name of a joint as joint=\"..\"")
                  : fmt::format("{} and {} both say what it pushes; leave one out", targets[0], targets[1]));
      return {};
    }
    const std::string target = targets[0];
    if (target != "joint" && target != "jointinparent") {
      e.omit("actuators on tendons, sites and bodies", nothing);
      return {};
    }
    const auto joint = named(model_.joint_names, e, targets[0], "joint");
    if (!joint || model_.joint(*joint).freedoms.size() == 1) return joint;
    e.omit("actuators on ball and free joints", nothing);
    return {};
  }

  void push(const XmlElement& e, const Law& law, RobotActuator a) {
    const bool controls = limited(law.control_limited, law.control_range);
    if (controls)
      a.control =
          std::clamp(a.control, law.control_range[0], std::max(law.control_range[0], law.control_range[1]));
    if (controls || limited(law.force_limited, law.force_range) || law.inherits_range)
      e.omit("limits of actuators", "they push as much as they are told to");
    if (law.by_ratio) e.omit("dampratio of actuators", "they damp nothing");
    const double gear = law.gear[0];
    const auto bias = [&](std::size_t i) { return law.bias_type == "none" ? 0 : law.bias[i]; };
    const bool varies = law.gain_type == "affine" && (law.gain[1] != 0 || law.gain[2] != 0);
    if (varies) {
      const double u = a.control;
      a.constant = gear * (bias(0) + law.gain[0] * u);
      a.stiffness = -gear * gear * (bias(1) + law.gain[1] * u);
      a.damping = -gear * gear * (bias(2) + law.gain[2] * u);
      model_.robot.notes.push_back(
          fmt::format("what actuator '{}' does with its control depends on its joint: the control stays {:g}",
                      a.name, u));
    } else {
      a.gain = gear * law.gain[0];
      a.constant = gear * bias(0);
      a.stiffness = -gear * gear * bias(1);
      a.damping = -gear * gear * bias(2);
    }
    // No -0, and no damping that drives.
    a.stiffness += 0.0, a.damping += 0.0;
    if (a.damping < 0)
      e.omit("actuators of negative damping", nothing);
    else
      model_.robot.actuators.push_back(std::move(a));
  }

  bool limited(std::size_t said, const std::vector<double>& range) const {
    if (said < 2) return said == 1;
    return (range[0] != 0 || range[1] != 0) && model_.settings.ranges_limit.value_or(true);
  }

  MjcfModel& model_;
  const MjcfStart& start_;
  std::map<int, Law> laws_;  // of classes
  int off_ = 0;
};

}  // namespace

void read_actuators(MjcfModel& model, const MjcfStart& start) {
  ActuatorReader(model, start).read();
}

}  // namespace driftless::io

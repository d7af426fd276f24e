// Forces between two markers or along a coordinate of a joint. A force type is one file in src/mechanics/forces; it says along which
// measures it acts and by which law (ForceEntry::build), and the build collects all types into a table. Gravity is part of the
// mechanism; a law in C++ is given to Mechanism::force.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics {

// What the file of a force type works with.
class ForceElements {
 public:
  // How text is read: formulas know t, parameters and the coordinates of joints, in these units; motions know t and
  // parameters. `gives` is what the value must be.
  struct Formulas {
    const Units& units;
    std::function<ExpressionLaw(const std::string& text, const Dimension& gives)> read;
    std::function<Expression(const std::string& text, const Dimension& gives)> read_motion;
  };
  ForceElements(MechanismModel& model, const std::string& name, const JointRows& between,
                const int* coordinate, const Settings& settings, const std::vector<SettingSpec>& specs,
                Formulas formulas)
      : model_(model),
        name_(name),
        between_(between),
        coordinate_(coordinate),
        settings_(settings),
        specs_(specs),
        formulas_(std::move(formulas)) {}

  bool of_joint() const { return coordinate_ != nullptr; }
  // The coordinate of the joint, or the distance of the points.
  Measure length() const;
  const JointRows& between() const { return between_; }  // measures between the markers
  double at_start(const Measure& measure) const { return between_.at_start(measure); }

  double setting(const std::string& name) const { return has(name) ? *settings_.at(name).get<double>() : 0; }
  bool has(const std::string& name) const { return settings_.contains(name); }
  const Setting& given(const std::string& name) const { return settings_.at(name); }
  Motion motion(const std::string& name) const;     // of kind motion
  ForceLaw formula(const std::string& name) const;  // of kind formula

  [[noreturn]] void refuse(const std::string& why) const;  // InputError "force NAME why"

  void act(const Measure& along, ForceLaw law, const std::string& part = "");

 private:
  Dimension dimension_of(const std::string& setting) const;  // of what its formulas give

  MechanismModel& model_;
  const std::string& name_;
  const JointRows& between_;
  const int* coordinate_;
  const Settings& settings_;
  const std::vector<SettingSpec>& specs_;
  Formulas formulas_;
};

// How hard a force pushes, where that is all there is to say.
inline SettingSpec strength(const std::string& name, const Dimension& dimension) {
  return {.name = name,
          .help = "number or formula",
          .kind = SettingSpec::Kind::formula,
          .dimension = dimension,
          .required = true};
}

struct ForceEntry {
  std::string summary;
  std::vector<SettingSpec> settings;
  bool of_markers = true, of_joints = true;  // what it may act between
  std::function<void(ForceElements&)> build;
};

struct NamedForce {
  std::string name;
  ForceEntry entry;
};
const std::vector<NamedForce>& force_table();

}  // namespace driftless::mechanics

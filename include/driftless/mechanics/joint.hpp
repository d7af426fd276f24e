// Joints: named groups of constraint rows between two markers. A joint type is one file in src/mechanics/joints; it says in terms of
// measures what must vanish (JointEntry::build), and the build collects all types into a table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <driftless/mechanics/mechanism_model.hpp>
#include <driftless/mechanics/setting.hpp>

namespace driftless::mechanics {

// A point and three axes, fixed in a body; the third axis is the joint's own: what it turns about or slides along.
struct Marker {
  int body = 0;
  Vec3 point = {};
  Mat3 axes = identity3;
};

// A number that a joint has: its angle, its displacement.
struct JointCoordinate {
  std::string name;
  int measure = 0;
};

struct Joint {
  std::string type, name;
  Marker a, b;  // or, of a joint between joints:
  int joint_a = -1, joint_b = -1;
  int first_row = 0, rows = 0;                    // of g
  int first_velocity_row = 0, velocity_rows = 0;  // of w
  std::vector<JointCoordinate> coordinates = {};
};

// What the file of a joint type works with: markers, settings, and rows to be added.
class JointRows {
 public:
  JointRows(MechanismModel& model, const std::vector<Joint>& others, Joint& joint, const Settings& settings,
            std::span<const double> start)
      : model_(model),
        others_(others),
        joint_(joint),
        settings_(settings),
        start_(start),
        first_measure_(model.measures.size()) {}

  // Both bodies are planar, or one is and the other is the ground.
  bool planar() const;
  double setting(const std::string& name) const { return *settings_.at(name).get<double>(); }
  const Setting* given(const std::string& name) const;  // null: it was not

  // Measures between the markers; axes are counted by their markers: 0, 1, 2. Between planar bodies an axis to move along lies in the
  // plane, and one to turn about is z; others are refused.
  Measure component(const Vec3& world_axis) const;
  Measure along(int axis_of_a) const;
  Measure axes(int axis_of_a, int axis_of_b) const;
  Measure between(Measure::Kind kind) const;  // square, distance, angle
  Measure turn() const;                       // about the third axis of a
  Measure slip(int axis_of_b) const;
  Measure spin(int axis_of_b) const;
  // A disc on b with the third axis of its marker, on the plane of a across the third axis.
  Measure disc_height(double radius) const;
  Measure disc_slip(int axis_of_a, double radius) const;
  // Distance from a profile in the plane of the first two axes of a.
  Measure curve(const Profile& profile) const;

  double at_start(const Measure& measure) const;
  [[noreturn]] void refuse(const std::string& why) const;  // InputError "joint NAME why"

  // Rows of g, called "joint name, what".
  void vanish(const std::string& what, const Measure& measure, double value = 0);
  // The sum of factor . measure stays what it is at the start.
  struct Term {
    Measure measure;
    double factor;
    int power = 1;
  };
  void stay(const std::string& what, const std::vector<Term>& terms);
  // The sum of factor . measure^power is what is given.
  void add_up(const std::string& what, const std::vector<Term>& terms, double sum);
  // The one coordinate of the first (0) or second (1) of the joints; of a screw its angle. Refused: there are more, or none.
  Measure of_joint(int which) const;
  // A coordinate of the first (0) or second (1) of the joints that a joint between joints couples.
  Measure of_joint(int which, const std::string& coordinate) const;
  void coincide();       // of the points: x, y, and z unless planar
  void keep_parallel();  // the third axes: 2 rows
  void face(int axis);   // the axes of that number of both markers, kept parallel by rows, point the same way
  void share_axis();     // and on one line: 4 rows
  void vanish_angle();   // the angle between planar bodies stays what it is between their markers
  // Rows of w.
  void rest(const std::string& what, const Measure& measure);
  // What people call the joint's position; has a value of its own where it is asked for.
  void coordinate(const std::string& name, const Measure& measure);

 private:
  Measure empty(Measure::Kind kind) const;
  Measure angle() const;  // between planar bodies
  const Vec3& to_move_along(const Vec3& axis) const;
  void require_upright(const Vec3& axis) const;
  int add(const Measure& measure);
  int known(const Measure& measure);  // of this joint, or of one that it couples; else a new one

  MechanismModel& model_;
  const std::vector<Joint>& others_;
  Joint& joint_;
  const Settings& settings_;
  std::span<const double> start_;  // q of the bodies as they were given
  const std::size_t first_measure_;
};

struct JointEntry {
  std::string summary;
  std::vector<SettingSpec> settings;
  bool planar = true, spatial = true;  // between which bodies it makes sense
  bool of_joints = false;              // couples two joints
  std::function<void(JointRows&)> build;
};

struct NamedJoint {
  std::string name;
  JointEntry entry;
};
const std::vector<NamedJoint>& joint_table();

}  // namespace driftless::mechanics

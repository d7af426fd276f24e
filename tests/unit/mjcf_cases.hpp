// What the tests of the MJCF reader share: a robot from a text, and its parts by name.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/robot/robot_readers.hpp"

namespace driftless::mjcf_cases {

struct Read {
  io::Robot robot;
  std::vector<io::ModelFault> faults;

  const io::RobotLink& link(const std::string& name) const { return named(robot.links, name); }
  const io::RobotJoint& joint(const std::string& name) const { return named(robot.joints, name); }
  const io::RobotActuator& actuator(const std::string& name) const { return named(robot.actuators, name); }
  const io::RobotOmission* omission(const std::string& what) const {
    for (const io::RobotOmission& o : robot.omissions)
      if (o.what.find(what) != std::string::npos) return &o;
    return nullptr;
  }
  std::string told() const {
    std::string text;
    for (const io::ModelFault& f : faults)
      text += std::to_string(f.line) + ": " + f.path + ": " + f.message + "\n";
    return text;
  }

 private:
  template <class T>
  static const T& named(const std::vector<T>& all, const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.name == name; });
    if (found != all.end()) return *found;
    ADD_FAILURE() << "there is no " << name;
    static const T none = {};
    return none;
  }
};

inline Read read(const std::string& text, const std::string& keyframe = "",
                 const std::string& file = "x.xml") {
  io::XmlReading reading(file, true);
  Read made;
  made.robot = io::read_mjcf(reading.parse(text), keyframe);
  if (reading.faults().empty()) io::place_links(made.robot, reading.faults());
  reading.finish();
  made.faults = reading.faults();
  made.robot.omissions = reading.omissions();
  return made;
}

// The same, of a file without faults.
inline Read good(const std::string& text, const std::string& keyframe = "") {
  Read made = read(text, keyframe);
  EXPECT_TRUE(made.faults.empty()) << made.told();
  return made;
}

inline std::string mujoco(const std::string& inside) {
  return "<mujoco model=\"m\">\n" + inside + "\n</mujoco>\n";
}
inline std::string world(const std::string& inside) {
  return mujoco("<worldbody>\n" + inside + "\n</worldbody>");
}

inline void expect_near(const mechanics::Vec3& is, const mechanics::Vec3& expected,
                        double tolerance = 1e-14) {
  EXPECT_NEAR(is.x, expected.x, tolerance);
  EXPECT_NEAR(is.y, expected.y, tolerance);
  EXPECT_NEAR(is.z, expected.z, tolerance);
}
inline void expect_near(const mechanics::Mat3& is, const mechanics::Mat3& expected,
                        double tolerance = 1e-14) {
  expect_near(is.x, expected.x, tolerance);
  expect_near(is.y, expected.y, tolerance);
  expect_near(is.z, expected.z, tolerance);
}

}  // namespace driftless::mjcf_cases

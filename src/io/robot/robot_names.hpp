// What links, joints and all else of a robot are called in a model file, where a name is used once and has neither dots nor commas.
//   Whatever has a name of its own keeps it: the first one, in the order of links, joints, points, couplings, rods and actuators. The others get that of their
//   kind behind it (arm_joint), and what no file names gets names that nothing has (arm_damping).
//   Controls of actuators are parameters, of letters, digits and _: ctrl_ and the name of the actuator in the file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/robot/robot.hpp"

namespace driftless::io {

class RobotNames {
 public:
  // Tells in the robot's notes what is called otherwise.
  explicit RobotNames(Robot& robot);

  // Free joints have none.
  std::vector<std::string> links, joints, points, couplings, rods, actuators, controls;

  // For something that the file does not name.
  std::string made(const std::string& wanted);

 private:
  void name_controls(Robot& robot);
  std::string free_one(const std::string& base);

  std::set<std::string> taken_ = {"ground", "energy", "drift"};
  std::map<std::string, int> next_;  // how many were tried
};

}  // namespace driftless::io

// <joint> of SDFormat, and what couples joints: <mimic> and joints of type gearbox.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/robot/robot.hpp"
#include "io/robot/sdf_frames.hpp"

namespace driftless::io {

// A joint as the file has it. Its parent and child are those of the file, whatever hangs on what in the end.
struct SdfJoint {
  XmlElement element;
  int frame = 0;
  std::string name = {};  // in the robot
  int line = 0, version = 0;
  // By read_sdf_joint():
  int made = -1;                                                // the joint of the robot; -1: none
  int parent = 0, child = 0;                                    // links
  mechanics::Vec3 axis = {};                                    // in the world
  std::vector<std::pair<XmlElement, std::string>> mimics = {};  // and the name of the axis that has it
};

// theta of the child about axis2 = -ratio theta of the parent about axis, both by the reference body.
struct SdfGear {
  XmlElement element;
  std::string name;
  int line = 0;
  int parent = 0, child = 0, reference = 0;  // links
  mechanics::Vec3 axis = {}, axis2 = {};     // in the world
  double ratio = 1;
};

// `link_frames`: frames of the links of the robot.
void read_sdf_joint(SdfJoint& joint, Robot& robot, SdfFrames& frames, const std::vector<int>& link_frames,
                    std::vector<SdfGear>& gears);

// --- sdf_couplings.cpp -----------------------------------------------------------------------------------------------------------

// When all joints are there.
void couple_sdf_joints(const std::vector<SdfJoint>& joints, const std::vector<SdfGear>& gears,
                       const SdfFrames& frames, Robot& robot);

}  // namespace driftless::io

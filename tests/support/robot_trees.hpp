// One open tree of links in every format that is read: URDF, SDFormat, MJCF, and as a model file whose places are computed here. Axes, offsets, turns,
// masses, dampings and types of joints change from link to link; numbers are written with all digits, so that the texts say the same.
#pragma once

#include <string>

namespace driftless::tests {

struct RobotTree {
  int joints = 30;
  bool chain = false;  // every link hangs on the one before; else there are branches

  std::string urdf() const;
  std::string sdf() const;
  std::string mjcf() const;
  std::string model() const;
};

}  // namespace driftless::tests

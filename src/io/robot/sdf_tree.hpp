// Which joints hang a link on another one, from the world outward, and which close loops: in SDFormat any link may be the child of several joints,
// and what is fixed to the world may be a child too.
#pragma once

#include "io/robot/robot.hpp"

namespace driftless::io {

// Marks what closes loops, and turns joints round that lead towards the world. Coordinates stay what they are.
void hang_sdf_joints(Robot& robot);

}  // namespace driftless::io

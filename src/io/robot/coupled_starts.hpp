// Where joints start that follow others, so that all couplings hold at the start:
//   x_follower = c0 + c1 x_leader + .. + c4 x_leader^4, leaders before those that follow them.
#pragma once

#include <cstddef>
#include <vector>

#include "io/robot/robot.hpp"

namespace driftless::io {

// Sets the starts of all followers; of a joint with several couplings the first one counts. Returns one coupling of each circle of joints that
// follow each other: no start holds there in general, and these joints are left where they are.
std::vector<std::size_t> start_followers(Robot& robot);

}  // namespace driftless::io

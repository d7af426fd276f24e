// Which moments of inertia a body can have: J = sum of m (r^2 E - r r^T), so that none of the principal moments A <= B <= C is negative, and
//   C <= A + B,   since  A + B - C = 2 sum of m z^2  along the axis of C.
// Many files break the second rule, by rough estimates or a slip: the equations of motion are still those of some system, and it is only told.
#pragma once

#include <string>
#include <vector>

#include "io/robot/robot.hpp"
#include "io/robot/xml_file.hpp"

namespace driftless::io {

struct PrincipalMoments {
  mechanics::Vec3 moments;  // the smallest first
  mechanics::Mat3 axes;
};
PrincipalMoments principal_of(const mechanics::Mat3& J);

// Whether no moment exceeds the two others together, beyond 1e-9 of them.
bool possible_moments(const mechanics::Vec3& moments);

// Of a link with mass: a fault of its element where a principal moment is negative, and a note where one exceeds the others. Moments of 0 are left to
// place_links, which knows whether the link moves.
void judge_inertia(const RobotLink& link, const XmlElement& element, std::vector<std::string>& notes);

}  // namespace driftless::io

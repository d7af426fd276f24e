// Joints of one body of MJCF. They act one after the other, each in the frame that those before have moved, so links without mass stand between:
//   parent -- first joint -- body_1 -- second joint -- body_2 .. last joint -- body
// All of these have the body's frame in the pose of the file. There a hinge or slide has the coordinate `ref`, and its markers are turned or
// shifted by that: they coincide at 0. `springref` is the spring's rest; stiffness and damping are per radian whatever the unit of angles.
//   free   6 numbers of rate, 7 of position      ball  3, 4      slide, hinge  1, 1
#pragma once

#include "io/robot/mjcf_model.hpp"

namespace driftless::io {

// With the frame that it stands in, by the body's axes, and its class.
struct MjcfPart {
  XmlElement element;
  Place frame = {};
  int inherited = 0;
};

// The body is the last one of the model; `place`: by the axes of its parent. Without joints it is fixed to its parent.
void hang_body(MjcfModel& model, const XmlElement& body, const Place& place,
               const std::vector<MjcfPart>& joints);

}  // namespace driftless::io

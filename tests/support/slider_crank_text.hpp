// The text of a slider-crank that works, for tests that put a mistake into it.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace driftless::tests {

// Bodies and joints, in the plane: what stands above and below is the test's own.
inline const std::string slider_crank_parts = R"([body.crank]
from = [0, 0]
to = [0.1, 0]
mass = 0.05
shape = {type = "link"}
[body.rod]
from = [0.1, 0]
to = [0.4, 0]
mass = 0.8
shape = {type = "link"}
[body.piston]
at = [0.4, 0]
mass = 1
inertia = 1e-3
[joint.shaft]
type = "revolute"
between = ["ground", "crank"]
at = [0, 0]
[joint.pin]
type = "revolute"
between = ["crank", "rod"]
at = [0.1, 0]
[joint.wrist]
type = "revolute"
between = ["rod", "piston"]
at = [0.4, 0]
[joint.cylinder]
type = "prismatic"
between = ["ground", "piston"]
at = [0.4, 0]
axis = [1, 0]
)";

// With `now` in place of the first `old`.
inline std::string edited(std::string text, const std::string& old, const std::string& now) {
  const auto place = text.find(old);
  EXPECT_NE(place, text.npos) << old;
  return place == text.npos ? text : text.replace(place, old.size(), now);
}

}  // namespace driftless::tests

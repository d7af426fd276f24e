// parallel-axes: the third axes stay parallel.
//   z_a . x_b = z_a . y_b = 0                                                  2 rows
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry parallel_axes() {
  return {.summary = "the axes of a and b stay parallel",
          .settings = {},
          .planar = false,
          .build = [](JointRows& joint) { joint.keep_parallel(); }};
}

}  // namespace driftless::mechanics::joints

// What both programs are asked at: coordinates, velocities and controls as MuJoCo counts them; and how large differences are.
#pragma once

#include <driftless/linalg/types.hpp>

namespace driftless::benchmarks::mujoco {

struct Asked {
  Vector qpos, qvel, ctrl;
};

// The largest entry; 0 of none.
template <class Values>
double largest(const Eigen::MatrixBase<Values>& values) {
  return values.size() ? values.cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace driftless::benchmarks::mujoco

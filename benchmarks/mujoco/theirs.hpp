// Theirs: a file as MuJoCo reads it, and what MuJoCo says at a state, without contacts, limits and dry friction.
//   M qacc + bias = passive + actuation      bias: Coriolis and gravity; M with the armature
//   0 = efc_pos, J = its derivative          rows of <equality> that are active, softened later and not here
#pragma once

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>
#include <Eigen/Geometry>

#include "asked.hpp"

namespace driftless::benchmarks::mujoco {

// A body, by its own frame; velocities by world axes.
struct BodyMotion {
  std::string name;
  Eigen::Vector3d at, velocity, turning;
  Eigen::Matrix3d axes;
};
struct SitePlace {
  std::string name;
  Eigen::Vector3d at;
};

struct TheirDynamics {
  std::vector<BodyMotion> bodies;
  std::vector<SitePlace> sites;
  Matrix M;
  Vector bias, applied, qacc;  // applied: passive and actuation
  double energy = 0;           // kinetic, and of gravity
};

// Rows of one element of <equality>.
struct TheirRows {
  std::string name;
  int type = 0;  // mjtEq
  Vector position;
  Matrix jacobian;
};

class Theirs {
 public:
  // Throws std::runtime_error with what MuJoCo says.
  explicit Theirs(const std::filesystem::path& file);

  const mjModel& model() const { return *model_; }
  int bodies() const { return model_->nbody - 1; }
  std::vector<std::string> keyframes() const;

  Asked random(std::mt19937& source) const;
  Asked keyframe(const std::string& name);

  TheirDynamics dynamics(const Asked& at);
  std::vector<TheirRows> equalities(const Asked& at);
  // A state where all efc_pos are 0, by Newton's method from the pose of the file moved along `way` for half a second; how large they are there
  // comes as second.
  std::pair<Asked, double> closed(const Asked& way);

 private:
  void forward(const Asked& at);
  double energy();
  std::string name(mjtObj kind, int id) const;

  std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_;
};

}  // namespace driftless::benchmarks::mujoco

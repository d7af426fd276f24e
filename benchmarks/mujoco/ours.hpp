// Ours: the same file by driftless::io. States come in by the format's own way, a keyframe that is added to the text:
//   <keyframe><key name=".." qpos=".." qvel=".." ctrl=".."/></keyframe>
// so that what is read is a mechanism that stands and moves as MuJoCo's should. It is asked in relative coordinates,
//   M_r u' = f_r - G_r^T lambda,    u = T qvel
// where u has more entries than qvel, the rates of rotors (armature), and G_r T = 0. The columns of T are read with qvel = unit vectors. Then
//   M = T^T M_r T,    bias = T^T (M_r T' qvel - f_r)    with f_r of gravity and what is gyroscopic alone
// T is constant but for free bodies, whose velocities here are those of the mass centre and in MuJoCo those of the frame, at -R c from it:
//   T' qvel = w x (w x R c)
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <driftless/io/robot_file.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "theirs.hpp"

namespace driftless::benchmarks::mujoco {

// What acts, as <flag> says it.
struct Acting {
  bool equality = false, applied = true;  // applied: passive and actuation
};

struct OurDynamics {
  std::map<std::string, BodyMotion> bodies;
  std::map<std::string, Eigen::Vector3d> points;
  Matrix M;
  Vector bias, applied, qacc;
  double energy = 0;
  double astray = 0;  // how far T qvel, and the places of the tree, are from what rows and bodies say
};

class Ours {
 public:
  explicit Ours(const std::filesystem::path& file);

  // What the reader says it leaves out.
  const std::vector<std::string>& notes() const { return notes_; }

  OurDynamics dynamics(const Asked& at) const;
  // The model that stands there.
  io::Model model(const Asked& at, const Acting& acting) const;
  // By a keyframe of the file.
  io::Model model(const std::string& keyframe) const;

 private:
  io::Model read(const std::string& text, const std::string& keyframe) const;

  std::filesystem::path file_;
  std::string text_;
  std::vector<std::string> notes_;
};

// Where bodies are and how they move, by the state of the model.
std::map<std::string, BodyMotion> motions(const io::Model& model, const State& state);

}  // namespace driftless::benchmarks::mujoco

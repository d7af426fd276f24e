// One file in both programs, at random states and at its keyframes: the largest relative difference of each quantity.
//   places, velocities   of frames of bodies, and of sites; lengths and speeds by the largest of the state (at least 1), axes as they are
//   mass matrix          |M_ij - M_ij'| / sqrt(M_ii' M_jj')
//   forces               with s_i = sqrt(M_ii'), |f_i - f_i'| / s_i by the largest |f_i'| / s_i (at least 1)     bias; passive and actuation together
//   acceleration         the same with s_i |a_i - a_i'|
//   energy               kinetic and of gravity
//   equality             see equality.hpp
//   keyframes            the state and the controls that a keyframe of the file gives, beside those that MuJoCo gives
// MuJoCo keeps inertias by principal axes, which it finds by turns until one is less than 1.4e-6 (cosine above 1 - 1e-12) and leaves out: of bodies
// with several geoms or fullinertia its moments are then wrong by up to 1e-6, or by nothing, as it happens. Numbers in the models are such
// that it is below 1e-10.
#pragma once

#include <string>
#include <vector>

#include "equality.hpp"

namespace driftless::benchmarks::mujoco {

struct Differences {
  std::string model;
  int bodies = 0, freedoms = 0, states = 0, elements = 0;
  double places = 0, velocities = 0, mass = 0, bias = 0, applied = 0, acceleration = 0, energy = 0;
  double anywhere = 0, closed = 0, keyframes = 0;
  bool any_applied = false, any_keyframe = false;
  std::vector<std::string> left_out = {};  // names of bodies and sites that have no counterpart here
  std::vector<std::string> notes = {};     // what the reader says of the file

  double worst() const;
};

Differences compare(const std::filesystem::path& file, int states);

}  // namespace driftless::benchmarks::mujoco

// consistent_state(): makes a guess satisfy the constraints, level by level: x_0 onto g = 0 by Newton's
// method with halving, then x_1 onto g' = 0 and w = 0, .. , each linear; then the acceleration and the multipliers
// from g^(m) = 0 and w' = 0. So every hidden constraint of every formulation holds, and stabilizing multipliers, which vanish on
// such a state, start at zero: nothing but coordinates and velocities is ever asked for. Moves are the smallest possible in the
// metric chosen. Redundant rows may be off by Scales::assembly of the size of the mechanism: rounded coordinates.
#pragma once

#include <string>

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

struct ConsistencyOptions {
  enum class Metric { euclidean, mass };
  Metric metric = Metric::euclidean;
  double tolerance = 1e-12;  // on |g^(j)| and |w|, relative to the size of the terms they are made of
  int max_iterations = 50;
};

struct ConsistentState {
  State state;
  Vector acceleration;      // the highest derivative that belongs to it, consistent with g^(m) = 0 and w' = 0
  Vector moved;             // largest change of an entry, one per level
  bool changed = false;     // false: the guess was consistent and is returned bit by bit
  std::string report = {};  // what was changed, one sentence; empty if nothing
  std::string assembly = {};  // redundant rows that are off by rounded coordinates, one sentence; empty: none
  std::string choice = {};    // one of several ways to close was taken, one sentence; empty: there was one
};

// Throws InputError naming the constraint rows that could not be met and by how much.
ConsistentState consistent_state(const Problem& problem, const State& guess,
                                 const ConsistencyOptions& options = {});

}  // namespace driftless

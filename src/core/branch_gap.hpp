// How far apart the branches of motion are near a singular configuration. Private to core.
//
// Near a place where one combination phi = w^T g of the constraints has no slope on the motions that the others allow, phi is phi* + x^T S x / 2, by
// displacements x from that place. Where phi* = 0 two branches meet there, and motions cross. Where it is not, they bend away from each
// other before: two sheets of a hyperbola, sqrt(2 |phi*| / |S|) from the place on either side. Both phi* and S are those of the model alone, and owe
// nothing to the steps of a run: Newton's method finds the place from a state close by.
#pragma once

#include <optional>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/scales.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

struct BranchGap {
  double missed = 0;  // |phi*|, by the size of the mechanism and by slopes that rows have nearby
  double apart = 0;   // the least distance of the branches, by the size
  bool meet = false;  // that is roundoff
  Vector across;      // from one branch to the other there: errors of the entries of State::z

  // On which of the two branches a state nearby is: -1 or 1; 0: not clear.
  int side(const Problem& problem, const State& state) const;
  // At a place where branches meet, of a state nearby: how far it is from the branch of velocities v there, 0 (on it) to 1 (on the other); nothing
  // where branches are not two lines.
  std::optional<double> off_branch(const Problem& problem, const State& state, VectorIn v) const;
  double slope(const Problem& problem, const State& state) const;  // of phi, which vanishes at the place

  Vector weights;     // w, of the rows of G
  Matrix directions;  // displacements that the other combinations allow, a length each
  Matrix S;           // along these
  Vector toward;      // the other branch: an eigenvector of S
  double bend = 0;    // its eigenvalue
};

// `rows` of G count around the place. Nothing: no such place close by, or none of that simple kind (more than one combination; constraints
// that move, or of velocities; a place that motions cannot pass, or where branches are one in another way).
std::optional<BranchGap> branch_gap(const Problem& problem, const RowSizes& sizes,
                                    const std::vector<int>& rows, double t, VectorIn z);

}  // namespace driftless

// Scales: what is ordinary in a problem, in its own units, so that decisions depend on no unit and on no origin.
//
// Angles between constraint rows are judged in the metric of moved points: a displacement is as long as it moves points of the mechanism,
// component j by its lever l_j, so that entries of rows are divided by l_j. A pin at the end of a lever r has the rows (1, 0, -r_y), (0, 1, r_x):
// divided by (1, 1, |r|) they are as far from dependent for a lever of a million metres as for one of a micrometre.
#pragma once

#include <cmath>
#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless {

class Problem;

struct Scales {
  double length = 1;       // the size of a mechanism
  double assembly = 1e-6;  // redundant rows may be off by this part of it: rounded coordinates
  Vector
      coordinates;  // nq: how much of each is comparable with the length: itself, or 1 for angles and quaternions
  Vector moves;   // nv: the same of displacements
  Vector levers;  // nv: how far points move for a displacement of 1; empty: not known
  // What errors of coordinates and then of velocities (entries of State::z) are compared with, wherever the origin is: the size of a body, or 1 for
  // angles and quaternions; the same per second. Empty: not known.
  Vector error_sizes;

  double missed() const { return assembly * length; }  // of redundant rows, by their sizes
  // How far a displacement goes, as a part of what is ordinary.
  double distance(VectorIn delta) const {
    double far = 0;
    for (Eigen::Index j = 0; j < delta.size(); ++j) {
      const double part = std::abs(delta(j)) / moves(j);
      if (!(part <= far)) far = part;  // NaN too
    }
    return far;
  }
};

// Rows of [G; K] where a run begins: the problem's scales with levers found from the rows if it knows none, and the largest length that each row
// has there and at two places around, by the metric of moved points. A row that vanishes at the very place tells nothing about its size.
struct RowSizes {
  Scales scales;
  Vector sizes;
};
RowSizes row_sizes(const Problem& problem, double t, VectorIn z);

// diag(levers^2) as blocks of these sizes, one after the other: the metric in the place of a mass matrix.
std::vector<double> lever_blocks(const Vector& levers, const std::vector<int>& sizes);

}  // namespace driftless

// Simbody: joint coordinates on a tree of bodies, whose equations are made in O(N), and constraints that close the loops. The first pin
// of every bar is a mobilizer; every other one is a PointOnLine constraint with the line along z: two rows, where a Ball would bring a
// third one that is redundant in the plane. Constraint forces come from a dense G M^-1 G^T, twice as large as there are loops, factored
// with a rank decision in every evaluation; positions and velocities are projected onto the constraints.
// Simbody's library brings functions of an old SUNDIALS under their present names (N_VDestroy): a program that has both must be linked with
// -Wl,--exclude-libs,ALL, or CPODES calls the new ones.
#pragma once

#include "bars.hpp"
#include "outcome.hpp"

namespace driftless::benchmarks::scaling {

struct SimbodySettings {
  enum class Method { merson, fehlberg, kutta3, verlet, cpodes_bdf, cpodes_adams } method = Method::merson;
  // Or only where the constraint tolerance, a tenth of the accuracy, is exceeded.
  bool project_every_step = false;
};

// The fastest of those tried. Where n-four-bar passes its singular positions it leaves the branch unless every step is projected; the
// chain needs that not, and it would cost a quarter of the time. Fehlberg's method does as well as Merson's; the third-order one and
// Verlet need many more steps; CPODES makes a full matrix by difference quotients, or fails (Adams).
SimbodySettings best_simbody_settings(Mechanism mechanism);

// The tolerance is Simbody's accuracy.
Outcome run_simbody(Mechanism mechanism, int N, double tolerance, double t_end, double seconds_limit,
                    const SimbodySettings& settings);
inline Outcome run_simbody(Mechanism mechanism, int N, double tolerance, double t_end, double seconds_limit) {
  return run_simbody(mechanism, N, tolerance, t_end, seconds_limit, best_simbody_settings(mechanism));
}

}  // namespace driftless::benchmarks::scaling

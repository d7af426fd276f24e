// SparseDynamics: what a problem says beside its constraint rows that offers M, f and their derivatives without zeros too (SparseParts).
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless {

class SparseDynamics {
 public:
  virtual ~SparseDynamics() = default;

  struct Branches {
    // Sizes of groups of velocities that M couples, one after the other (bodies; all that hangs on one joint of the ground). Matrices over
    // pairs of them have whole blocks. Empty: it is not offered after all.
    std::vector<int> sizes = {};
    // The first of three rates about own axes whose coordinates are a unit quaternion.
    std::vector<int> quaternions = {};
  };
  virtual Branches branches() const = 0;
  // Adds (M a)_x v, with a and the velocities v of that point: how fast M a changes as the mechanism moves. Nothing where M is constant.
  virtual void add_mass_rate(const Point& /*at*/, VectorOut /*sum*/, Arena& /*scratch*/) const {}
};

// What a problem offers whose M and f come without zeros, by branches; null: it has whole matrices alone.
const SparseDynamics* sparse_dynamics(const Problem& problem);
// How an Evaluation with M should keep its matrices.
inline Storage storage_of_dynamics(const Problem& problem) {
  return sparse_dynamics(problem) ? Storage::sparse : Storage::whole;
}
// For [M B; C 0] of such evaluations, whatever M couples.
std::unique_ptr<ConstraintSolver> make_dynamics_solver(const Problem& problem, ConstraintSolver::For use);

}  // namespace driftless

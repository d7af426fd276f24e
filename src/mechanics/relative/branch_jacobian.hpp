// How the forces that a motion takes change with places and velocities, branch by branch:
//   r(q, u) = M_r a - f_r + G_r^T lambda + K_r^T kappa       for given a, lambda, kappa: Newton and Euler, outward and inward once
//   r_q, r_u   by dual numbers; branches that do not touch each other, nor a third one, share their derivatives' places (Curtis, Powell, Reid 1974),
// so that the number of passes depends on the size of branches and on how many of them touch, not on how many there are.
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>

#include "mechanics/relative/relative_equations.hpp"

namespace driftless::mechanics {

class BranchJacobian {
 public:
  explicit BranchJacobian(const RelativeModel& model);

  // Of branches; bodies that do not move are of none.
  const std::vector<int>& sizes() const { return sizes_; }
  // Where a branch is longer than this, blocks over branches are matrices as whole as any: there is no pattern then.
  static constexpr int longest = 64;
  bool offered() const { return largest_ <= longest; }
  // Whole blocks over pairs of branches that touch.
  const linalg::SparseRows& pattern() const { return pattern_; }

  // r_q along displacements, and r_u, with the entries of pattern().
  void compute(const Point& at, linalg::SparseRows& by_x, linalg::SparseRows& by_v, Arena& scratch) const;
  // sum += (M_r a)_q v
  void add_mass_rate(const Point& at, VectorOut sum, Arena& scratch) const;
  // The blocks of M_r one after the other.
  void mass(std::span<const double> q, double t, std::vector<double>& blocks, Arena& scratch) const;

 private:
  void find_pattern(const std::vector<int>& of_body);
  static constexpr int chunk = 4;
  using D = autodiff::Dual<chunk>;
  void columns(const Point& at, bool of_velocities, linalg::SparseRows& to, Arena& scratch) const;
  void pull_by_inertia(VectorIn a, const Bodies<D>& bodies, std::span<PullOf<D>> pulls, Arena& scratch) const;
  void gather(const Bodies<D>& bodies, std::span<PullOf<D>> pulls, std::span<D> r) const;
  void residual(const Point& at, std::span<const D> q, std::span<const D> v, std::span<D> r,
                Arena& scratch) const;

  const RelativeModel& model_;
  std::vector<int> sizes_, first_;  // velocities
  std::vector<int> branch_of_;      // of a velocity
  std::vector<int> color_;          // of a branch: no branch touches two of one colour
  int colors_ = 0, largest_ = 0;
  std::vector<std::size_t> block_start_;  // of M
  linalg::SparseRows pattern_;
};

}  // namespace driftless::mechanics

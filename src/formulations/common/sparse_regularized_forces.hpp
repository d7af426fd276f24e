// RegularizedForces of large mechanisms, without zeros: B = C^T, so that A = C W^-1 C^T is symmetric and Z = Q^-1 = D^-2. It is never formed
// (sparse_damped_solve.hpp).
//
//   paper       (M M + rho I) a = M (f - C^T y) is M a = f - C^T y with M + rho M^-1 for M, block by block
//   augmented   W^-1 by the saddle [M C^T; C -I/rho]. For the scales, A_ii is taken as S_ii/(1 + rho S_ii), S = C M^-1 C^T: A = S (I + rho S)^-1 is
//               a concave function of S, so that A_ii is at most that (Jensen), and scales are upper bounds
#pragma once

#include <vector>

#include "block_mass.hpp"
#include "regularized_forces.hpp"
#include "sparse_damped_solve.hpp"

namespace driftless::formulations {

class SparseRegularizedForces final : public RegularizedForces {
 public:
  SparseRegularizedForces(const Problem& problem, const Regularization& how);

  Status evaluate(double t, VectorIn z, VectorIn r) override;
  double epsilon() const override { return solver_.epsilon(); }

  // After evaluate(), what the equations of motion are at some multipliers y:
  struct There {
    Vector a;  // W^-1 (F - C^T y)
    Vector w;  // C a + c - r
    Vector u;  // y + rho w: M a + C^T u = f
  };
  void at(VectorIn y, There& there);

  double rho() const { return augmented_ ? how_.rho : 0; }
  const Vector& scales() const { return D_scale_; }
  const Regularization& how() const { return how_; }
  const std::vector<double>& mass() const { return M_; }  // M, or M + rho M^-1
  void divide(VectorOut x);                               // x := W^-1 x

 private:
  Status factor(double floor) override;
  void solve_scaled(VectorIn r, VectorOut y) override { solver_.solve(r, y); }
  void acceleration(VectorIn y, VectorOut a) override;
  void plain_rows(VectorIn y, VectorOut out) override;
  void note_rows() override;
  Status factor_mass();

  const std::vector<int> sizes_;
  Evaluation parts_;
  BlockMass mass_, own_mass_;  // own: M itself, for paper
  bool definite_ = true, augmented_ = false;
  std::vector<double> M_;
  SparseDampedSolve solver_;
  Vector force_, p_;  // f
  There there_;
};

}  // namespace driftless::formulations

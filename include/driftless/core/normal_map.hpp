// F of the stabilizers of Ascher, Chin, Reich (1992): a displacement delta = F r that answers a residual r of the
// manifold h = (g, g', .., g^(m-1), w, invariants), with H the Jacobian of h.
//   full       F = H^T (H H^T)^-1                       (1.13) with D = H^T: the smallest displacement
//   block      F = D (H D)^-1, D = diag(G^T, .., G^T)   (4.7): level by level, delta_j = G+ (r_j - sum_i<j H_ji delta_i)
//   split      F = diag(G+, .., G+)                     (4.8): as block, but that a move of x_0 changes g' is ignored
//   transpose  F = H^T                                  (1.14) with D = H^T: nothing is solved
//   input      F = D (H D)^-1, D = diag(M^-1 B, ..)     (1.13): along the constraint forces, Baumgarte's direction;
//                                                       with B = G^T the displacement of least kinetic energy
//   position   only level 0
//   velocity   only the levels from 1 on
// H^T adds positions and velocities: in the unit of time that measure_time_by() says (unit_of_time.hpp).
// G+ = G^T (G G^T)^-1; where the problem knows its levers l (scales.hpp), displacements are those that move points least, W = diag(l^2):
// H^T is W^-1 H^T then, but for `transpose` and `input`, and G+ = W^-1 G^T (G W^-1 G^T)^-1. At level 1 the rows K of velocity constraints join G (and K^T joins B). Invariants are rows of H: `full` and
// `transpose` take them; with them `position` and `velocity` are `full` with the rows and columns of H that
// belong to these levels (and the invariants' rows); D of the others has no direction for them. Rows of G that depend on
// each other count as far as they are independent (rank_decision.hpp). Near a singular configuration, where rows come within 5e-3 of their
// usual distance from each other, roundoff of h divided by that distance, once for every level, is a worse error than the one to be corrected:
// there the last row to become dependent is left alone for the step or two that the passage takes. Fails where invariants depend on them, `input` also
// where G B is singular.
#pragma once

#include <optional>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/normal_kind.hpp>
#include <driftless/core/row_angles.hpp>
#include <driftless/core/sparse_normal_map.hpp>
#include <driftless/linalg/dense_lu.hpp>
#include <driftless/linalg/row_sor.hpp>
#include <driftless/linalg/saddle_point.hpp>

namespace driftless {

class NormalMap {
 public:
  void start(const Manifold& manifold, NormalKind kind, NormalSolve solve = {});
  void measure_time_by(double tau) { tau_ = tau; }  // before factor(); 1 until then
  double unit_of_time() const { return tau_; }
  Status factor(const Manifold& manifold, double t, VectorIn z);  // after manifold.linearize(t, z)
  // Newton's method along a fixed D: keep_directions() where the manifold was linearized for factor(), then
  // factor_along() where it is linearized later, D (H(z) D)^-1. Not with sweeps, not for `transpose`.
  void keep_directions(const Manifold& manifold);
  Status factor_along(const Manifold& manifold, double t, VectorIn z);

  void apply(const Manifold& manifold, VectorIn r, VectorOut delta);  // delta = F r
  // With sweeps: they start from x (as many entries as r), which becomes the one after the last sweep.
  void apply_from(const Manifold& manifold, VectorIn r, VectorOut x, VectorOut delta);
  // delta = alpha F (I + alpha H F)^-1 r = (I + alpha F H)^-1 alpha F r, without sweeps.
  void apply_implicitly(const Manifold& manifold, VectorIn r, double alpha, VectorOut delta);
  void times_H(const Manifold& manifold, VectorIn delta,
               VectorOut r) const;  // 0 in rows that F does not answer
  // As SaddlePoint has them, of the rows of [G; K] that were factored last.
  bool row_pivots(VectorOut squares, VectorOut pivots) const;
  double largest_eigenvalue();  // of H H^T, where `transpose` is the kind; after factor

 private:
  bool whole() const { return kind_ == NormalKind::full || kind_ == NormalKind::transpose || restricted_; }
  bool answers(int level) const;
  Status factor_levels(const Manifold& manifold, double t, VectorIn z, bool along_kept);
  Status factor_whole(const Manifold& manifold, double t, VectorIn z, bool along_kept);
  const Matrix& metric() const { return by_points_ ? metric_ : force_parts_.M; }
  const Matrix& in_metric(const Matrix& C);
  Status leave_out_near_rows(linalg::SaddlePoint& saddle, const RankDecision& rank, RowAngles& angles,
                             const Matrix* D, const Matrix& C);
  std::vector<int> independent_rows() const, dependent_rows() const;
  void select(const Manifold& manifold);
  void set_units();
  void select_rows(VectorIn r, VectorOut selected) const;
  void apply_whole(VectorIn r, VectorOut x, VectorOut delta);
  void apply_by_levels(const Manifold& manifold, VectorIn r, VectorOut x, double damping, bool coupled,
                       VectorOut delta);

  std::optional<SparseNormalMap> sparse_;  // does it all where the manifold's matrices are sparse
  NormalKind kind_ = NormalKind::block;
  NormalSolve solve_;
  Shape shape_;
  bool restricted_ = false;       // position or velocity with invariants
  int first_row_ = 0, rows_ = 0;  // the rows of H that are answered: these and the last invariants_ ones
  int invariants_ = 0;
  int first_column_ = 0, columns_ = 0;
  double tau_ = 1;
  Vector row_units_, column_units_;  // H_ is the selected part of H, by rows and columns times these
  linalg::SaddlePoint positions_, velocities_, whole_;  // G, [G; K], the selected part of H
  RowAngles position_angles_, all_angles_;
  RankDecision position_rank_, all_rank_;
  linalg::RowSor positions_sor_, velocities_sor_, whole_sor_;
  linalg::DenseLu<double> implicit_;  // I + alpha H H^T
  bool by_points_ = false;            // the problem knows its levers
  Matrix metric_;                     // W, for one level or for all that count
  Vector inverse_levers_;
  Matrix GK_, H_, all_H_, implicit_matrix_, scaled_;
  Evaluation force_parts_;                       // M and B, of `input`
  Matrix D_positions_, D_velocities_, D_whole_;  // given or kept directions, of `input` M times them
  Vector right_, x_, guess_, zero_, scratch_;
};

}  // namespace driftless

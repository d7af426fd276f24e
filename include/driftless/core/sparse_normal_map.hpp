// NormalMap (normal_map.hpp) for large mechanisms: the same F, from matrices without zeros. Order 2, B = G^T.
//   by levels       G, and [G; K] for velocities, factored as saddle points (sparse_constraints.hpp)
//   H as a whole    full, transpose, and levels together with invariants: H H^T
// Where D is kept, (H D)^-1 is found from (D^T D)^-1 by iteration: D differs from H^T by little.
#pragma once

#include <driftless/core/manifold.hpp>
#include <driftless/core/normal_kind.hpp>
#include <driftless/core/row_angles.hpp>
#include <driftless/core/sparse_constraints.hpp>

namespace driftless {

class SparseNormalMap {
 public:
  SparseNormalMap(const Manifold& manifold, NormalKind kind, NormalSolve solve);

  // As NormalMap has them.
  Status factor(const Manifold& manifold, double t, VectorIn z, double tau);
  Status factor_along(const Manifold& manifold);
  void apply_from(const Manifold& manifold, VectorIn r, VectorOut x, VectorOut delta);
  void apply_implicitly(const Manifold& manifold, VectorIn r, double alpha, VectorOut delta);
  void times_H(const Manifold& manifold, VectorIn delta, VectorOut r) const;
  bool row_pivots(VectorOut squares, VectorOut pivots) const;
  double largest_eigenvalue();

 private:
  bool whole() const {
    return kind_ == NormalKind::full || kind_ == NormalKind::transpose || invariants_ > 0;
  }
  bool answers(int level) const {
    return level == 0 ? kind_ != NormalKind::velocity : kind_ != NormalKind::position;
  }
  Status factor_level(SparseConstraints& rows, RowAngles& angles, const Manifold& manifold, double t,
                      VectorIn z);
  Status factor_whole(const Manifold& manifold);
  void set_whole(const Manifold& manifold);
  // Between h and the rows of H_, between displacements and its columns, where positions are among them.
  void to_units(VectorOut rows) const;
  void from_units(VectorOut columns) const;
  void lay_out_whole(const linalg::SparseRows& C, const Vector& levers);
  int rows_of(int level) const { return level == 0 ? shape_.ng : shape_.multipliers(); }
  void by_levels(const Manifold& manifold, VectorIn r, VectorOut x, double damping, bool coupled,
                 VectorOut delta);
  void solve_level(const Manifold& manifold, int level, VectorIn right, VectorOut x, VectorOut delta);
  void solve_whole(VectorIn right, VectorOut x, VectorOut delta);
  void sweep(const linalg::SparseRows& C, int rows, const std::vector<int>& left_out, VectorIn right,
             VectorOut x, VectorOut delta) const;

  NormalKind kind_;
  NormalSolve solve_;
  const Shape shape_;
  const int invariants_;
  SparseConstraints positions_, velocities_;  // the second only where there are velocity constraints
  RowAngles position_angles_, all_angles_, whole_angles_;
  // The manifold has moved on from where D was kept; D_ is that of H as a whole.
  bool along_ = false, directions_kept_ = false;
  // H as a whole: its rows of positions (if any), of velocities (if any), of invariants; its levels, as far as they are answered.
  linalg::SparseRows H_, D_;
  double tau_ = 1;  // H_ is H in that unit of time (unit_of_time.hpp)
  linalg::SparseSaddle whole_;
  std::vector<double> whole_metric_;  // diag(levers^2) for its columns
  Evaluation kept_;                   // the rows that D is made of
  Vector right_, x_, x_all_, rest_, more_, zero_, whole_right_, whole_x_, whole_move_;
  mutable Vector move_in_units_;
};

}  // namespace driftless

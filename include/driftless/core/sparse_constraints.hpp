// SparseConstraints: the constraint rows of a large mechanism, factored without their zeros (linalg/sparse_saddle.hpp).
//
// Which rows are independent is decided as in rank_decision.hpp, by angles in the metric of moved points at the nearest point of the manifold;
// masses have no part in that. The pivots of the factorisation, with M as its metric, say only when to look: where one of them is
// small that was not at the last decision, or other rows are lost than then. Where squares are useless (small angles, masses over many
// decades), a mechanism of moderate size is solved with orthogonal rows instead. Where rows are left out, multipliers are those of least norm.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/core/rank_decision.hpp>
#include <driftless/core/scales.hpp>
#include <driftless/linalg/dependent_saddle.hpp>
#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless {

class Problem;
struct Evaluation;
class SparsePlacedRows;

class SparseConstraints {
 public:
  enum class Of { all, positions };  // rows of [G; K], or of G
  enum class Metric {
    points,  // moved points: smallest displacements
    mass,
    given  // C is not the problem's, but brought to M = I by the caller
  };
  using For = RankDecision::For;
  explicit SparseConstraints(Of of = Of::all, Metric metric = Metric::mass)
      : SparseConstraints(of, metric, metric == Metric::points ? For::corrections : For::steps) {}
  SparseConstraints(Of of, Metric metric, For use) : of_(of), metric_(metric), use_(use) {}

  // With e.sparse.C, and M where that is the metric, evaluated at (t, z).
  Status factor(const Problem& problem, double t, VectorIn z, const Evaluation& e);
  // After factor(): the same without these rows.
  Status factor_without(const Evaluation& e, const std::vector<int>& rows);
  // M a + C^T l = f, C a = r of the rows that count; l = 0 for the others.
  void solve(const Evaluation& e, VectorIn f, VectorIn r, VectorOut a, VectorOut l);

  // Among the multipliers with the same forces C^T l, those of least norm.
  void least_norm(const Evaluation& e, VectorOut l);

  bool full() const { return left_out_.empty(); }
  const std::vector<int>& left_out() const { return left_out_; }  // ascending
  int redundant() const { return redundant_; }                    // how many of them are so everywhere
  const Scales& scales() const { return scales_; }                // after factor()
  const Vector& sizes() const { return sizes_; }  // of rows, in the metric of moved points; after factor()
  // Whether rows that were left out demand something else than the others; see RankDecision::contradicts.
  bool contradicts(const Evaluation& e, VectorIn a, VectorIn r, double free, double curved = 0) const;
  const linalg::SparseSaddle& saddle() const { return saddle_; }
  void shares(int row, std::vector<double>& y) { saddle_.shares(row, y); }  // see SparseSaddle

 private:
  void start(const Problem& problem, double t, VectorIn z, const linalg::SparseRows& C);
  const double* metric(const Evaluation& e) const;
  bool made_orthogonal(const Problem& problem, const Evaluation& e);
  bool as_decided();
  void decide(const Problem& problem, double t, VectorIn z);
  bool bent_without(const Problem& problem, double t, VectorIn z, const std::vector<int>& less) const;

  Of of_;
  Metric metric_;
  For use_;
  int rows_ = 0;
  linalg::SparseSaddle saddle_, near_;  // near_: for multipliers of least norm
  std::vector<int> left_out_;
  bool decided_ = false, restricted_ = false;  // restricted: saddle_ was told to leave rows out
  double weakest_ = 1;                         // pivot by its square, where all was well by angles
  Scales scales_;
  std::vector<double> point_metric_;
  Vector sizes_;
  int redundant_ = 0;
  std::shared_ptr<linalg::DependentSaddle>
      orthogonal_;  // takes the place of saddle_ where squares are useless
  Vector pull_, zero_, rest_;
};

}  // namespace driftless

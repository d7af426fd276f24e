// SparseConstraints: the constraint rows of a large mechanism, factored without their zeros (linalg/sparse_saddle.hpp).
//
// Which rows are independent is decided with the limits of rank_decision.hpp. Rows within a sine of 1e-5 of those before them (in the order
// of elimination) are left out by the factorisation itself. Where sines are between 1e-5 and 1e-3, or rows have become far shorter than they were,
// the rank is decided at the nearest point of the manifold, reached by two steps of Gauss and Newton with the rows that are safe, and by
// distances where squares leave a doubt (doubted_rows.hpp). Where rows are left out, multipliers are those of least norm.
#pragma once

#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless {

class Problem;
struct Evaluation;

class SparseConstraints {
 public:
  enum class Of { all, positions };  // rows of [G; K], or of G
  enum class Metric {
    unit,
    mass,
    given
  };  // given: C is not the problem's, but brought to M = I by the caller
  explicit SparseConstraints(Of of = Of::all, Metric metric = Metric::mass) : of_(of), metric_(metric) {}

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
  // Whether rows that were left out demand something else than the others; see RankDecision::contradicts.
  bool contradicts(const Evaluation& e, VectorIn a, VectorIn r, double free) const;
  const linalg::SparseSaddle& saddle() const { return saddle_; }
  void shares(int row, std::vector<double>& y) { saddle_.shares(row, y); }  // see SparseSaddle

 private:
  void start(const Problem& problem, double t, VectorIn z, const linalg::SparseRows& C);
  // Rows far shorter than they were elsewhere; sizes are the largest squares so far.
  std::vector<int> vanishing(const linalg::SparseRows& C, Vector& sizes) const;
  std::vector<int> dependent_nearby(const Problem& problem, double t, VectorIn z);

  Of of_;
  Metric metric_;
  int rows_ = 0;
  linalg::SparseSaddle saddle_, near_;  // near_: with M = I
  std::vector<int> left_out_;
  bool restricted_ = false;  // saddle_ was told to leave rows out
  Vector sizes_,
      near_sizes_;  // the largest squares that rows have had: as given, and as the problem has them
  Vector pull_, zero_, rest_;
};

}  // namespace driftless

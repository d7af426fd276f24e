// RedundantRows: what a constrained system (constrained_system.hpp) does about constraints that others imply, where the rank decision
// (core/rank_decision.hpp) leaves some out:
//   - their rows are not imposed. In the place of each something else is determined: the forces' multipliers have no part n without
//     effect, B n = 0, so that they are those of least norm, and of pushes that depend on each other one is zero
//   - their columns of B count as far as the others span them: off the manifold they would be forces of their own
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>

#include "constrained_system.hpp"
#include "linearization.hpp"

namespace driftless::formulations {

class RedundantRows {
 public:
  RedundantRows(const Problem& problem, const ConstrainedForm& form);

  bool none() const { return left_out_.empty(); }  // by the last leave_out()
  bool full() const { return rank_.full(); }
  const std::vector<int>& left_out() const { return rank_.left_out(); }  // of [G; K], by the last leave_out()
  void leave_out(double t, VectorIn z, const Evaluation& parts, Linearization& linear);

  // To be added to B lambda + K^T kappa.
  void add_to_forces(const Evaluation& parts, VectorIn multipliers, VectorOut top) const;
  // What is to vanish in the place of rows left out; r: the rows of constraints.
  void replace(const Evaluation& parts, VectorIn s, VectorOut r) const;
  void least_norm(const Evaluation& parts, State& state) const;  // of all multipliers with the same forces

 private:
  Matrix forces(const Evaluation& parts) const;  // [B, K^T]

  const Problem& problem_;
  const Shape& shape_;
  const ConstrainedForm& form_;
  const bool forces_;
  RankDecision rank_;
  // Rows left out, and what takes their place: combinations of forces without effect, pushes that are zero.
  std::vector<int> left_out_, unpushed_, idle_columns_;
  Matrix idle_;
};

}  // namespace driftless::formulations

// RegularizedCore: regularized forces with their feedback, as both systems of regularized_system.hpp use them, and what these keep
// from step to step: the step that gains belong to, the radius of the multipliers and the scales of rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "constraint_feedback.hpp"
#include "sparse_regularized_forces.hpp"
#include "whole_regularized_forces.hpp"

namespace driftless::formulations {

class RegularizedCore {
 public:
  RegularizedCore(const Problem& problem, const Regularization& how, const Feedback& feedback);

  // One of the two, by what the problem offers.
  const std::unique_ptr<WholeRegularizedForces> whole;
  const std::unique_ptr<SparseRegularizedForces> sparse;
  RegularizedForces& forces;
  ConstraintFeedback feedback;

  Status solve(double t, VectorIn z);           // with feedback
  Status solve_unforced(double t, VectorIn z);  // the multipliers of the mechanism itself
  // Those that are reported: gains that follow the step are large, so that multipliers without feedback are.
  Status report(double t, VectorIn z, State& to);
  void give(double t, VectorIn z, State& to);  // those of the last solve
  void take_least_norm(double t, VectorIn z,
                       State& to);  // of all multipliers with the same forces, where some are redundant

  bool begin_step(const StepContext& step, VectorIn z);
  void anchor() { forces.anchor(); }
  void anchor_implicit(const State& state);  // of a run by an implicit method
  std::vector<double> anchored() const;
  void restore_anchor(const std::vector<double>& values);

  // Calls `compute` for a Jacobian at (t, y). Asked for once more at the place of the last one, it is computed with what was kept then,
  // so that it has the same bits.
  template <class Compute>
  Status linearize(double t, VectorIn y, const Compute& compute) {
    save(now_);
    const bool again = t == linearized_t_ && y.size() == linearized_y_.size() && y == linearized_y_;
    if (again) {
      load(linearized_);
    } else {
      linearized_t_ = t;
      linearized_y_ = y;
      linearized_ = now_;
    }
    if (feedback.held())
      feedback.r().swap(no_r_);  // a kept Jacobian must not depend on the step in which it was made
    const Status status = compute();
    if (feedback.held()) feedback.r().swap(no_r_);
    if (again) load(now_);
    return status;
  }
  // r_z of where the feedback was evaluated last; without rows where r is held or there is none.
  const Matrix& feedback_jacobian(double t, VectorIn z);
  // The gains in its place, where matrices have no zeros.
  std::vector<double> followed_gains() const { return follows() ? feedback.gains() : std::vector<double>(); }
  double followed_velocity_gain() const { return follows() ? feedback.velocity_gain() : 0; }

  std::string explain(Status status, double t, VectorIn z);
  std::vector<std::string> notes() const;  // where multipliers were held back

 private:
  bool follows() const { return feedback.active() && !feedback.held(); }
  void save(Vector& memory) const;
  void load(const Vector& memory);

  const Problem& problem_;
  const bool keeps_;  // anything at all
  RankDecision rank_;
  std::unique_ptr<ConstraintSolver> least_norm_;  // where matrices have no zeros
  Vector no_r_;
  Matrix r_z_;
  Vector now_, linearized_, linearized_y_;
  double linearized_t_;
  bool held_back_ = false;
  double held_back_from_ = 0, held_back_to_ = 0;
};

}  // namespace driftless::formulations

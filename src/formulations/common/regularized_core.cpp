#include "regularized_core.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/whole_matrices.hpp>

#include <driftless/core/sparse_dynamics.hpp>

namespace driftless::formulations {

namespace {

std::unique_ptr<WholeRegularizedForces> whole_forces(const Problem& problem, const Regularization& how) {
  check_whole_matrices(problem.shape());
  return std::make_unique<WholeRegularizedForces>(problem, how);
}

}  // namespace

RegularizedCore::RegularizedCore(const Problem& problem, const Regularization& how, const Feedback& given)
    : whole(sparse_dynamics(problem) ? nullptr : whole_forces(problem, how)),
      sparse(whole ? nullptr : std::make_unique<SparseRegularizedForces>(problem, how)),
      forces(whole ? static_cast<RegularizedForces&>(*whole) : *sparse),
      feedback(problem, given),
      problem_(problem),
      keeps_(!how.epsilon || given.automatic),
      no_r_(Vector::Zero(problem.shape().multipliers())),
      now_(Vector::Zero(ConstraintFeedback::memory_size + forces.memory_size())),
      linearized_(now_),
      linearized_y_(Vector::Zero(0)),
      linearized_t_(0) {}

Status RegularizedCore::solve(double t, VectorIn z) {
  if (feedback.active() && !feedback.held()) feedback.evaluate(t, z);
  Status status = forces.observe_first(t, z, feedback.r());
  if (status == Status::ok) status = forces.evaluate(t, z, feedback.r());
  if (status == Status::ok) status = forces.solve();
  if (status == Status::ok && forces.bounded()) {
    held_back_from_ = held_back_ ? std::min(held_back_from_, t) : t;
    held_back_to_ = held_back_ ? std::max(held_back_to_, t) : t;
    held_back_ = true;
  }
  return status;
}

Status RegularizedCore::solve_unforced(double t, VectorIn z) {
  no_r_.setZero();
  Status status = forces.observe_first(t, z, no_r_);
  if (status == Status::ok) status = forces.evaluate(t, z, no_r_);
  return status == Status::ok ? forces.solve() : status;
}

Status RegularizedCore::report(double t, VectorIn z, State& to) {
  const Status status = feedback.automatic() ? solve_unforced(t, z) : solve(t, z);
  if (status == Status::ok) give(t, z, to);
  return status;
}

void RegularizedCore::give(double t, VectorIn z, State& to) {
  const Shape& shape = problem_.shape();
  to.lambda = forces.y().head(shape.ng);
  to.kappa = forces.y().tail(shape.nk);
  take_least_norm(t, z, to);
}

void RegularizedCore::take_least_norm(double t, VectorIn z, State& to) {
  const Shape& shape = problem_.shape();
  if (rank_.pending()) rank_.decide(problem_, t, z);
  if (rank_.full()) return;
  Parts parts = Part::jacobian | Part::input;
  if (shape.nk > 0) parts = parts | Part::velocity_jacobian;
  Vector y(shape.multipliers());
  y << to.lambda, to.kappa;
  if (sparse) {
    Evaluation e(Storage::sparse);
    problem_.evaluate(parts.without(Part::input), Point(t, z), e);
    if (!least_norm_)
      least_norm_ = make_constraint_solver(problem_, ConstraintSolver::Of::all,
                                           ConstraintSolver::Metric::points, ConstraintSolver::For::steps);
    if (least_norm_->factor(problem_, t, z, e) == Status::ok) least_norm_->least_norm(e, y);
    to.lambda = y.head(shape.ng);
    to.kappa = y.tail(shape.nk);
    return;
  }
  Evaluation e;
  problem_.evaluate(parts, Point(t, z), e);
  Matrix B(shape.nv, shape.multipliers());
  B.leftCols(shape.ng) = e.B;
  if (shape.nk > 0) B.rightCols(shape.nk) = e.K.transpose();
  y = rank_.least_norm(B, y);
  to.lambda = y.head(shape.ng);
  to.kappa = y.tail(shape.nk);
}

bool RegularizedCore::begin_step(const StepContext& step, VectorIn z) {
  const bool other = feedback.begin_step(step, z), bounded = forces.bounded();
  if (step.h == 0) return other;
  if (feedback.active() && !feedback.held()) feedback.evaluate(step.t, z);
  forces.observe(step.t, z, feedback.r(), step.h);  // where it fails, so will the step
  return other || bounded || forces.bounded() || forces.rescaled();
}

void RegularizedCore::save(Vector& memory) const {
  feedback.save(memory.head(ConstraintFeedback::memory_size));
  forces.save(memory.tail(forces.memory_size()));
}

void RegularizedCore::load(const Vector& memory) {
  feedback.restore(memory.head(ConstraintFeedback::memory_size));
  forces.restore(memory.tail(forces.memory_size()));
}

void RegularizedCore::anchor_implicit(const State& state) {
  forces.anchor();
  if (problem_.shape().multipliers() == 0) return;
  RankDecision rank;
  rank.decide(problem_, state.t, state.z);
  forces.expect_redundant_rows(static_cast<int>(rank.left_out().size()) > rank.singular());
}

// What is kept now, and what was kept where the last Jacobian was computed.
std::vector<double> RegularizedCore::anchored() const {
  if (!keeps_) return {};
  Vector now(now_.size());
  save(now);
  std::vector<double> values(now.begin(), now.end());
  values.insert(values.end(), linearized_.begin(), linearized_.end());
  values.push_back(linearized_t_);
  const auto size = problem_.shape().layout().size() + problem_.shape().multipliers();
  for (Eigen::Index i = 0; i < size; ++i) values.push_back(i < linearized_y_.size() ? linearized_y_[i] : 0);
  values.push_back(static_cast<double>(linearized_y_.size()));
  return values;
}

void RegularizedCore::restore_anchor(const std::vector<double>& values) {
  if (!keeps_) return;
  const Vector all = Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  const auto n = now_.size();
  load(all.head(n));
  linearized_ = all.segment(n, n);
  linearized_t_ = all[2 * n];
  linearized_y_ = all.segment(2 * n + 1, static_cast<Eigen::Index>(values.back()));
}

const Matrix& RegularizedCore::feedback_jacobian(double t, VectorIn z) {
  if (!follows()) return r_z_;
  if (r_z_.size() == 0)
    r_z_.setZero(problem_.shape().multipliers(), problem_.shape().layout().tangent_size());
  feedback.jacobian(t, z, r_z_);
  return r_z_;
}

std::vector<std::string> RegularizedCore::notes() const {
  if (!held_back_) return {};
  return {
      fmt::format("multipliers were held back at times between {:.6g} and {:.6g}, where constraints need "
                  "larger ones than "
                  "before: they are met only nearly there, which error estimates do not see; compare with a "
                  "smaller `rtol`, or with `formulation = index1`",
                  held_back_from_, held_back_to_)};
}

std::string RegularizedCore::explain(Status status, double t, VectorIn z) {
  if (status == Status::singular_step && solve(t, z) != Status::ok && forces.indefinite())
    return fmt::format(
        "G M^-1 B is not symmetric and positive semidefinite at t = {:.10g}, and direct-regularization needs "
        "that; use trust-region",
        t);
  return problem_.explain(status, t, z);
}

}  // namespace driftless::formulations

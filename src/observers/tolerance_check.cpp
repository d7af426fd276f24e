#include "tolerance_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless::observers {

namespace {

constexpr double far_beyond = 1000;  // times what the tolerances stand for
constexpr long stride = 8;           // steps between looks at the energy
constexpr double roundoff = 64 * std::numeric_limits<double>::epsilon();

// What errors of the size of the tolerances make of the constraints at a state: sums of |entries| of their rows times these errors.
class ToleratedViolation {
 public:
  ToleratedViolation(const Problem& problem, const Tolerance& tolerance, const State& state)
      : shape_(problem.shape()), parts_(storage_of(shape_)) {
    Parts parts;
    if (shape_.ng > 0) parts = parts | Part::jacobian;
    if (shape_.ng > 0 && shape_.order > 1) parts = parts | Part::rate_jacobian;
    if (shape_.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
    problem.evaluate(parts, Point(state.t, state.z), parts_);
    for (int j = 0; j < shape_.order; ++j) levels_.push_back(Vector::Zero(shape_.nv));
    for (int j = 0; j < shape_.order; ++j) {
      const auto level = state.level(j);
      const bool own = level.size() != shape_.nv;  // coordinates of another kind: by the largest one
      const double largest = own ? level.cwiseAbs().maxCoeff() : 0;
      for (int i = 0; i < shape_.nv; ++i)
        levels_[static_cast<std::size_t>(j)][i] =
            tolerance.atol + tolerance.rtol * (own ? largest : std::abs(level[i]));
    }
  }

  double of_position(int row) const { return along(row, levels_.front()); }
  // Of g' (order m: g^(m-1)), then of w.
  double of_velocity(int row) const {
    const double inherited = shape_.order > 1 ? turning(row, levels_.front()) : 0;
    return along(row, levels_.back()) + inherited;
  }

 private:
  double sparse_row(const linalg::SparseRows& rows, int row, const Vector& errors) const {
    double sum = 0;
    for (int k = rows.first(row); k < rows.last(row); ++k)
      sum += std::abs(rows.at(k)) * errors[rows.column_of(k)];
    return sum;
  }
  double along(int row, const Vector& errors) const {
    if (shape_.sparse()) return sparse_row(parts_.sparse.C, row, errors);
    const auto& rows = row < shape_.ng ? parts_.G : parts_.K;
    return rows.row(row < shape_.ng ? row : row - shape_.ng).cwiseAbs().dot(errors);
  }
  double turning(int row, const Vector& errors) const {
    if (shape_.sparse()) return sparse_row(parts_.sparse.L, row, errors);
    return row < shape_.ng ? parts_.L.back().row(row).cwiseAbs().dot(errors)
                           : parts_.w_x.row(row - shape_.ng).head(errors.size()).cwiseAbs().dot(errors);
  }

  const Shape& shape_;
  Evaluation parts_;
  std::vector<Vector> levels_;
};

}  // namespace

void ToleranceCheck::start(const RunInfo& run) {
  problem_ = &run.problem;
  parts_ = Evaluation(storage_of(problem_->shape()));
  manifold_ = std::make_unique<Manifold>(*problem_);
  position_ = velocity_ = {};
  steps_ = 0;
  largest_entry_ = kinetic_ = slope_ = 0;
  least_potential_ = std::numeric_limits<double>::infinity();
  largest_potential_ = -least_potential_;
  largest_entry_ = run.start.z.lpNorm<Eigen::Infinity>();
  look_at_energy(run.start);
}

void ToleranceCheck::step(const AcceptedStep& step) {
  largest_entry_ = std::max(largest_entry_, step.to.z.lpNorm<Eigen::Infinity>());
  if (++steps_ % stride != 0 && steps_ >= stride) return;
  look_at_energy(step.to);
  look_at_constraints(step.to);
}

void ToleranceCheck::look_at_constraints(const State& state) {
  const Shape& shape = problem_->shape();
  const int ng = shape.ng, below = (shape.order - 1) * ng;
  if (manifold_->empty() || manifold_->evaluate(state.t, state.z) != Status::ok) return;
  const auto keep = [&](Worst& worst, Eigen::Index first, Eigen::Index count, Eigen::Index as) {
    Eigen::Index row = 0;
    if (count == 0) return;
    const double size = manifold_->h().segment(first, count).cwiseAbs().maxCoeff(&row);
    if (size > worst.size) worst = {size, static_cast<int>(row + as), state};
  };
  keep(position_, 0, ng, 0);
  if (shape.order > 1) keep(velocity_, below, ng, 0);
  keep(velocity_, below + ng, shape.nk, ng);
}

void ToleranceCheck::look_at_energy(const State& state) {
  const Shape& shape = problem_->shape();
  if (!shape.has_energy || shape.order != 2) return;
  problem_->evaluate(Part::energy | Part::energy_gradient, Point(state.t, state.z), parts_);
  const double kinetic = state.v().dot(parts_.energy_z.tail(shape.nv)) / 2;
  const double potential = parts_.energy - kinetic;
  kinetic_ = std::max(kinetic_, std::abs(kinetic));
  least_potential_ = std::min(least_potential_, potential);
  largest_potential_ = std::max(largest_potential_, potential);
  slope_ = std::max(slope_, parts_.energy_z.lpNorm<1>());
}

std::string ToleranceCheck::energy_note(const EnergyBalance& energy) const {
  if (problem_->shape().order != 2) return {};
  const double exchanged = kinetic_ + (largest_potential_ - least_potential_) + std::abs(energy.work);
  const double tolerated = tolerance_.rtol * exchanged + tolerance_.atol * slope_,
               noise = roundoff * std::max(std::abs(energy.start), std::abs(energy.end));
  const double off = std::abs(energy.balance);
  if (!(off > far_beyond * tolerated && off > noise)) return {};
  return fmt::format(
      "the energy balance is off by {:.2g}, {:.0e} times what rtol = {:g} and atol = {:g} stand for ({:.2g} "
      "was exchanged): the motion "
      "is not that accurate; compare with smaller --rtol and --atol, or with another --formulation",
      energy.balance, off / tolerated, tolerance_.rtol, tolerance_.atol, exchanged);
}

std::string ToleranceCheck::drift_note() const {
  const Shape& shape = problem_->shape();
  if (shape.multipliers() == 0) return {};
  double worst = 0;
  std::string what;
  const auto compare = [&](const Worst& at, bool positions) {
    if (!(at.size > 0)) return;
    const ToleratedViolation tolerated(*problem_, tolerance_, at.state);
    const double unit = positions ? tolerated.of_position(at.row) : tolerated.of_velocity(at.row);
    if (!(at.size > far_beyond * unit && at.size > worst * unit)) return;
    worst = at.size / unit;
    what = fmt::format("{} was off by {:.2g} in its {} at t = {:.6g}", problem_->constraint_name(at.row),
                       at.size, positions ? "positions" : "velocities", at.state.t);
  };
  compare(position_, true);
  compare(velocity_, false);
  if (what.empty()) return {};
  return fmt::format(
      "{}, {:.0e} times what rtol = {:g} and atol = {:g} stand for: the motion is not that accurate; use "
      "--stabilizer post where the formulation takes it, or --formulation ggl, or smaller --rtol and --atol",
      what, worst, tolerance_.rtol, tolerance_.atol);
}

std::string ToleranceCheck::size_note() const {
  if (largest_entry_ == 0 || tolerance_.atol < largest_entry_) return {};
  return fmt::format(
      "atol = {:g} is not smaller than any coordinate or velocity was (largest {:.3g}), so that no error was "
      "too large; use an "
      "--atol that is small against what moves",
      tolerance_.atol, largest_entry_);
}

void ToleranceCheck::finish(Solution& solution) {
  if (!problem_ || !solution.complete()) return;
  const auto add = [&](std::string note) {
    if (!note.empty()) solution.notes.push_back(std::move(note));
  };
  add(size_note());
  if (solution.energy) add(energy_note(*solution.energy));
  add(drift_note());
}

}  // namespace driftless::observers

#include "tolerated_violation.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/constraint_solver.hpp>
#include <driftless/linalg/row_basis.hpp>

namespace driftless::observers {

namespace {

constexpr int most_velocities = 300;
constexpr double safe_sine = 1e-3;  // beside singular configurations roundoff divided by less tells nothing

double sparse_row(const linalg::SparseRows& rows, int row, const Vector& errors) {
  double sum = 0;
  for (int k = rows.first(row); k < rows.last(row); ++k)
    sum += std::abs(rows.at(k)) * errors[rows.column_of(k)];
  return sum;
}

// The smallest x with C x = right.
Vector least_move(Matrix C, Vector right) {
  for (Eigen::Index i = 0; i < C.rows(); ++i)
    if (const double length = C.row(i).norm(); length > 0) C.row(i) /= length, right(i) /= length;
  if (C.rows() == 0 || !C.allFinite() || !right.allFinite()) return Vector::Zero(C.cols());
  const linalg::RowBasis basis(C);
  return basis.least_move(right, basis.farther_than(safe_sine));
}

}  // namespace

ToleratedViolation::ToleratedViolation(const Problem& problem, const Tolerance& tolerance,
                                       const State& before, const State& state)
    : shape_(problem.shape()), parts_(storage_of(shape_)) {
  Parts parts;
  if (shape_.ng > 0) parts = parts | Part::jacobian;
  if (shape_.ng > 0 && shape_.order > 1) parts = parts | Part::rate_jacobian;
  if (shape_.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  problem.evaluate(parts, Point(state.t, state.z), parts_);
  if (shape_.order == 1 && shape_.ng > 0 && !shape_.sparse() && state.t != before.t) {
    Evaluation e;
    problem.evaluate(Part::jacobian, Point(before.t, before.z), e);
    rate_of_G_ = (parts_.G - e.G) / (state.t - before.t);
  } else if (shape_.order == 1) {
    rate_of_G_ = Matrix::Zero(shape_.ng, shape_.nv);
  }
  for (int j = 0; j < shape_.order; ++j) levels_.push_back(Vector::Zero(shape_.nv));
  for (int j = 0; j < shape_.order; ++j) {
    const auto level = state.level(j);
    const bool own = level.size() != shape_.nv;  // coordinates of another kind: by the largest one
    const double largest = own ? level.cwiseAbs().maxCoeff() : 0;
    const bool sized = j == 0 && tolerance.displacements.size() > 0;
    const Eigen::Index first = state.layout.offset(j);
    for (int i = 0; i < shape_.nv; ++i)
      levels_[static_cast<std::size_t>(j)][i] = sized ? tolerance.displacements[i]
                                                : own ? tolerance.atol + tolerance.rtol * largest
                                                      : tolerance.allowed(first + i, std::abs(level[i]));
  }
}

double ToleratedViolation::of_position(int row) const {
  return along(row, levels_.front());
}

double ToleratedViolation::of_velocity(int row) const {
  const double inherited = shape_.order > 1 ? turning(row, levels_.front()) : 0;
  return along(row, levels_.back()) + inherited;
}

double ToleratedViolation::along(int row, const Vector& errors) const {
  if (shape_.sparse()) return sparse_row(parts_.sparse.C, row, errors);
  const auto& rows = row < shape_.ng ? parts_.G : parts_.K;
  return rows.row(row < shape_.ng ? row : row - shape_.ng).cwiseAbs().dot(errors);
}

double ToleratedViolation::turning(int row, const Vector& errors) const {
  if (shape_.sparse()) return sparse_row(parts_.sparse.L, row, errors);
  return row < shape_.ng ? parts_.L.back().row(row).cwiseAbs().dot(errors)
                         : parts_.w_x.row(row - shape_.ng).head(errors.size()).cwiseAbs().dot(errors);
}

double ToleratedViolation::consequence(const Vector& g, double duration) const {
  const int ng = shape_.ng, nv = shape_.nv;
  if (shape_.sparse() || shape_.order > 2 || ng == 0 || nv > most_velocities) return 0;
  const Vector places = least_move(parts_.G * levels_.front().asDiagonal(), -g);
  const Matrix& rates = shape_.order == 1 ? rate_of_G_ : parts_.L.back();
  double turning = 0;
  for (int i = 0; i < ng; ++i)
    if (const double length = parts_.G.row(i).norm(); length > 0)
      turning = std::max(turning, rates.row(i).norm() / length);
  const double grown = 1 + turning * duration;
  if (shape_.order == 1) return grown * std::sqrt(places.squaredNorm() / nv);
  const Vector velocities = turning * levels_.front().cwiseProduct(places).cwiseQuotient(levels_.back());
  return grown * std::sqrt((places.squaredNorm() + velocities.squaredNorm()) / (2 * nv));
}

double unmeetable_part(const Problem& problem, const State& state, const Vector& g) {
  const Shape& s = problem.shape();
  Evaluation e(storage_of(s));
  problem.evaluate(Part::jacobian, Point(state.t, state.z), e);
  using Solver = ConstraintSolver;
  const auto solver = make_constraint_solver(problem, Solver::Of::positions, Solver::Metric::points,
                                             Solver::For::corrections);
  if (solver->factor(problem, state.t, state.z, e) != Status::ok) return 0;
  Vector move(s.nv), forces(s.ng), rest = g;
  solver->solve(e, Vector::Zero(s.nv), -g, move, forces);
  for (int i = 0; i < s.ng; ++i) rest(i) += e.rows().product(i, move.data());
  return g.norm() > 0 ? rest.norm() / g.norm() : 0;
}

}  // namespace driftless::observers

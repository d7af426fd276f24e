#include "second_order_mobility.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <driftless/core/rank_decision.hpp>
#include <driftless/linalg/row_basis.hpp>

#include "curvatures.hpp"

namespace driftless {

namespace {

constexpr int most_velocities = 300;
constexpr double nearly_dependent = 1e-5;  // of one that first-order moves may not rely on
constexpr double unloaded = 1e-8;          // part of a motion that is roundoff
constexpr double clear = 1e-6;  // of forms, by what curvatures are for displacements of the mechanism's size
constexpr double without_part = 1e-9;  // of a combination of rows

// [G; K] by the metric of moved points and by the sizes that rows have nearby: one may vanish at the very place.
Matrix rows_in_metric(const Evaluation& e, const Shape& s, const RowSizes& found) {
  Matrix rows(s.multipliers(), s.nv);
  if (s.ng > 0) rows.topRows(s.ng) = e.G;
  if (s.nk > 0) rows.bottomRows(s.nk) = e.K;
  rows.array().rowwise() /= found.scales.levers.transpose().array();
  for (int i = 0; i < rows.rows(); ++i)
    if (found.sizes(i) > 0) rows.row(i) /= found.sizes(i);
  return rows;
}

// Velocities, and accelerations with the rows that count, along the directions.
std::vector<Vector> motions_at(const Problem& problem, double t, VectorIn z, const Vector& levers,
                               const Matrix& directions) {
  const Shape& s = problem.shape();
  const auto along = [&](const Vector& v) -> Vector {
    return directions.transpose() * v.cwiseProduct(levers);
  };
  std::vector<Vector> motions{along(z.segment(s.nq, s.nv))};
  Workspace work;
  Vector a(s.nv), multipliers(s.multipliers());
  if (problem.acceleration(t, z, Vector::Zero(s.multipliers()), a, multipliers, work) == Status::ok &&
      a.allFinite())
    motions.push_back(along(a));
  return motions;
}

bool goes_there(const std::vector<Vector>& motions, const Matrix& vectors, const Vector& values,
                double noise) {
  return std::any_of(motions.begin(), motions.end(), [&](const Vector& motion) {
    const Vector parts = vectors.transpose() * motion;
    const Vector locked = (values.array().abs() > noise).select(parts, 0.0);
    return locked.norm() > unloaded * motion.norm();
  });
}

}  // namespace

Mobility second_order_mobility(const Problem& problem, double t, VectorIn z, double lost) {
  const Shape& s = problem.shape();
  if (s.order != 2 || s.ng == 0 || s.nv > most_velocities) return Mobility::unknown;
  Evaluation e;
  problem.evaluate(s.nk > 0 ? Part::jacobian | Part::velocity_jacobian : Parts(Part::jacobian), Point(t, z),
                   e);
  const RowSizes found = row_sizes(problem, t, z);
  const Vector& levers = found.scales.levers;
  const Matrix rows = rows_in_metric(e, s, found);
  if (!rows.allFinite()) return Mobility::unknown;
  const linalg::RowBasis basis(rows), columns(rows.transpose());
  const Eigen::Index rank = basis.farther_than(lost);
  if (rank == s.nv || rank == rows.rows()) return Mobility::free;
  const Matrix directions = basis.complement(rank), W = columns.complement(rank);
  const Curvatures curved =
      curvatures(problem, t, z, (directions.array().colwise() / levers.array()).matrix());
  const bool at_the_place = basis.farther_than(RankLimits::smallest_sine) == rank;
  const std::vector<Vector> motions = motions_at(problem, t, z, levers, directions);
  const bool moves = found.scales.distance(z.segment(s.nq, s.nv)) > RankLimits::resting;
  Mobility mobility = Mobility::free;
  for (Eigen::Index k = 0; k < W.cols(); ++k) {
    const Eigen::Index d = directions.cols();
    Matrix form = Matrix::Zero(d, d);
    double size = 0, other = s.nk > 0 ? W.col(k).tail(s.nk).cwiseAbs().maxCoeff() : 0;
    for (int i = 0; i < s.ng; ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (!(found.sizes(i) > 0)) continue;
      form += W(i, k) / found.sizes(i) * curved.forms[row];
      size += std::abs(W(i, k)) / found.sizes(i) * curved.forms[row].norm();
      if (curved.moves[row]) other = std::max(other, std::abs(W(i, k)));
    }
    if (!form.allFinite() || other > without_part) {
      mobility = std::max(mobility, Mobility::unknown);
      continue;
    }
    if (!(size > 0)) continue;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(form);
    const Vector& values = eigen.eigenvalues();
    const double smallest = values(0), largest = values(values.size() - 1), noise = clear * size;
    const bool one_sign = (smallest > -noise && largest > noise) || (largest < noise && smallest < -noise);
    if (!one_sign) {
      if (moves && (form * motions.front()).norm() > clear * size * motions.front().norm())
        mobility = std::max(mobility, Mobility::chosen);
      continue;
    }
    const bool pushed = at_the_place && goes_there(motions, eigen.eigenvectors(), values, noise);
    const bool all = smallest > noise || largest < -noise;
    mobility = std::max(mobility, !pushed ? Mobility::stiff_here
                                  : all   ? Mobility::locked
                                          : Mobility::part_locked);
  }
  return mobility;
}

std::optional<Vector> second_order_move(const Problem& problem, double t, VectorIn z, VectorIn missed) {
  const Shape& s = problem.shape();
  if (s.order != 2 || s.ng == 0 || s.nv > most_velocities) return std::nullopt;
  Evaluation e;
  problem.evaluate(Part::jacobian, Point(t, z), e);
  RowSizes found = row_sizes(problem, t, z);
  const Vector& levers = found.scales.levers;
  Vector sizes = found.sizes.head(s.ng);
  sizes = (sizes.array() > 0).select(sizes, 1.0);
  const Matrix rows = (e.G.array().rowwise() / levers.transpose().array()).colwise() / sizes.array();
  if (!rows.allFinite()) return std::nullopt;
  const linalg::RowBasis basis(rows), columns(rows.transpose());
  const Eigen::Index rank = basis.farther_than(nearly_dependent);
  if (rank == s.nv || rank == s.ng) return std::nullopt;
  const Matrix directions = (basis.complement(rank).array().colwise() / levers.array()).matrix(),
               W = columns.complement(rank);
  const Curvatures curved = curvatures(problem, t, z, directions);
  const Vector left = W.transpose() * missed.cwiseQuotient(sizes);
  std::vector<Matrix> forms;
  Matrix slope = Matrix::Zero(directions.cols(), directions.cols());
  for (Eigen::Index k = 0; k < W.cols(); ++k) {
    Matrix form = Matrix::Zero(slope.rows(), slope.cols());
    for (int i = 0; i < s.ng; ++i) form += W(i, k) / sizes(i) * curved.forms[static_cast<std::size_t>(i)];
    slope += left(k) * form;
    forms.push_back(std::move(form));
  }
  if (!slope.allFinite()) return std::nullopt;
  const Vector direction = Eigen::SelfAdjointEigenSolver<Matrix>(slope).eigenvectors().col(0);
  double along = 0, square = 0;  // of the forms there, with what is missed and with themselves
  for (std::size_t k = 0; k < forms.size(); ++k) {
    const double value = direction.dot(forms[k] * direction);
    along += left(static_cast<Eigen::Index>(k)) * value;
    square += value * value;
  }
  if (!(along < 0) || !(square > 0)) return std::nullopt;
  return Vector(std::sqrt(-2 * along / square) * (directions * direction));
}

}  // namespace driftless

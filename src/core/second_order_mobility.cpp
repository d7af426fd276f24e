#include "second_order_mobility.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include <driftless/core/rank_decision.hpp>
#include <driftless/linalg/row_basis.hpp>

namespace driftless {

namespace {

constexpr int most_velocities = 300;
constexpr double nearly_lost = 1e-7;  // sine of a row that depends on others there
constexpr double unloaded = 1e-8;     // part of a motion that is roundoff
constexpr double roundoff =
    1e-6;  // of forms, by what curvatures are for displacements of the mechanism's size

Matrix rows_in_metric(const Matrix& G, const Vector& levers) {
  Matrix rows = G.array().rowwise() / levers.transpose().array();
  for (int i = 0; i < rows.rows(); ++i)
    if (const double length = rows.row(i).norm(); length > 0) rows.row(i) /= length;
  return rows;
}

// Forms of the directions in the columns of U, one for each row.
std::vector<Matrix> curvature_forms(const Problem& problem, double t, VectorIn z, const Matrix& U) {
  const Shape& s = problem.shape();
  const Eigen::Index d = U.cols();
  Evaluation e;
  Vector there = z;
  const auto along = [&](const Vector& u) {
    there.segment(s.nq, s.nv) = u;
    problem.evaluate(Part::curvature, Point(t, there), e);
    return Vector(e.c);
  };
  std::vector<Matrix> forms(static_cast<std::size_t>(s.ng), Matrix::Zero(d, d));
  std::vector<Vector> own;
  for (Eigen::Index i = 0; i < d; ++i) own.push_back(along(U.col(i)));
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Vector& a = own[static_cast<std::size_t>(i)];
      const Vector mixed =
          i == j ? a : Vector((along(U.col(i) + U.col(j)) - a - own[static_cast<std::size_t>(j)]) / 2);
      for (int row = 0; row < s.ng; ++row)
        forms[static_cast<std::size_t>(row)](i, j) = forms[static_cast<std::size_t>(row)](j, i) = mixed(row);
    }
  return forms;
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

}  // namespace

Mobility second_order_mobility(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  if (s.order != 2 || s.ng == 0 || s.nk > 0 || s.moving || s.nv > most_velocities) return Mobility::free;
  Evaluation e;
  problem.evaluate(Part::jacobian, Point(t, z), e);
  const RowSizes found = row_sizes(problem, t, z);
  const Vector& levers = found.scales.levers;
  const Matrix rows = rows_in_metric(e.G, levers);
  if (!rows.allFinite()) return Mobility::free;
  const linalg::RowBasis basis(rows), columns(rows.transpose());
  const Eigen::Index rank = basis.farther_than(nearly_lost);
  if (rank == s.nv || rank == s.ng) return Mobility::free;
  const Matrix directions = basis.complement(rank);
  const Matrix U = (directions.array().colwise() / levers.array()).matrix();
  const Matrix W = columns.complement(rank);
  const std::vector<Matrix> forms = curvature_forms(problem, t, z, U);
  const bool at_the_place = basis.farther_than(RankLimits::smallest_sine) == rank;
  const std::vector<Vector> motions = motions_at(problem, t, z, levers, directions);
  Mobility mobility = Mobility::free;
  for (Eigen::Index k = 0; k < W.cols(); ++k) {
    Matrix form = Matrix::Zero(U.cols(), U.cols());
    double size = 0;
    for (int i = 0; i < s.ng; ++i) {
      const double length = (e.G.row(i).array() / levers.transpose().array()).matrix().norm();
      if (!(length > 0)) continue;
      form += W(i, k) / length * forms[static_cast<std::size_t>(i)];
      size += std::abs(W(i, k)) / length * forms[static_cast<std::size_t>(i)].norm();
    }
    if (!form.allFinite() || !(size > 0)) continue;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(form);
    const Vector& values = eigen.eigenvalues();
    const double smallest = values(0), largest = values(values.size() - 1), noise = roundoff * size;
    const bool one_sign = (smallest > -noise && largest > noise) || (largest < noise && smallest < -noise);
    if (!one_sign) continue;
    // Directions in which nothing moves, and whether velocities or accelerations go there.
    bool pushed = false;
    for (const Vector& motion : motions) {
      const Vector parts = eigen.eigenvectors().transpose() * motion;
      const Vector locked = (values.array().abs() > noise).select(parts, 0.0);
      pushed = pushed || locked.norm() > unloaded * motion.norm();
    }
    const bool all = smallest > noise || largest < -noise;
    mobility = std::max(mobility, !(at_the_place && pushed) ? Mobility::stiff_here
                                  : all                     ? Mobility::locked
                                                            : Mobility::part_locked);
  }
  return mobility;
}

}  // namespace driftless

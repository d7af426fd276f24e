#include <driftless/core/scales.hpp>

#include <algorithm>

#include <driftless/core/problem.hpp>

namespace driftless {

namespace {

constexpr int places = 3;
constexpr double negligible =
    1e-12;  // entries of rows, by the largest of their row: roundoff of a lever of length 0
constexpr int sweeps = 10;

Parts row_parts(const Shape& s) {
  Parts parts;
  if (s.ng > 0 || s.sparse()) parts = Part::jacobian;
  return s.nk > 0 ? parts | Part::velocity_jacobian : parts;
}

// The levers by which the largest entries of rows (divided by their largest one) and columns come to 1, as far as coordinates of different sizes
// speak for different units: a small entry may as well be a small tilt. Columns of the largest coordinates have lever 1, no other has less,
// and none more than these coordinates by its own.
Vector balancing_levers(const Matrix& largest, const Scales& scales) {
  const Eigen::Index n = largest.cols();
  const double longest = scales.moves.maxCoeff();
  Vector levers = Vector::Ones(n);
  if (!(longest > scales.moves.minCoeff()) || !std::isfinite(longest)) return levers;
  Matrix A = largest;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double most = A.row(i).maxCoeff();
    A.row(i) = (A.row(i).array() > negligible * most).select(A.row(i), 0.0);
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (const double most = A.row(i).maxCoeff(); most > 0) A.row(i) /= most;
    for (Eigen::Index j = 0; j < n; ++j)
      if (const double most = A.col(j).maxCoeff(); most > 0) {
        A.col(j) /= std::sqrt(most);
        levers(j) *= std::sqrt(most);
      }
  }
  double unit = 0;
  for (Eigen::Index j = 0; j < n; ++j)
    if (scales.moves(j) >= 0.5 * longest) unit = std::max(unit, levers(j));
  for (Eigen::Index j = 0; j < n; ++j)
    levers(j) = std::clamp(levers(j) / unit, 1.0, std::max(1.0, longest / scales.moves(j)));
  return levers.allFinite() ? levers : Vector::Ones(n);
}

}  // namespace

RowSizes row_sizes(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  const int rows = s.multipliers();
  RowSizes found{problem.scales(t, z.head(s.nq)), Vector::Zero(rows)};
  if (rows == 0) {
    if (found.scales.levers.size() == 0) found.scales.levers = Vector::Ones(s.nv);  // no row speaks for units
    return found;
  }
  Evaluation e(storage_of(s));
  Workspace work;
  std::vector<Matrix> seen;
  for (int place = 0; place < places; ++place) {
    Vector there = z, delta(s.nv);
    for (int i = 0; i < s.nv; ++i)
      delta(i) = 0.1 * place * found.scales.moves(i) * std::sin(1.0 + 7.0 * i + place);
    if (place > 0) problem.displace(t, there.head(s.nq), delta, work);
    problem.evaluate(row_parts(s), Point(t, there), e);
    if (e.storage == Storage::sparse) {
      const linalg::SparseRows& C = e.sparse.C;
      for (int i = 0; i < rows; ++i) {
        double square = 0;
        for (int k = C.first(i); k < C.last(i); ++k) {
          const double entry = C.at(k) / found.scales.levers(C.column_of(k));
          square += entry * entry;
        }
        if (std::isfinite(square)) found.sizes(i) = std::max(found.sizes(i), std::sqrt(square));
      }
      continue;
    }
    Matrix C(rows, s.nv);
    if (s.ng > 0) C.topRows(s.ng) = e.G;
    if (s.nk > 0) C.bottomRows(s.nk) = e.K;
    for (int i = 0; i < rows; ++i)
      if (!C.row(i).allFinite()) C.row(i).setZero();
    seen.push_back(std::move(C));
  }
  if (seen.empty()) return found;
  if (found.scales.levers.size() == 0) {
    Matrix largest = seen.front().cwiseAbs();
    for (const Matrix& C : seen) largest = largest.cwiseMax(C.cwiseAbs());
    found.scales.levers = balancing_levers(largest, found.scales);
  }
  for (const Matrix& C : seen)
    found.sizes = found.sizes.cwiseMax(
        (C.array().rowwise() / found.scales.levers.transpose().array()).matrix().rowwise().norm());
  return found;
}

std::vector<double> lever_blocks(const Vector& levers, const std::vector<int>& sizes) {
  std::vector<double> blocks;
  Eigen::Index first = 0;
  for (const int size : sizes)
    for (int j = 0; j < size; ++j, ++first)
      for (int i = 0; i < size; ++i) blocks.push_back(i == j ? levers(first) * levers(first) : 0);
  return blocks;
}

}  // namespace driftless

#include "watched_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <driftless/linalg/row_basis.hpp>

namespace driftless {

namespace {

constexpr double lost_pivot = 1e-14;  // by the square of the row

Parts row_parts(const Shape& s) {
  Parts parts;
  if (s.ng > 0) parts = parts | Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  return parts;
}

}  // namespace

WatchedRows::WatchedRows(const Problem& problem)
    : problem_(problem),
      shape_(problem.shape()),
      parts_(row_parts(shape_)),
      e_(storage_of(shape_)),
      levers_(problem.scales(0, Vector::Zero(shape_.nq)).levers),
      metric_(shape_.sparse() ? lever_blocks(levers_, shape_.bodies) : std::vector<double>()) {
  if (shape_.multipliers() > 0) e_.prepare(shape_, parts_);
}

void WatchedRows::choose(std::vector<int> rows) {
  chosen_ = std::move(rows);
  if (shape_.sparse()) {
    chosen_.resize(static_cast<std::size_t>(shape_.multipliers()));
    std::iota(chosen_.begin(), chosen_.end(), 0);
    angles_.start_without_rows(count());
    return;
  }
  rows_.setZero(count(), shape_.nv);
  angles_.start(count());
}

bool WatchedRows::evaluate(double t, VectorIn z) {
  problem_.evaluate(parts_, Point(t, z), e_);
  if (shape_.sparse()) {
    if (saddle_.empty()) saddle_ = linalg::SparseSaddle(e_.sparse.C, count(), shape_.bodies);
    if (saddle_.factor(metric_.data(), e_.sparse.C, lost_pivot) != linalg::FactorStatus::ok) return false;
    angles_.squares = Eigen::Map<const Vector>(saddle_.squares().data(), count());
    angles_.pivots = Eigen::Map<const Vector>(saddle_.pivots().data(), count());
    for (const int i : saddle_.dependent()) angles_.pivots(i) = 0;
    for (const int i : rank_.left_out()) angles_.pivots(i) = angles_.squares(i);
    angles_.take();
    return true;
  }
  for (int k = 0; k < count(); ++k) {
    const int i = chosen_[static_cast<std::size_t>(k)];
    if (i < shape_.ng)
      rows_.row(k) = e_.G.row(i);
    else
      rows_.row(k) = e_.K.row(i - shape_.ng);
  }
  if (!rows_.allFinite()) return false;
  if (levers_.size() > 0) rows_.array().rowwise() /= levers_.transpose().array();
  angles_.measure(rows_);
  return true;
}

Vector WatchedRows::in_metric(VectorIn row) const {
  return levers_.size() > 0 ? Vector(row.cwiseQuotient(levers_)) : Vector(row);
}

const std::vector<int>& WatchedRows::decide(double t, VectorIn z) {
  problem_.evaluate(parts_, Point(t, z), e_);
  rank_.factor(problem_, t, z, e_);
  return rank_.left_out();
}

// In [M C^T; C 0] the row is a force, and the multipliers of the rows that count are what it has of each.
Vector WatchedRows::combination(int row) {
  Vector force = Vector::Zero(shape_.nv), rest = force, shares = Vector::Zero(count());
  e_.sparse.C.add_to(force.data(), row, 1);
  rank_.solve(e_, force, shares, rest, shares);
  return shares;
}

bool WatchedRows::take(const Matrix& rows) {
  if (shape_.sparse() || rows.rows() != rows_.rows() || !rows.allFinite()) return false;
  rows_ = rows;
  if (levers_.size() > 0) rows_.array().rowwise() /= levers_.transpose().array();
  angles_.measure(rows_);
  return true;
}

Vector WatchedRows::rest(int k) {
  if (!shape_.sparse()) {
    const Vector e = angles_.rest(rows_, k);
    shares_ = angles_.shares();
    return e;
  }
  saddle_.shares(k, taken_);
  shares_ = Eigen::Map<const Vector>(taken_.data(), count());
  Vector e = Vector::Zero(shape_.nv);
  e_.sparse.C.add_to(e.data(), k, 1);
  for (int i = 0; i < count(); ++i)
    if (shares_(i) != 0) e_.sparse.C.add_to(e.data(), i, -shares_(i));
  return in_metric(e);
}

// By the pivots where matrices are sparse, which are never below the singular values.
int WatchedRows::rank(double limit) const {
  if (!shape_.sparse()) {
    Matrix scaled = rows_;
    for (int k = 0; k < scaled.rows(); ++k) scaled.row(k) /= std::max(angles_.length(k), 1e-300);
    return static_cast<int>(linalg::RowBasis(scaled).farther_than(limit));
  }
  int rank = 0;
  for (int k = 0; k < count(); ++k)
    if (angles_.ratio(k) > limit) ++rank;
  return rank;
}

double WatchedRows::smallest_sine(const RowSizes& nearby) const {
  if (count() == 0) return 1;
  if (shape_.sparse()) {
    double smallest = 1;
    for (int k = 0; k < count(); ++k)
      if (nearby.sizes(k) > 0)
        smallest = std::min(smallest, angles_.ratio(k) * std::sqrt(angles_.squares(k)) / nearby.sizes(k));
    return smallest;
  }
  Matrix scaled = rows_;
  if (levers_.size() == 0) scaled.array().rowwise() /= nearby.scales.levers.transpose().array();
  for (int k = 0; k < count(); ++k)
    if (const double size = nearby.sizes(chosen_[static_cast<std::size_t>(k)]); size > 0)
      scaled.row(k) /= size;
  return linalg::RowBasis(scaled).distance(count() - 1);
}

}  // namespace driftless

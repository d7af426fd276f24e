#include "sparse_placed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <driftless/core/doubted_rows.hpp>
#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless {

namespace {

using linalg::FactorStatus;

constexpr double safe_square = 1e-6;       // of sines: rows that a step towards the manifold may rely on
constexpr double doubted_square = 1e-8;    // squares may be wrong by as much
constexpr double exchanged_square = 1e-4;  // a redundant row may take the place of one that near the others
constexpr double shortest = 1e-3;  // part of its ordinary size by which a residual is divided at least

std::vector<int> together(const std::vector<int>& a, std::vector<int> b) {
  std::sort(b.begin(), b.end());
  std::vector<int> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

Parts row_parts(const Shape& s) {
  Parts parts = Part::jacobian;
  if (s.ng > 0) parts = parts | Part::position;
  return s.nk > 0 ? parts | Part::velocity_jacobian : parts;
}

}  // namespace

SparsePlacedRows::SparsePlacedRows(const Problem& problem, int rows, const Scales& scales,
                                   const Vector& sizes)
    : PlacedRows(problem, rows, scales, sizes),
      e_(Storage::sparse),
      zero_(Vector::Zero(shape_.nv)),
      multipliers_(rows) {}

bool SparsePlacedRows::evaluate(double t, VectorIn z) {
  place_ = z;
  problem_.evaluate(row_parts(shape_), Point(t, place_), e_);
  if (saddle_.empty()) {
    C_ = e_.sparse.C;
    saddle_ = linalg::SparseSaddle(C_, count(), shape_.bodies);
  }
  missed_.setZero();
  for (int i = 0; i < count(); ++i) {
    for (int k = C_.first(i); k < C_.last(i); ++k)
      C_.value[static_cast<std::size_t>(k)] = e_.sparse.C.at(k) / scales_.levers(C_.column_of(k));
    lengths_(i) = std::sqrt(C_.square(i));
    if (i < shape_.ng) missed_(i) = e_.g(i) / std::max({lengths_(i), shortest * sizes_(i), 1e-300});
    for (int k = C_.first(i); k < C_.last(i); ++k)
      C_.value[static_cast<std::size_t>(k)] /= std::max(lengths_(i), 1e-300);
  }
  return finite();
}

std::vector<int> SparsePlacedRows::vanishing() const {
  std::vector<int> gone;
  for (int i = 0; i < count(); ++i)
    if (lengths_(i) <= RankLimits::dependent_sine * sizes_(i)) gone.push_back(i);
  return gone;
}

bool SparsePlacedRows::factor(const std::vector<int>& without, double limit) {
  saddle_.leave_out(without);
  return saddle_.factor(nullptr, C_, limit) == FactorStatus::ok;
}

bool SparsePlacedRows::keep_safe_positions() {
  return factor(vanishing(), safe_square);
}

std::vector<int> SparsePlacedRows::left_out(const RowLimits& limits) {
  const int redundant = limits.off ? 0 : limits.redundant[0] + limits.redundant[1];
  const double sine = limits.off ? RankLimits::redundant_sine : limits.sine;
  constexpr double limit = RankLimits::dependent_sine * RankLimits::dependent_sine;
  const std::vector<int> gone = vanishing();
  if (!factor(gone, limit)) return gone;
  const std::vector<int> lost = together(gone, saddle_.dependent()),
                         doubted =
                             doubted_rows(saddle_, lost, redundant > 0 ? exchanged_square : doubted_square);
  const auto expected = static_cast<std::size_t>(redundant);
  if (doubted.empty() && lost.size() <= expected) return lost;
  const auto more_than = [&](const std::vector<int>& rows) {
    return expected > rows.size() ? expected - rows.size() : 0;
  };
  // Rows that are lost here alone, and with them the others, since any of those that depend on each other may be the one.
  std::vector<int> all = doubted;
  std::set_difference(lost.begin(), lost.end(), gone.begin(), gone.end(), std::back_inserter(all));
  if ((lost.size() > expected || !doubted.empty()) && all.size() <= most_doubted)
    return with_dependent_rows(saddle_, C_, gone, all, sine, more_than(gone));
  if (doubted.empty() || doubted.size() > most_doubted) return lost;
  return with_dependent_rows(saddle_, C_, lost, doubted, sine, more_than(lost));
}

std::vector<int> SparsePlacedRows::dependent(double sine) {
  const std::vector<int> gone = vanishing();
  return factor(gone, sine * sine) ? together(gone, saddle_.dependent()) : gone;
}

bool SparsePlacedRows::keep_without(const std::vector<int>& rows) {
  return factor(together(rows, vanishing()), 0);
}

void SparsePlacedRows::least_move(VectorIn right, VectorOut delta) {
  saddle_.solve(C_, zero_, right, delta, multipliers_);
  delta.array() /= scales_.levers.array();
}

void SparsePlacedRows::times(VectorIn delta, VectorOut right) const {
  const Vector moved = delta.cwiseProduct(scales_.levers);
  right.setZero();
  C_.add_times(count(), 1, moved.data(), right.data());
}

}  // namespace driftless

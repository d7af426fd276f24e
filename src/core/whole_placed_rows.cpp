#include "whole_placed_rows.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/linalg/chosen_rows.hpp>
#include <driftless/linalg/row_basis.hpp>

namespace driftless {

namespace {

constexpr double safe_sine = 1e-3;  // rows that a step towards the manifold may rely on

}  // namespace

bool WholePlacedRows::evaluate(double t, VectorIn z) {
  const int ng = shape_.ng, nk = count() - ng;
  Parts parts;
  if (ng > 0) parts = Part::position | Part::jacobian;
  if (nk > 0) parts = parts | Part::velocity_jacobian;
  place_ = z;
  problem_.evaluate(parts, Point(t, place_), e_);
  C_.resize(count(), shape_.nv);
  if (ng > 0) C_.topRows(ng) = e_.G;
  if (nk > 0) C_.bottomRows(nk) = e_.K;
  C_.array().rowwise() /= scales_.levers.transpose().array();
  lengths_ = C_.rowwise().norm();
  missed_.setZero();
  for (int i = 0; i < count(); ++i) {
    const double scale = std::max({lengths_(i), sizes_(i), 1e-300});
    if (i < ng) missed_(i) = e_.g(i) / scale;
    if (lengths_(i) <= RankLimits::dependent_sine * sizes_(i))
      C_.row(i).setZero();
    else
      C_.row(i) /= scale;  // what is not finite stays so
  }
  return finite();
}

bool WholePlacedRows::keep_safe_positions() {
  safe_.emplace(C_.topRows(shape_.ng));
  return true;
}

std::vector<int> WholePlacedRows::left_out(const RowLimits& limits) {
  std::vector<int> left_out;
  weakest_ = 1;
  Matrix rest = C_;  // less what lies in the span of the rows chosen
  const int sizes[2] = {shape_.ng, count() - shape_.ng};
  for (int group = 0, first = 0; group < 2; first += sizes[group++])
    choose_group(
        first, sizes[group], rest,
        [&, group](int k) {
          const int from_last = sizes[group] - k;
          if (from_last <= limits.redundant[group])
            return limits.off || group == 1 ? RankLimits::redundant_sine : 2.0;
          return from_last <= limits.lost_before[group] ? RankLimits::hysteresis * limits.sine : limits.sine;
        },
        left_out);
  return left_out;
}

void WholePlacedRows::choose_group(int first, int size, Matrix& rest, const std::function<double(int)>& limit,
                                   std::vector<int>& left_out) {
  if (size == 0) return;
  const linalg::RowBasis basis(rest.middleRows(first, size));
  const int most = std::min<int>(size, static_cast<int>(rest.cols()));
  int rank = 0;
  while (rank < most && basis.distance(rank) > limit(rank)) ++rank;
  if (rank > 0) weakest_ = std::min(weakest_, basis.distance(rank - 1));
  const std::vector<int> chosen = linalg::chosen_rows(rest.middleRows(first, size), rank, safe_sine_);
  for (int i = 0; i < size; ++i)
    if (!std::binary_search(chosen.begin(), chosen.end(), i)) left_out.push_back(first + i);
  const Matrix span = basis.span(rank);
  rest -= (rest * span).eval() * span.transpose();
}

std::vector<int> WholePlacedRows::dependent(double sine) {
  return left_out({.sine = sine});
}

bool WholePlacedRows::keep_without(const std::vector<int>& rows) {
  Matrix kept = C_;
  for (const int i : rows) kept.row(i).setZero();
  if (!kept.allFinite()) return false;
  safe_.reset();
  kept_.setThreshold(RankLimits::dependent_sine);
  kept_.compute(kept);
  return true;
}

void WholePlacedRows::least_move(VectorIn right, VectorOut delta) {
  if (safe_)
    delta = safe_->least_move(right.head(shape_.ng), safe_->farther_than(safe_sine));
  else
    delta = kept_.solve(Vector(right));
  delta.array() /= scales_.levers.array();
}

void WholePlacedRows::times(VectorIn delta, VectorOut right) const {
  right = C_ * (delta.array() * scales_.levers.array()).matrix();
}

}  // namespace driftless

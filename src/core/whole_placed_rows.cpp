#include "whole_placed_rows.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/linalg/chosen_rows.hpp>
#include <driftless/linalg/row_basis.hpp>

namespace driftless {

namespace {

constexpr double safe_sine = 1e-3;  // rows that a step towards the manifold may rely on

}  // namespace

WholePlacedRows::WholePlacedRows(const Problem& problem, bool with_K, const Scales& scales,
                                 const Vector& sizes)
    : problem_(problem),
      shape_(problem.shape()),
      ng_(shape_.ng),
      with_K_(with_K),
      scales_(scales),
      sizes_(sizes) {}

bool WholePlacedRows::evaluate(double t, VectorIn z) {
  Parts parts;
  if (ng_ > 0) parts = Part::position | Part::jacobian;
  const int nk = with_K_ ? shape_.nk : 0;
  if (nk > 0) parts = parts | Part::velocity_jacobian;
  place_ = z;
  problem_.evaluate(parts, Point(t, place_), e_);
  C_.resize(ng_ + nk, shape_.nv);
  if (ng_ > 0) C_.topRows(ng_) = e_.G;
  if (nk > 0) C_.bottomRows(nk) = e_.K;
  C_.array().rowwise() /= scales_.levers.transpose().array();
  lengths_ = C_.rowwise().norm();
  missed_ = Vector::Zero(count());
  for (int i = 0; i < count(); ++i) {
    const double scale = std::max({lengths_(i), sizes_(i), 1e-300});
    if (i < ng_) missed_(i) = e_.g(i) / scale;
    if (lengths_(i) <= RankLimits::dependent_sine * sizes_(i))
      C_.row(i).setZero();
    else
      C_.row(i) /= scale;  // what is not finite stays so
  }
  return C_.allFinite() && missed_.allFinite();
}

double WholePlacedRows::evaluate_nearest(double t, VectorIn z) {
  Vector place = z;
  double all = 0;
  for (int pass = 0;; ++pass) {
    const bool finite = evaluate(t, place);
    if (pass == 2 || ng_ == 0 || !finite) break;
    const linalg::RowBasis basis(C_.topRows(ng_));
    Vector delta = basis.least_move(-missed_.head(ng_), basis.farther_than(safe_sine));
    delta.array() /= scales_.levers.array();
    const double far = scales_.distance(delta);
    if (pass == 0) all = far;
    if (!(far > 1e-14) || !(far < 0.1)) break;
    problem_.displace(t, place.head(shape_.nq), delta, work_);
  }
  return all;
}

void WholePlacedRows::choose_group(int first, int size, Matrix& rest, const std::function<double(int)>& limit,
                                   std::vector<int>& rows, std::vector<int>& left_out,
                                   double& weakest) const {
  if (size == 0) return;
  const linalg::RowBasis basis(rest.middleRows(first, size));
  const int most = std::min<int>(size, static_cast<int>(rest.cols()));
  int rank = 0;
  while (rank < most && basis.distance(rank) > limit(rank)) ++rank;
  if (rank > 0) weakest = std::min(weakest, basis.distance(rank - 1));
  const std::vector<int> chosen = linalg::chosen_rows(rest.middleRows(first, size), rank, safe_sine_);
  for (int i = 0; i < size; ++i) {
    const bool counts = std::binary_search(chosen.begin(), chosen.end(), i);
    (counts ? rows : left_out).push_back(first + i);
  }
  const Matrix span = basis.span(rank);
  rest -= (rest * span).eval() * span.transpose();
}

std::vector<int> WholePlacedRows::dependent(double sine) {
  std::vector<int> rows, left_out;
  double weakest = 1;
  choose([&](int, int) { return sine; }, rows, left_out, weakest);
  return left_out;
}

bool WholePlacedRows::keep_without(const std::vector<int>& rows) {
  Matrix kept = C_;
  for (const int i : rows) kept.row(i).setZero();
  if (!kept.allFinite()) return false;
  kept_.setThreshold(RankLimits::dependent_sine);
  kept_.compute(kept);
  return true;
}

void WholePlacedRows::least_move(VectorIn right, VectorOut delta) {
  delta = kept_.solve(Vector(right));
  delta.array() /= scales_.levers.array();
}

void WholePlacedRows::times(VectorIn delta, VectorOut right) const {
  right = C_ * (delta.array() * scales_.levers.array()).matrix();
}

void WholePlacedRows::residual(VectorOut missed) const {
  missed = missed_;
}

double WholePlacedRows::off(const std::vector<int>& rows) const {
  double largest = 0;
  for (const int i : rows) largest = std::max(largest, std::abs(missed_(i)));
  return largest;
}

}  // namespace driftless

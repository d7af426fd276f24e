#include <driftless/core/sparse_constraints.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <driftless/core/doubted_rows.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

namespace {

using linalg::SparseRows;

constexpr double safe_square = 1e-6;          // of sines: no doubt about rows
constexpr double vanishing_square = 1e-10;    // of a row by what it was
constexpr double contradiction_limit = 5e-2;  // as in rank_decision.cpp
constexpr double least_norm_shift = 1e-9;     // of S, by its largest diagonal entry
constexpr int least_norm_passes =
    300;  // at most: each leaves shift / (s^2 + shift) of what belongs to the singular value s
constexpr double least_norm_rest = 1e-13;  // of the forces

Parts row_parts(const Shape& s) {
  Parts parts = Part::jacobian;
  if (s.ng > 0) parts = parts | Part::position;
  return s.nk > 0 ? parts | Part::velocity_jacobian : parts;
}

std::vector<int> together(const std::vector<int>& a, std::vector<int> b) {
  std::sort(b.begin(), b.end());
  std::vector<int> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

// A row that vanishes at the very place tells nothing about its own size: how long rows are around here is measured too.
void SparseConstraints::start(const Problem& problem, double t, VectorIn z, const SparseRows& C) {
  const Shape& s = problem.shape();
  rows_ = of_ == Of::all ? s.multipliers() : s.ng;
  saddle_ = linalg::SparseSaddle(C, rows_, s.bodies);
  near_ = saddle_;
  sizes_.setZero(rows_);
  near_sizes_.setZero(rows_);
  zero_.setZero(s.nv);
  pull_.setZero(s.nv);
  rest_.setZero(rows_);
  Evaluation e(Storage::sparse);
  Workspace work;
  for (int sample = 1; sample < 3; ++sample) {
    Vector place = z, delta(s.nv);
    for (int i = 0; i < s.nv; ++i)
      delta(i) = 0.1 * sample * (1 + (i < s.nq ? std::abs(z(i)) : 0)) * std::sin(1.0 + 7.0 * i + sample);
    problem.displace(t, place.head(s.nq), delta, work);
    problem.evaluate(row_parts(s), Point(t, place), e);
    vanishing(e.sparse.C, near_sizes_);
  }
  if (metric_ != Metric::given) sizes_ = near_sizes_;
}

std::vector<int> SparseConstraints::vanishing(const SparseRows& C, Vector& sizes) const {
  std::vector<int> gone;
  for (int i = 0; i < rows_; ++i) {
    const double square = C.square(i);
    if (square > sizes(i) && std::isfinite(square)) sizes(i) = square;
    if (square <= vanishing_square * sizes(i)) gone.push_back(i);
  }
  return gone;
}

Status SparseConstraints::factor(const Problem& problem, double t, VectorIn z, const Evaluation& e) {
  const SparseRows& C = e.sparse.C;
  if (saddle_.empty()) start(problem, t, z, C);
  const double* mass = metric_ == Metric::mass ? e.sparse.M.data() : nullptr;
  const bool was_restricted = restricted_;
  const std::vector<int> gone = vanishing(C, sizes_);
  restricted_ = !gone.empty();
  if (restricted_ || was_restricted) saddle_.leave_out(gone);
  if (const auto status = saddle_.factor(mass, C); status != linalg::FactorStatus::ok)
    return status_of(status);
  if (!restricted_ && saddle_.weakest() > safe_square) {
    left_out_ = saddle_.dependent();
    std::sort(left_out_.begin(), left_out_.end());
    return Status::ok;
  }
  left_out_ = dependent_nearby(problem, t, z);
  saddle_.leave_out(left_out_);
  restricted_ = !left_out_.empty();
  if (const auto status = saddle_.factor(mass, C); status != linalg::FactorStatus::ok)
    return status_of(status);
  left_out_ = together(left_out_, saddle_.dependent());
  return Status::ok;
}

Status SparseConstraints::factor_without(const Evaluation& e, const std::vector<int>& rows) {
  left_out_ = rows;
  restricted_ = true;
  saddle_.leave_out(rows);
  return status_of(saddle_.factor(metric_ == Metric::mass ? e.sparse.M.data() : nullptr, e.sparse.C));
}

std::vector<int> SparseConstraints::dependent_nearby(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  Evaluation e(Storage::sparse);
  Workspace work;
  Vector place = z, delta(s.nv), multipliers(rows_);
  for (int pass = 0;; ++pass) {
    problem.evaluate(row_parts(s), Point(t, place), e);
    const std::vector<int> gone = vanishing(e.sparse.C, near_sizes_);
    near_.leave_out(gone);
    const auto decided = [&] {
      const bool finite = near_.factor(nullptr, e.sparse.C) == linalg::FactorStatus::ok;
      return finite ? with_doubted_rows(near_, e.sparse.C, together(gone, near_.dependent())) : gone;
    };
    if (pass == 2 || s.ng == 0 || !e.g.allFinite()) return decided();
    if (near_.factor(nullptr, e.sparse.C, safe_square) != linalg::FactorStatus::ok) return gone;
    rest_.setZero();
    rest_.head(s.ng) = -e.g;
    near_.solve(e.sparse.C, zero_, rest_, delta, multipliers);
    const double far = delta.norm(), size = 1 + place.head(s.nq).norm();
    if (!(far > 1e-14 * size) || !(far < 0.1 * size)) return decided();
    problem.displace(t, place.head(s.nq), delta, work);
  }
}

void SparseConstraints::solve(const Evaluation& e, VectorIn f, VectorIn r, VectorOut a, VectorOut l) {
  saddle_.solve(e.sparse.C, f, r, a, l);
}

// The solution of (C C^T) l = C (C^T l) of least norm, by passes with a small multiple of I added: what they yield has no part in the null
// space of C^T.
void SparseConstraints::least_norm(const Evaluation& e, VectorOut l) {
  if (full()) return;
  const SparseRows& C = e.sparse.C;
  near_.leave_out({});
  const double shift = least_norm_shift * sizes_.maxCoeff();
  if (near_.factor(nullptr, C, 0, shift) != linalg::FactorStatus::ok) return;
  pull_.setZero();
  C.add_transposed_times(rows_, 1, l.data(), pull_.data());
  l.setZero();
  const double all = pull_.norm();
  double left = all;
  for (int pass = 0; pass < least_norm_passes && left > least_norm_rest * all; ++pass) {
    rest_.setZero();
    C.add_times(rows_, 1, pull_.data(), rest_.data());
    near_.solve_rows(rest_.data());
    l += rest_;
    C.add_transposed_times(rows_, -1, rest_.data(), pull_.data());
    const double now = pull_.norm();
    if (!(now < 0.99 * left)) break;  // roundoff
    left = now;
  }
}

bool SparseConstraints::contradicts(const Evaluation& e, VectorIn a, VectorIn r, double free) const {
  if (full()) return false;
  const SparseRows& C = e.sparse.C;
  const double longest = std::sqrt(sizes_.maxCoeff());
  double size = a.lpNorm<Eigen::Infinity>(), off = 0;
  for (int i = 0; i < rows_; ++i) {
    const double length = std::max({std::sqrt(sizes_(i)), 1e-6 * longest, 1e-300});
    double terms = std::abs(r(i));
    for (int k = C.first(i); k < C.last(i); ++k) terms += std::abs(C.at(k) * a(C.column_of(k)));
    size = std::max(size, terms / length);
    off = std::max(off, std::abs(C.product(i, a.data()) - r(i)) / length);
  }
  return !(off <= contradiction_limit * size + 1e-9 * free);
}

}  // namespace driftless

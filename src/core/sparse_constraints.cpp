#include <driftless/core/sparse_constraints.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <driftless/core/problem.hpp>

#include "missed_without.hpp"
#include "sparse_placed_rows.hpp"

namespace driftless {

namespace {

using linalg::SparseRows;

constexpr double safe_square = 1e-6;          // of sines: no doubt about rows
constexpr double steady = 0.25;               // of the weakest pivot where angles were safe
constexpr double useless_square = 1e-15;      // of pivots: roundoff of S
constexpr double doubtful_square = 1e-12;     // refinement with the residual hardly gains
constexpr int most_orthogonal = 300;          // velocities up to which whole matrices serve then
constexpr double contradiction_limit = 5e-2;  // as in rank_decision.cpp
constexpr double least_norm_shift = 1e-9;     // of S, by its largest diagonal entry
constexpr int least_norm_passes =
    300;  // at most: each leaves shift / (s^2 + shift) of what belongs to the singular value s
constexpr double least_norm_rest = 1e-13;  // of the forces

std::vector<int> ascending(std::vector<int> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<int> together(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

void SparseConstraints::start(const Problem& problem, double t, VectorIn z, const SparseRows& C) {
  const Shape& s = problem.shape();
  rows_ = of_ == Of::all ? s.multipliers() : s.ng;
  saddle_ = linalg::SparseSaddle(C, rows_, s.bodies);
  near_ = saddle_;
  RowSizes found = row_sizes(problem, t, z);
  scales_ = std::move(found.scales);
  sizes_ = found.sizes.head(rows_);
  if (metric_ == Metric::points) point_metric_ = lever_blocks(scales_.levers, s.bodies);
  zero_.setZero(s.nv);
  pull_.setZero(s.nv);
  rest_.setZero(rows_);
}

const double* SparseConstraints::metric(const Evaluation& e) const {
  if (metric_ == Metric::given) return nullptr;
  return metric_ == Metric::mass ? e.sparse.M.data() : point_metric_.data();
}

// Whether the pivots say nothing new: the rows that the last decision left out are lost, and no other is much nearer to that than it was.
bool SparseConstraints::as_decided() {
  if (restricted_ || ascending(saddle_.dependent()) != left_out_) return false;
  if (!decided_) return left_out_.empty() && saddle_.weakest() > safe_square;
  return saddle_.weakest() > std::min(safe_square, steady * weakest_);
}

void SparseConstraints::decide(const Problem& problem, double t, VectorIn z) {
  SparsePlacedRows rows(problem, rows_, scales_, sizes_);
  const double distance = rows.evaluate_nearest(t, z);
  const Vector place = rows.place();
  if (!decided_) {
    const std::vector<int> lost = rows.left_out(RankLimits::dependent_sine, 0);
    const Redundancy found = redundancy(problem, scales_, rows, t, place, lost);
    redundant_ = found.positions + found.velocities;
    rows.evaluate(t, place);
  }
  decided_ = true;
  left_out_ = rows.left_out(RankLimits::dependent_sine, redundant_);
  const std::size_t lost = left_out_.size();
  if (use_ == For::velocities && lost > static_cast<std::size_t>(redundant_)) {
    left_out_ = rows.left_out(RankLimits::start_sine_at(distance), redundant_);
    rows.evaluate(t, place);
  }
  if ((use_ == For::steps || use_ == For::accelerations) && lost > static_cast<std::size_t>(redundant_)) {
    const std::vector<int> less = rows.left_out(RankLimits::sine_at(distance), redundant_);
    const bool fewer = less.size() < lost;
    if (fewer && (!passes(problem, scales_, rows, t, place, z, lost) ||
                  (use_ == For::accelerations && bent_without(problem, t, z, less))))
      left_out_ = less;
    if (fewer) rows.evaluate(t, place);
  }
  if (redundant_ > 0 && rows.off(left_out_) > RankLimits::redundant_off * scales_.missed())
    left_out_ = rows.left_out(RankLimits::redundant_sine, 0);
}

// Whether the motion without the rows of left_out_ that are not in `less` misses these.
bool SparseConstraints::bent_without(const Problem& problem, double t, VectorIn z,
                                     const std::vector<int>& less) const {
  std::vector<int> doubtful, safe;
  std::set_difference(left_out_.begin(), left_out_.end(), less.begin(), less.end(),
                      std::back_inserter(doubtful));
  for (int i = 0; i < rows_; ++i)
    if (!std::binary_search(left_out_.begin(), left_out_.end(), i)) safe.push_back(i);
  return !(missed_without(problem, scales_, sizes_, t, z, safe, doubtful) < RankLimits::bent);
}

Status SparseConstraints::factor(const Problem& problem, double t, VectorIn z, const Evaluation& e) {
  const SparseRows& C = e.sparse.C;
  if (saddle_.empty()) start(problem, t, z, C);
  orthogonal_.reset();
  if (restricted_) saddle_.leave_out({});
  restricted_ = false;
  if (const auto status = saddle_.factor(metric(e), C); status != linalg::FactorStatus::ok)
    return status_of(status);
  if (as_decided()) return Status::ok;
  const double weakest = saddle_.weakest();
  const bool all_kept = saddle_.dependent().empty();
  decide(problem, t, z);
  weakest_ = left_out_.empty() && !all_kept ? 0 : weakest;
  if (left_out_.empty() && all_kept) return Status::ok;
  saddle_.leave_out(left_out_);
  restricted_ = true;
  if (const auto status = saddle_.factor(metric(e), C, useless_square); status != linalg::FactorStatus::ok)
    return status_of(status);
  const bool useless = !saddle_.dependent().empty() || saddle_.weakest() < doubtful_square;
  if (useless && made_orthogonal(problem, e)) return Status::ok;
  left_out_ = together(left_out_, ascending(saddle_.dependent()));
  return Status::ok;
}

// [M C^T; C 0] with the rows that count, by dependent_saddle.hpp.
bool SparseConstraints::made_orthogonal(const Problem& problem, const Evaluation& e) {
  const Shape& s = problem.shape();
  if (s.nv > most_orthogonal) return false;
  Matrix M = Matrix::Identity(s.nv, s.nv), C = Matrix::Zero(rows_, s.nv);
  if (const double* blocks = metric(e))
    for (int b = 0, first = 0; b < static_cast<int>(s.bodies.size()); ++b) {
      const int size = s.bodies[static_cast<std::size_t>(b)];
      M.block(first, first, size, size) = Eigen::Map<const Matrix>(blocks, size, size);
      blocks += size * size;
      first += size;
    }
  for (int i = 0; i < rows_; ++i)
    for (int k = e.sparse.C.first(i); k < e.sparse.C.last(i); ++k)
      C(i, e.sparse.C.column_of(k)) = e.sparse.C.at(k);
  std::vector<int> counting;
  for (int i = 0; i < rows_; ++i)
    if (!std::binary_search(left_out_.begin(), left_out_.end(), i)) counting.push_back(i);
  auto made = std::make_shared<linalg::DependentSaddle>();
  if (made->factor(M, C.transpose(), C, counting, counting) != linalg::FactorStatus::ok) return false;
  orthogonal_ = std::move(made);
  return true;
}

Status SparseConstraints::factor_without(const Evaluation& e, const std::vector<int>& rows) {
  left_out_ = rows;
  restricted_ = true;
  orthogonal_.reset();
  saddle_.leave_out(rows);
  return status_of(saddle_.factor(metric(e), e.sparse.C));
}

void SparseConstraints::solve(const Evaluation& e, VectorIn f, VectorIn r, VectorOut a, VectorOut l) {
  if (orthogonal_) return orthogonal_->solve(f, r, a, l);
  saddle_.solve(e.sparse.C, f, r, a, l);
}

// The solution of (C C^T) l = C (C^T l) of least norm, by passes with a small multiple of I added: what they yield has no part in the null
// space of C^T.
void SparseConstraints::least_norm(const Evaluation& e, VectorOut l) {
  if (full()) return;
  const SparseRows& C = e.sparse.C;
  double largest = 0;
  for (int i = 0; i < rows_; ++i) largest = std::max(largest, C.square(i));
  near_.leave_out({});
  if (near_.factor(nullptr, C, 0, least_norm_shift * largest) != linalg::FactorStatus::ok) return;
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

bool SparseConstraints::contradicts(const Evaluation& e, VectorIn a, VectorIn r, double free,
                                    double curved) const {
  if (full()) return false;
  const SparseRows& C = e.sparse.C;
  const Vector& levers = scales_.levers;
  const bool given = metric_ == Metric::given;
  const double longest = sizes_.maxCoeff();
  double size = (given ? Vector(a) : Vector(a.cwiseProduct(levers))).lpNorm<Eigen::Infinity>(), off = 0;
  for (int i = 0; i < rows_; ++i) {
    double square = 0, terms = std::abs(r(i));
    for (int k = C.first(i); k < C.last(i); ++k) {
      const int j = C.column_of(k);
      const double entry = given ? C.at(k) : C.at(k) / levers(j);
      square += entry * entry;
      terms += std::abs(C.at(k) * a(j));
    }
    const double own = given ? 0 : sizes_(i);
    const double length = std::max({std::sqrt(square), own, given ? 0 : 1e-6 * longest, 1e-300});
    size = std::max(size, terms / length);
    off = std::max(off, std::abs(C.product(i, a.data()) - r(i)) / length);
  }
  // Rows are made orthogonal only where some are so near the others that pivots say nothing.
  const double near = orthogonal_ ? 0 : std::sqrt(saddle_.weakest()), sine = redundant_ > 0 ? near : 1,
               magnified = std::pow(RankLimits::magnified(sine), 3);
  return !(off <= contradiction_limit * magnified * std::max(size, curved) + 1e-9 * free);
}

}  // namespace driftless

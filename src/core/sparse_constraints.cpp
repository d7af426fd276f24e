#include <driftless/core/sparse_constraints.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <driftless/core/problem.hpp>

namespace driftless {

namespace {

using linalg::SparseRows;

constexpr double safe_square = 1e-6;       // of sines: no doubt about rows
constexpr double steady = 0.25;            // of the weakest pivot where angles were safe
constexpr double useless_square = 1e-15;   // of pivots: roundoff of S
constexpr double doubtful_square = 1e-12;  // refinement with the residual hardly gains
constexpr int most_orthogonal = 300;       // velocities up to which whole matrices serve then
constexpr double least_norm_shift = 1e-9;  // of S, by its largest diagonal entry
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

SparseConstraints SparseConstraints::by_branches(const SparseRows& pattern, const std::vector<int>& branches,
                                                 For use) {
  SparseConstraints made(Of::all, Metric::points, use);
  const SparseRows none;
  made.branches_.emplace(
      std::make_shared<const linalg::FieldPattern>(branches, none, pattern, 0, linalg::Fields{}));
  return made;
}

void SparseConstraints::start(const Problem& problem, double t, VectorIn z, const SparseRows& C) {
  const Shape& s = problem.shape();
  rows_ = of_ == Of::all ? s.multipliers() : s.ng;
  saddle_ = linalg::SparseSaddle(C, rows_, s.bodies);
  near_ = saddle_;
  if (metric_ == Metric::points || across_used_)
    point_metric_ = lever_blocks(problem.scales(t, z.head(s.nq)).levers, s.bodies);
  zero_.setZero(s.nv);
  pull_.setZero(s.nv);
  rest_.setZero(rows_);
}

const double* SparseConstraints::metric(const Evaluation& e) const {
  if (transformed_) return nullptr;
  return metric_ == Metric::mass && !across_used_ ? e.sparse.M.data() : point_metric_.data();
}

// Whether the pivots say nothing new: the rows that the last decision left out are lost, and no other is much nearer to that than it was.
bool SparseConstraints::as_decided() {
  if (restricted_ || ascending(saddle_.dependent()) != left_out_) return false;
  if (!decided_) return left_out_.empty() && saddle_.weakest() > safe_square;
  return saddle_.weakest() > std::min(safe_square, steady * weakest_);
}

// Rows that belong to two places are judged by those that are imposed, as smallest displacements.
Status SparseConstraints::factor(const Problem& problem, double t, VectorIn z, const Evaluation& forces,
                                 const Evaluation& rows) {
  if (branches_) {
    const Status status = factor_rows(problem, t, z, rows);
    return status == Status::ok ? factor_branches(forces, rows) : status;
  }
  across_used_ = &forces != &rows;
  if (!across_used_) return factor_rows(problem, t, z, rows);
  if (const Status status = factor_rows(problem, t, z, rows); status != Status::ok) return status;
  if (across_.empty()) across_ = linalg::SparseSaddle(rows.sparse.C, rows_, problem.shape().bodies);
  across_.leave_out(left_out_);
  return status_of(across_.factor(forces.sparse.M.data(), forces.sparse.C, rows.sparse.C));
}

// Rows left out have a multiplier of zero instead.
Status SparseConstraints::factor_branches(const Evaluation& forces, const Evaluation& rows) {
  idle_.assign(static_cast<std::size_t>(rows_), 0);
  branches_->clear();
  for (const int row : left_out_) {
    idle_[static_cast<std::size_t>(row)] = 1;
    branches_->add_to_row(0, 0, row, 1);
  }
  branches_->add_mass(0, 0, forces.sparse.M, 1);
  branches_->add_transposed(0, 0, forces.sparse.C, 1);
  branches_->add_rows(0, 0, rows.sparse.C, 1, idle_);
  return branches_->factor() ? Status::ok : Status::singular_step;
}

Status SparseConstraints::factor_rows(const Problem& problem, double t, VectorIn z, const Evaluation& e) {
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
  decided_ = true;
  rank_.decide(problem, t, z);
  left_out_ = rank_.left_out();
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
  if (branches_) {
    fields_.resize(f.size() + r.size());
    fields_ << f, r;
    for (const int row : left_out_) fields_(f.size() + row) = 0;
    branches_->solve(fields_);
    a = fields_.head(f.size());
    l = fields_.tail(r.size());
    return;
  }
  if (across_used_) return across_.solve(e.sparse.C, f, r, a, l);
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
  // Rows are made orthogonal only where some are so near the others that pivots say nothing.
  const double near = orthogonal_ ? 0 : std::sqrt(saddle_.weakest()), sine = rank_.redundant() > 0 ? near : 1;
  RowMeasure measure{.magnified = std::pow(RankLimits::magnified(sine), 3)};
  if (!transformed_) measure.levers = &rank_.scales().levers, measure.sizes = &rank_.sizes();
  return driftless::contradicts({e.sparse.C, rows_}, a, r, measure, free, curved);
}

}  // namespace driftless

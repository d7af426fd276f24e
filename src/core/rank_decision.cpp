#include <driftless/core/rank_decision.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <driftless/core/idle_multipliers.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/linalg/chosen_rows.hpp>
#include <driftless/linalg/rank.hpp>
#include <driftless/linalg/row_basis.hpp>

namespace driftless {

namespace {

constexpr double dependent_limit = 1e-5;      // sine up to which a row is dependent
constexpr double back_limit = 3e-5;           // sine above which a row that was dependent counts again
constexpr double safe_sine = 1e-3;            // rows that a step towards the manifold may rely on
constexpr double contradiction_limit = 5e-2;  // drift of some percent makes redundant rows differ by as much

Matrix constraint_rows(const Evaluation& e, const Shape& s, bool with_K) {
  Matrix C(s.ng + (with_K ? s.nk : 0), s.nv);
  if (s.ng > 0) C.topRows(s.ng) = e.G;
  if (with_K && s.nk > 0) C.bottomRows(s.nk) = e.K;
  return C;
}

Parts row_parts(const Shape& s, bool with_K) {
  Parts parts;
  if (s.ng > 0) parts = Part::position | Part::jacobian;
  if (with_K && s.nk > 0) parts = parts | Part::velocity_jacobian;
  return parts;
}

}  // namespace

Matrix RankDecision::scaled(const Matrix& C) const {
  Matrix rows = C;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double size = rows.row(i).norm();
    if (size <= dependent_limit * sizes_(i))
      rows.row(i).setZero();
    else
      rows.row(i) /= size;  // what is not finite stays so
  }
  return rows;
}

// How long rows are around here: a row that vanishes at the very place tells nothing about its own size.
void RankDecision::measure(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  const bool with_K = of_ == Of::all;
  Evaluation e;
  Workspace work;
  sizes_ = Vector::Zero(s.ng + (with_K ? s.nk : 0));
  for (int sample = 0; sample < 3; ++sample) {
    Vector place = z;
    Vector delta(s.nv);
    for (int i = 0; i < s.nv; ++i)
      delta(i) = 0.1 * sample * (1 + (i < s.nq ? std::abs(z(i)) : 0)) * std::sin(1.0 + 7.0 * i + sample);
    if (sample > 0) problem.displace(t, place.head(s.nq), delta, work);
    problem.evaluate(row_parts(s, with_K), Point(t, place), e);
    const Vector lengths = constraint_rows(e, s, with_K).rowwise().norm();
    for (Eigen::Index i = 0; i < lengths.size(); ++i)
      if (std::isfinite(lengths(i))) sizes_(i) = std::max(sizes_(i), lengths(i));
  }
}

Matrix RankDecision::rows_near(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  const bool with_K = of_ == Of::all;
  Evaluation e;
  Workspace work;
  Vector place = z;
  for (int pass = 0;; ++pass) {
    problem.evaluate(row_parts(s, with_K), Point(t, place), e);
    const Matrix C = scaled(constraint_rows(e, s, with_K));
    if (pass == 2 || s.ng == 0 || !C.allFinite() || !e.g.allFinite()) return C;
    Vector residual = e.g;
    for (int i = 0; i < s.ng; ++i) residual(i) /= std::max(e.G.row(i).norm(), 1e-300);
    const linalg::RowBasis basis(C.topRows(s.ng));
    const Vector delta = basis.least_move(-residual, basis.farther_than(safe_sine));
    const double far = delta.norm(), size = 1 + place.head(s.nq).norm();
    if (!(far > 1e-14 * size) || !(far < 0.1 * size)) return C;
    problem.displace(t, place.head(s.nq), delta, work);
  }
}

// Rows of G come first: a velocity constraint that repeats one of them is the one that is left out, and positions stay imposed.
void RankDecision::decide(const Problem& problem, double t, VectorIn z) {
  if (sizes_.size() == 0) measure(problem, t, z);
  const Matrix C = rows_near(problem, t, z);
  const Eigen::Index count = C.rows(), ng = problem.shape().ng;
  const std::vector<int> were_left_out = std::exchange(left_out_, {});
  rows_.resize(static_cast<std::size_t>(count));
  std::iota(rows_.begin(), rows_.end(), 0);
  full_ = true;
  pending_ = count > 0;
  if (count == 0 || !C.allFinite()) return;
  rows_.clear();
  double weakest = 1;
  Matrix rest = C;  // less what lies in the span of the rows chosen
  for (const auto& group : {std::pair{Eigen::Index(0), ng}, std::pair{ng, count - ng}}) {
    const Eigen::Index first = group.first, size = group.second;
    if (size == 0) continue;
    const auto lost_before = std::count_if(were_left_out.begin(), were_left_out.end(),
                                           [&](int i) { return i >= first && i < first + size; });
    const linalg::RowBasis basis(rest.middleRows(first, size));
    const Eigen::Index sure = basis.farther_than(back_limit),
                       rank =
                           std::max(sure, std::min(basis.farther_than(dependent_limit), size - lost_before));
    if (rank > 0) weakest = std::min(weakest, basis.distance(rank - 1));
    const std::vector<int> chosen = linalg::chosen_rows(rest.middleRows(first, size), rank);
    for (int i = 0; i < static_cast<int>(size); ++i) {
      const bool counts = std::binary_search(chosen.begin(), chosen.end(), i);
      (counts ? rows_ : left_out_).push_back(static_cast<int>(first) + i);
    }
    const Matrix span = basis.span(rank);
    rest -= (rest * span).eval() * span.transpose();
  }
  full_ = left_out_.empty();
  pending_ = !full_ || weakest < back_limit;
}

template <class Factor>
std::optional<Status> RankDecision::quickly(const linalg::SaddlePoint& saddle, Factor factor) {
  const bool first = pending_ && sizes_.size() == 0;
  if (pending_ && !first) return std::nullopt;
  const linalg::FactorStatus status = factor();
  if (status == linalg::FactorStatus::rank_loss) return std::nullopt;
  if (status != linalg::FactorStatus::ok) return status_of(status);
  if (first ? !saddle.clearly_independent() : saddle.doubted()) return std::nullopt;
  pending_ = false;
  return Status::ok;
}

Status RankDecision::factor(linalg::SaddlePoint& saddle, const Problem& problem, double t, VectorIn z,
                            MatrixIn M, MatrixIn C) {
  if (const auto status = quickly(saddle, [&] { return saddle.factor(M, C); })) return *status;
  decide(problem, t, z);
  if (full_ && !pending_) {
    const linalg::FactorStatus status = saddle.factor(M, C);
    if (status != linalg::FactorStatus::rank_loss && !saddle.doubted()) return status_of(status);
  }
  return status_of(saddle.factor(M, C.transpose(), C, rows_, rows_));
}

Status RankDecision::factor(linalg::SaddlePoint& saddle, const Problem& problem, double t, VectorIn z,
                            MatrixIn M, MatrixIn B, MatrixIn C) {
  if (const auto status = quickly(saddle, [&] { return saddle.factor(M, B, C); })) return *status;
  decide(problem, t, z);
  if (full_ && !pending_) {
    const linalg::FactorStatus status = saddle.factor(M, B, C);
    if (status != linalg::FactorStatus::rank_loss && !saddle.doubted()) return status_of(status);
  }
  if (!B.allFinite()) return Status::not_finite;
  const Matrix unit = linalg::row_normalised(B.transpose());
  const auto rank = static_cast<Eigen::Index>(rows_.size());
  if (linalg::RowBasis(unit).farther_than(linalg::row_angle_limit) < rank) return Status::rank_loss;
  const std::vector<int> columns = linalg::chosen_rows(unit, rank);
  return status_of(saddle.factor(M, B, C, rows_, columns));
}

Vector RankDecision::least_norm(const Matrix& B, const Vector& l) const {
  const Matrix idle = idle_multipliers(B, idle_columns(B, left_out_.size()));
  return l - idle * (idle.transpose() * l);
}

bool RankDecision::contradicts(MatrixIn C, VectorIn a, VectorIn r, double free) const {
  const Vector own = C.rowwise().norm().cwiseMax(sizes_);
  const Vector lengths =
      own.cwiseMax(1e-6 * own.maxCoeff()).cwiseMax(1e-300);  // a row that is always met has none
  const Vector terms = C.cwiseAbs() * a.cwiseAbs() + r.cwiseAbs();
  const double size = std::max(terms.cwiseQuotient(lengths).maxCoeff(), a.lpNorm<Eigen::Infinity>());
  return !((C * a - r).cwiseAbs().cwiseQuotient(lengths).maxCoeff() <=
           contradiction_limit * size + 1e-9 * free);
}

}  // namespace driftless

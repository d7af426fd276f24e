#include <driftless/core/rank_decision.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <driftless/core/idle_multipliers.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/linalg/chosen_rows.hpp>
#include <driftless/linalg/rank.hpp>
#include <driftless/linalg/row_basis.hpp>

#include "missed_without.hpp"
#include "placed_rows.hpp"
#include "redundancy.hpp"

namespace driftless {

namespace {

constexpr double rounded = 1e-4;              // of what redundant rows may be off by: more is no roundoff
constexpr double contradiction_limit = 5e-2;  // drift of some percent makes redundant rows differ by as much

}  // namespace

void RankDecision::start(const Problem& problem, double t, VectorIn z) {
  RowSizes found = row_sizes(problem, t, z);
  scales_ = std::move(found.scales);
  sizes_ = of_ == Of::all ? found.sizes : Vector(found.sizes.head(problem.shape().ng));
}

// Rows of G come first: a velocity constraint that repeats one of them is the one that is left out, and positions stay imposed.
void RankDecision::decide(const Problem& problem, double t, VectorIn z) {
  const bool first = sizes_.size() == 0;
  if (first) start(problem, t, z);
  const int count = of_ == Of::all ? problem.shape().multipliers() : problem.shape().ng;
  const std::vector<int> before = std::exchange(left_out_, {});
  weakest_ = 1;
  pending_ = count > 0;
  if (count > 0) {
    const auto rows = placed_rows(problem, count, scales_, sizes_);
    const double distance = rows->evaluate_nearest(t, z);
    if (rows->finite()) {
      if (first) look_elsewhere(problem, t, *rows);
      choose(problem, t, z, *rows, distance, before);
      pending_ = !left_out_.empty() || weakest_ < RankLimits::redundant_sine;
    }
  }
  rows_.clear();
  for (int i = 0; i < count; ++i)
    if (!std::binary_search(left_out_.begin(), left_out_.end(), i)) rows_.push_back(i);
  full_ = left_out_.empty();
  singular_ = std::max(0, static_cast<int>(left_out_.size()) - redundant());
}

// Which of the rows that depend on others do so everywhere.
void RankDecision::look_elsewhere(const Problem& problem, double t, PlacedRows& rows) {
  const std::vector<int> lost = rows.left_out({});
  if (lost.empty()) return;
  const Vector place = rows.place();
  const Redundancy found = redundancy(problem, scales_, rows, t, place, lost);
  redundant_[0] = found.positions, redundant_[1] = found.velocities;
  rows.evaluate(t, place);
}

void RankDecision::choose(const Problem& problem, double t, VectorIn z, PlacedRows& rows, double distance,
                          const std::vector<int>& before) {
  const auto positions =
      static_cast<int>(std::lower_bound(before.begin(), before.end(), problem.shape().ng) - before.begin());
  RowLimits limits{.redundant = {redundant_[0], redundant_[1]},
                   .lost_before = {positions, static_cast<int>(before.size()) - positions}};
  const auto leave_out = [&] {
    left_out_ = rows.left_out(limits);
    weakest_ = rows.weakest();
  };
  leave_out();
  if (!left_out_.empty() && rows.off() > rounded * scales_.missed() && rows.prefer_strong_rows()) leave_out();
  limits.off = rows.off(left_out_) > RankLimits::redundant_off * scales_.missed();
  if (limits.off && redundant_[0] > 0) leave_out();
  const std::size_t lost = left_out_.size();
  if (lost <= static_cast<std::size_t>(redundant()) || use_ == For::corrections) return;
  if (use_ == For::velocities) {
    limits.sine = RankLimits::start_sine_at(distance);
    return leave_out();
  }
  const std::vector<int> cautious = left_out_;
  const double sine_of_cautious = weakest_;
  limits.sine = RankLimits::sine_at(distance);
  leave_out();
  if (left_out_.size() == lost || !passes(problem, scales_, rows, t, rows.place(), z, lost)) return;
  if (use_ == For::accelerations && !(missed_by(problem, t, z, cautious) < RankLimits::bent)) return;
  left_out_ = cautious;
  weakest_ = sine_of_cautious;
}

// By the motion without `cautious`, of those among them that are not left out now.
double RankDecision::missed_by(const Problem& problem, double t, VectorIn z,
                               const std::vector<int>& cautious) const {
  std::vector<int> doubtful, safe;
  std::set_difference(cautious.begin(), cautious.end(), left_out_.begin(), left_out_.end(),
                      std::back_inserter(doubtful));
  for (int i = 0; i < static_cast<int>(sizes_.size()); ++i)
    if (!std::binary_search(cautious.begin(), cautious.end(), i)) safe.push_back(i);
  return missed_without(problem, scales_, sizes_, t, z, safe, doubtful);
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
  Matrix unit = linalg::row_normalised(B.transpose());
  const auto rank = static_cast<Eigen::Index>(rows_.size());
  const auto lost = [&] { return linalg::RowBasis(unit).farther_than(linalg::row_angle_limit) < rank; };
  if (lost()) {  // at the end of long levers all of them turn more than they move
    unit = linalg::row_normalised(B.transpose().array().rowwise() / scales_.levers.transpose().array());
    if (lost()) return Status::rank_loss;
  }
  const std::vector<int> columns = linalg::chosen_rows(unit, rank);
  return status_of(saddle.factor(M, B, C, rows_, columns));
}

Vector RankDecision::least_norm(const Matrix& B, const Vector& l) const {
  const Matrix idle = idle_multipliers(B, idle_columns(B, left_out_.size()));
  return l - idle * (idle.transpose() * l);
}

bool contradicts(const linalg::RowsView& C, VectorIn a, VectorIn r, const RowMeasure& measure, double free,
                 double curved) {
  Vector lengths(C.rows()), terms = r.cwiseAbs();
  double points = 0;
  for (Eigen::Index j = 0; j < a.size(); ++j) points = std::max(points, std::abs(a(j)) * measure.lever(j));
  for (int i = 0; i < C.rows(); ++i) {
    double square = 0;
    C.each(i, [&](int j, double entry) {
      const double moved = entry / measure.lever(j);
      square += moved * moved;
      terms(i) += std::abs(entry * a(j));
    });
    lengths(i) = std::max(std::sqrt(square), measure.size(i));
  }
  const double longest = lengths.maxCoeff();
  double size = std::max(points, curved), off = 0;
  for (int i = 0; i < C.rows(); ++i) {
    const double length =
        std::max({lengths(i), 1e-6 * longest, 1e-300});  // a row that is always met has none
    size = std::max(size, terms(i) / length);
    off = std::max(off, std::abs(C.product(i, a.data()) - r(i)) / length);
  }
  return !(off <= contradiction_limit * measure.magnified * size + 1e-9 * free);
}

bool RankDecision::contradicts(const linalg::RowsView& C, VectorIn a, VectorIn r, double free,
                               double curved) const {
  const double magnified = redundant() > 0 ? std::pow(RankLimits::magnified(weakest_), 3) : 1;
  return driftless::contradicts(C, a, r, {&scales_.levers, &sizes_, magnified}, free, curved);
}

}  // namespace driftless

#include <driftless/core/rank_decision.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include <driftless/core/idle_multipliers.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/linalg/chosen_rows.hpp>
#include <driftless/linalg/rank.hpp>
#include <driftless/linalg/row_basis.hpp>

#include "missed_without.hpp"
#include "whole_placed_rows.hpp"

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
  WholePlacedRows rows(problem, of_ == Of::all, scales_, sizes_);
  const double distance = rows.evaluate_nearest(t, z);
  const int count = rows.count(), ng = rows.positions();
  const std::vector<int> were_left_out = std::exchange(left_out_, {});
  rows_.resize(static_cast<std::size_t>(count));
  std::iota(rows_.begin(), rows_.end(), 0);
  full_ = true;
  singular_ = 0;
  pending_ = count > 0;
  if (count == 0 || !rows.finite()) return;
  if (first) {
    const std::vector<int> lost = rows.dependent(RankLimits::dependent_sine);
    if (!lost.empty()) {
      WholePlacedRows elsewhere = rows;
      const Redundancy found = redundancy(problem, scales_, elsewhere, t, rows.place(), lost);
      redundant_[0] = found.positions, redundant_[1] = found.velocities;
    }
  }
  const auto positions_lost =
      std::lower_bound(were_left_out.begin(), were_left_out.end(), ng) - were_left_out.begin();
  const int lost_before[2] = {static_cast<int>(positions_lost),
                              static_cast<int>(were_left_out.size()) - static_cast<int>(positions_lost)};
  double sine = RankLimits::dependent_sine;
  bool off = false;  // redundant rows are not met
  const auto limit = [&](int group, int k) {
    const int size = group == 0 ? ng : count - ng;
    if (k >= size - redundant_[group]) return off || group == 1 ? RankLimits::redundant_sine : 2.0;
    return k >= size - lost_before[group] ? RankLimits::hysteresis * sine : sine;
  };
  double weakest = 1;
  const auto choose = [&] { rows.choose(limit, rows_, left_out_, weakest); };
  choose();
  if (!left_out_.empty() && rows.off() > rounded * scales_.missed()) {
    rows.prefer_strong_rows();
    choose();
  }
  off = rows.off(left_out_) > RankLimits::redundant_off * scales_.missed();
  if (off && redundant_[0] > 0) choose();
  const std::size_t lost = left_out_.size();
  if (use_ == For::velocities && lost > static_cast<std::size_t>(redundant_[0] + redundant_[1])) {
    sine = RankLimits::start_sine_at(distance);
    choose();
  }
  if ((use_ == For::steps || use_ == For::accelerations) &&
      lost > static_cast<std::size_t>(redundant_[0] + redundant_[1])) {
    const std::vector<int> safe = rows_, unsafe = left_out_;
    sine = RankLimits::sine_at(distance);
    choose();
    WholePlacedRows along = rows;
    std::vector<int> doubtful;
    std::set_difference(unsafe.begin(), unsafe.end(), left_out_.begin(), left_out_.end(),
                        std::back_inserter(doubtful));
    if (left_out_.size() < lost && passes(problem, scales_, along, t, rows.place(), z, lost) &&
        (use_ == For::steps ||
         missed_without(problem, scales_, sizes_, t, z, safe, doubtful) < RankLimits::bent)) {
      sine = RankLimits::dependent_sine;
      choose();
    }
  }
  full_ = left_out_.empty();
  singular_ = std::max(0, static_cast<int>(left_out_.size()) - redundant_[0] - redundant_[1]);
  pending_ = !full_ || weakest < RankLimits::redundant_sine;
  weakest_ = weakest;
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

bool RankDecision::contradicts(MatrixIn C, VectorIn a, VectorIn r, double free, double curved) const {
  const Matrix rows = C.array().rowwise() / scales_.levers.transpose().array();
  const Vector points = a.cwiseProduct(scales_.levers);
  const Vector own = rows.rowwise().norm().cwiseMax(sizes_);
  const Vector lengths =
      own.cwiseMax(1e-6 * own.maxCoeff()).cwiseMax(1e-300);  // a row that is always met has none
  const Vector terms = rows.cwiseAbs() * points.cwiseAbs() + r.cwiseAbs();
  const double size =
      std::max({terms.cwiseQuotient(lengths).maxCoeff(), points.lpNorm<Eigen::Infinity>(), curved});
  const bool redundant = redundant_[0] + redundant_[1] > 0;
  const double magnified = redundant ? std::pow(RankLimits::magnified(weakest_), 3) : 1;
  return !((C * a - r).cwiseAbs().cwiseQuotient(lengths).maxCoeff() <=
           contradiction_limit * magnified * size + 1e-9 * free);
}

}  // namespace driftless

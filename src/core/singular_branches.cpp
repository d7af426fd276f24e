// Branches of motion near singular configurations, as the watch follows them (branch_doubt.hpp).
#include <algorithm>
#include <cmath>
#include <iterator>

#include "singularity_watch.hpp"

namespace driftless {

namespace {

constexpr double announced_at = 0.1;  // of the largest ratio of a row: a passage, as in singularity_watch.cpp
constexpr double away = 1e-3;         // of the size: so far from a singular start branches are told apart

}  // namespace

std::vector<int> SingularityWatch::regular_rows() const {
  if (!shape_.sparse()) return most_rows_;
  std::vector<int> rows;
  std::set_difference(rows_.chosen().begin(), rows_.chosen().end(), always_left_out_.begin(),
                      always_left_out_.end(), std::back_inserter(rows));
  return rows;
}

// `watched`: a row that is close to its end; -1: none is, of those that count.
void SingularityWatch::watch_branch(const State& from, const State& to, int watched, bool crossed) {
  const std::size_t regular =
      shape_.sparse() ? rows_.chosen().size() - always_left_out_.size() : most_rows_.size();
  const bool less = rank_now() < static_cast<int>(regular);
  const bool close = less || crossed || (watched >= 0 && angles().below(watched, announced_at));
  if (!close && !branch_.open()) return;
  const double size = less ? 0 : watched >= 0 ? angles().ratio(watched) : angles().smallest();
  branch_.look(from, to, size);
  const bool again = watched >= 0 && angles().below(watched, announced_at);
  if (less || again || size < branch_left_at_) return;
  branch_.leave(regular_rows());
  branch_left_at_ = 0;
}

std::string SingularityWatch::branch_doubt() {
  branch_.leave(regular_rows());
  return branch_.note();
}

void SingularityWatch::verify_branch(const State& to) {
  const double scale = std::abs(start_gap_->bend) * problem_.scales(to.t, to.q()).length;
  if (!(start_gap_->slope(problem_, to) > away * scale)) return;
  if (const auto off = start_gap_->off_branch(problem_, to, start_velocity_))
    redundancy_ += *off < 0.5 ? ": the run went on with that one"
                              : ", but the run went on with another, as forces and errors of steps decided: "
                                "give larger velocities, or start beside the place";
  start_gap_.reset();
}

bool SingularityWatch::strays(const State& from, const State& candidate, double least_apart) {
  if (followed_ < 0)  // a start beside such a place
    return branch_.open() && branch_.strays(from, candidate, from, 0, regular_rows());
  const RowAngles kept = angles();
  bool stray = false;
  if (rows_.evaluate(candidate.t, candidate.z)) {
    const double before = direction_.squaredNorm(), after = direction_.dot(rows_.rest(followed_));
    if (after < 0) {
      State between = from;
      between.z += before / (before - after) * (candidate.z - from.z);
      if (shape_.norms() > 0) problem_.normalize(between.q());
      stray = branch_.strays(from, candidate, between, least_apart, regular_rows());
    }
  }
  angles() = kept;
  return stray;
}

}  // namespace driftless

#include "branch_doubt.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless {

namespace {

constexpr double told = 10;           // tolerances that branches must be apart for a run to tell them
constexpr double tried = 3;           // for a step that leads across to be tried again
constexpr double short_enough = 0.2;  // of the gap, for it not to be
constexpr int most_passages = 100;    // that are looked at

std::string more(int count) {
  return count > 1 ? fmt::format(" (and so {} more times)", count - 1) : std::string();
}

}  // namespace

void BranchDoubt::look(const State& from, const State& to, double size) {
  if (!last_) first_ = from, nearest_ = to, size_ = size;
  last_ = to;
  if (size >= size_) return;
  nearest_ = to;
  size_ = size;
}

std::optional<BranchGap> BranchDoubt::gap_at(const State& state, const std::vector<int>& rows) {
  if (known_) return *known_;
  if (!sizes_) sizes_ = row_sizes(problem_, state.t, state.z);
  auto found = branch_gap(problem_, *sizes_, rows, state.t, state.z);
  if (open()) known_ = found;
  return found;
}

double BranchDoubt::in_tolerances(const Vector& across, const State& at) const {
  return tolerance_->norm(across, at.z, at.z);
}

void BranchDoubt::leave(const std::vector<int>& rows) {
  if (!last_) return;
  const State last = *last_;
  auto gap = known_.value_or(std::nullopt);
  last_.reset();
  known_.reset();
  if (looked_ == most_passages) return;
  ++looked_;
  if (!gap) gap = gap_at(*nearest_, rows);
  if (!gap || gap->meet) return;
  const std::string times = first_->t < last.t
                                ? fmt::format("between t = {:.8g} and {:.8g}", first_->t, last.t)
                                : fmt::format("at t = {:.8g}", last.t);
  if (gap->side(problem_, *first_) * gap->side(problem_, last) < 0) {
    if (strayed_count_++ == 0)
      strayed_ = fmt::format(
          "{} the motion passed from one branch to another that it does not meet: near that singular "
          "configuration constraints miss each other by {:.1g} of the size, and branches come as near as "
          "{:.1g} of it. Steps decided that, not the model, whose motion turns there",
          times, gap->missed, gap->apart);
    return;
  }
  if (!tolerance_) return;
  const double apart = in_tolerances(gap->across, *nearest_);
  if (!(apart < told)) return;
  if (close_count_++ == 0)
    close_ = fmt::format(
        "{} the motion is so near a singular configuration that branches are apart by {:.1g} of the size "
        "there, {:.2g} times what a step may be off by: errors of steps may have decided which of them it "
        "went on with",
        times, gap->apart, apart);
}

bool BranchDoubt::strays(const State& from, const State& to, const State& between, double least_apart,
                         const std::vector<int>& rows) {
  if (!tolerance_) return false;
  const auto gap = gap_at(between, rows);
  if (!gap || gap->meet || gap->apart < least_apart ||
      !(gap->side(problem_, from) * gap->side(problem_, to) < 0))
    return false;
  const double apart = in_tolerances(gap->across, from);
  if (!(apart > tried)) return false;
  const auto nq = problem_.shape().nq;
  Vector moved = to.z - from.z;
  moved.tail(moved.size() - nq).setZero();
  return in_tolerances(moved, from) > short_enough * apart;
}

std::string BranchDoubt::note() const {
  std::string text;
  if (strayed_count_ > 0)
    text = strayed_ + more(strayed_count_) +
           "; smaller `rtol`, or lengths that fit exactly if that is what is meant";
  if (close_count_ > 0)
    text += (text.empty() ? "" : "; ") + close_ + more(close_count_) +
            (strayed_count_ > 0 ? "" : "; a smaller `rtol` shows whether they did");
  return text;
}

}  // namespace driftless

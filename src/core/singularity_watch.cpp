#include "singularity_watch.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <driftless/linalg/row_basis.hpp>

#include "root.hpp"

namespace driftless {

namespace {

constexpr double near = 0.5;          // of the largest ratio of a row: look closely
constexpr double announced_at = 0.1;  // of it: approaching
constexpr double locked_at = 0.05;    // of it, with velocities that grew: locked up
constexpr double at_crossing =
    1e-3;  // ratio, and singular values (rows scaled), below which rank is lost at a located crossing
constexpr double noticed_share = 0.05;  // of a row in another one that depends on it
constexpr std::size_t most_rows = 6;

Parts row_parts(const Shape& s) {
  Parts parts;
  if (s.ng > 0) parts = parts | Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  return parts;
}

}  // namespace

const char* name_of(Singularity::Kind kind) {
  switch (kind) {
    case Singularity::Kind::approaching:
      return "approaching";
    case Singularity::Kind::crossed:
      return "crossed";
    case Singularity::Kind::rank_changed:
      return "rank-changed";
  }
  return "";
}

std::string describe(const Singularity& singularity, const Problem& problem) {
  std::string text;
  if (singularity.kind == Singularity::Kind::crossed)
    text = fmt::format("rank {} there, {} around: ", singularity.rank, singularity.rank_before);
  else if (singularity.kind == Singularity::Kind::rank_changed)
    text = fmt::format("from {} to {}: ", singularity.rank_before, singularity.rank);
  const auto& rows = singularity.rows;
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i)
    text += (i ? "; " : "") + problem.constraint_name(rows[i]);
  if (rows.size() > most_rows) text += fmt::format("; .. and {} more", rows.size() - most_rows);
  return text;
}

SingularityWatch::SingularityWatch(const Problem& problem)
    : problem_(problem), shape_(problem.shape()), parts_(row_parts(shape_)) {
  if (shape_.multipliers() > 0) e_.prepare(shape_, parts_);
}

void SingularityWatch::choose_rows() {
  const auto count = static_cast<Eigen::Index>(chosen_.size());
  rows_.setZero(count, shape_.nv);
  angles_.start(count);
  followed_ = -1;
  announced_ = false;
}

void SingularityWatch::start(const State& state) {
  const int rows = shape_.multipliers();
  if (rows == 0) return;
  between_ = state;
  rank_ = RankDecision();
  chosen_.resize(static_cast<std::size_t>(rows));
  std::iota(chosen_.begin(), chosen_.end(), 0);
  choose_rows();
  evaluate(state.t, state.z);
  if (angles_.clearly_independent()) {
    rank_.take_as_independent();
  } else {
    rank_.decide(problem_, state.t, state.z);
    chosen_ = rank_.rows();
    choose_rows();
    evaluate(state.t, state.z);
  }
  if (!rank_.full()) {
    const std::string which = problem_.dependent_constraints(state.t, state.z);
    const auto lost = rank_.left_out().size();
    redundancy_ = fmt::format(
        "{} of {} constraints {} redundant at the start{}{}; the motion is that of the others, and "
        "multipliers "
        "are those of least norm",
        lost, rows, lost == 1 ? "is" : "are", which.empty() ? "" : ": ", which);
  }
  calm_speed_ = shape_.order > 1 ? state.z.tail(shape_.nv).lpNorm<Eigen::Infinity>() : 0;
}

bool SingularityWatch::evaluate(double t, VectorIn z) {
  problem_.evaluate(parts_, Point(t, z), e_);
  const int count = static_cast<int>(chosen_.size());
  for (int k = 0; k < count; ++k) {
    const int i = chosen_[static_cast<std::size_t>(k)];
    if (i < shape_.ng)
      rows_.row(k) = e_.G.row(i);
    else
      rows_.row(k) = e_.K.row(i - shape_.ng);
  }
  if (!rows_.allFinite()) return false;
  angles_.measure(rows_);
  return true;
}

std::vector<int> SingularityWatch::involved(int row) const {
  std::vector<int> rows;
  double largest = angles_.length(row);
  const auto size = [&](int k) { return std::abs(angles_.shares()(k)) * angles_.length(k); };
  for (int k = 0; k < row; ++k) largest = std::max(largest, size(k));
  for (int k = 0; k < row; ++k)
    if (size(k) > noticed_share * largest) rows.push_back(chosen_[static_cast<std::size_t>(k)]);
  rows.push_back(chosen_[static_cast<std::size_t>(row)]);
  return rows;
}

void SingularityWatch::add(Singularity::Kind kind, const State& state, int rank, std::vector<int> rows,
                           double size) {
  found_.push_back({.kind = kind,
                    .t = state.t,
                    .size = size,
                    .rank_before = static_cast<int>(chosen_.size()),
                    .rank = rank,
                    .rows = std::move(rows),
                    .state = state});
}

bool SingularityWatch::decide(const State& state) {
  const std::size_t before = chosen_.size();
  rank_.decide(problem_, state.t, state.z);
  if (rank_.rows().size() == before) return false;
  const bool more = rank_.rows().size() > before;
  std::vector<int> rows;  // those that count now and did not, or the other way round
  std::vector<int> now = rank_.rows();
  std::sort(now.begin(), now.end());
  const auto &from = more ? now : chosen_, &without = more ? chosen_ : now;
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::back_inserter(rows));
  add(Singularity::Kind::rank_changed, state, static_cast<int>(now.size()), std::move(rows),
      angles_.smallest());
  chosen_ = now;
  choose_rows();
  return true;
}

bool SingularityWatch::take_from(const StepInterior& step) {
  if (step.stabilizer().row_pivots(angles_.squares, angles_.pivots)) {
    angles_.take();
    return true;
  }
  const Matrix* rows = step.system().constraint_rows();
  if (!rows || rows->rows() != rows_.rows() || !rows->allFinite()) return false;
  angles_.measure(*rows);
  return true;
}

std::optional<SingularityWatch::End> SingularityWatch::look(StepInterior& step) {
  if (chosen_.empty() && rank_.full()) return std::nullopt;
  const State& to = step.to();
  ++steps_since_close_;
  const bool calm = !rank_.pending() && followed_ < 0 && !shape_.given_input;
  if (calm && take_from(step) && angles_.first_below(near) < 0) return far(to);
  if (!evaluate(to.t, to.z)) return std::nullopt;
  if (rank_.pending() || angles_.lost()) {
    if (decide(to)) evaluate(to.t, to.z);
    if (!rank_.full())
      if (auto end = contradiction(to)) return end;
  }
  if (shape_.given_input)
    if (auto end = impasse(step)) return end;
  const int row = angles_.first_below(near);
  if (row < 0 && followed_ < 0) return far(to);
  const int watched = row >= 0 ? row : followed_;
  if (follow(step, watched))
    if (auto end = violation(to, watched)) return end;
  if (angles_.below(watched, locked_at)) {
    angles_.rest(rows_, watched);
    close_rows_ = describe({.rows = involved(watched)}, problem_);
    steps_since_close_ = 0;
  }
  return row >= 0 ? std::nullopt : far(to);
}

std::optional<SingularityWatch::End> SingularityWatch::far(const State& state) {
  followed_ = -1;
  announced_ = false;
  if (shape_.order > 1 && steps_since_close_ > lately)
    calm_speed_ = std::max(calm_speed_, state.z.tail(shape_.nv).lpNorm<Eigen::Infinity>());
  return std::nullopt;
}

bool SingularityWatch::follow(StepInterior& step, int row) {
  const State &from = step.from(), &to = step.to();
  if (followed_ != row) {
    evaluate(from.t, from.z);
    direction_ = angles_.rest(rows_, row);
    followed_ = row;
    evaluate(to.t, to.z);
  }
  const Vector now = angles_.rest(rows_, row);
  const bool turned = direction_.dot(now) < 0;
  if (turned) {
    const auto along = [&](double t) {
      if (step.interpolated(t, between_) != Status::ok || !evaluate(t, between_.z)) return std::nan("");
      return direction_.dot(angles_.rest(rows_, row));
    };
    const double root = root_between(from.t, direction_.squaredNorm(), to.t, direction_.dot(now), along);
    if (std::isfinite(root)) report_crossing(step, row, root);
    announced_ = true;  // what follows is a departure
    evaluate(to.t, to.z);
  } else if (angles_.below(row, announced_at) && !std::exchange(announced_, true)) {
    add(Singularity::Kind::approaching, to, static_cast<int>(chosen_.size()), involved(row),
        angles_.smallest());
  }
  direction_ = now;
  return turned;
}

// A row that turns by more than a right angle in one step has not vanished between: then its ratio is not small where e_j seems to.
void SingularityWatch::report_crossing(StepInterior& step, int row, double t) {
  if (step.interpolated(t, between_) != Status::ok || !evaluate(t, between_.z)) return;
  between_.t = t;
  if (!angles_.below(row, at_crossing)) return;
  angles_.rest(rows_, row);
  Matrix scaled = rows_;
  for (int k = 0; k < scaled.rows(); ++k) scaled.row(k) /= std::max(angles_.length(k), 1e-300);
  const linalg::RowBasis basis(scaled);
  const Eigen::Index rank = std::min(basis.farther_than(at_crossing), scaled.rows() - 1);
  add(Singularity::Kind::crossed, between_, static_cast<int>(rank), involved(row), angles_.smallest());
}

}  // namespace driftless

#include "singularity_watch.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "placed_rows.hpp"
#include "root.hpp"
#include "second_order_mobility.hpp"

namespace driftless {

namespace {

constexpr int most_whole = 300;       // velocities, of matrices that are looked at whole at the start
constexpr double near = 0.5;          // of the largest ratio of a row: look closely
constexpr double announced_at = 0.1;  // of it: approaching
constexpr double locked_at = 0.05;    // of it, with velocities that grew: locked up
constexpr double at_crossing =
    1e-3;  // ratio, and singular values (rows scaled), below which rank is lost at a located crossing
constexpr double beside = 0.29;  // of a ratio before the step: the place lies within 0.4 steps of the end
constexpr double close_start = 1e-2;  // sine at the start, below which branches there are looked at
constexpr double left_behind = 10;    // times that: the start is no longer close
constexpr double sound = 1e-8;  // pivot by the square of its row, above which that counted as independent
constexpr double noticed_share = 0.05;  // of a row in another one that depends on it
constexpr std::size_t most_rows = 6;

// At rest, without any force: no roundoff either.
bool nothing_pushes(const Problem& problem, const State& state) {
  const Shape& s = problem.shape();
  if (s.order != 2 || s.moving || !state.v().isZero(0)) return false;
  Evaluation e(storage_of(s));
  problem.evaluate(Part::force, Point(state.t, state.z), e);
  return e.f.isZero(0);
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
    : problem_(problem), shape_(problem.shape()), rows_(problem), branch_(problem) {}

void SingularityWatch::choose_rows(std::vector<int> rows) {
  rows_.choose(std::move(rows));
  followed_ = -1;
  announced_ = false;
}

void SingularityWatch::start(const State& state, const Tolerance* tolerance) {
  const int rows = shape_.multipliers();
  branch_.start(tolerance);
  start_gap_.reset();
  locked_at_start_.reset();
  part_locked_.clear();
  if (rows == 0) return;
  between_ = state;
  rank_ = RankDecision(RankDecision::Of::all, RankDecision::For::accelerations);
  std::vector<int> all(static_cast<std::size_t>(rows));
  std::iota(all.begin(), all.end(), 0);
  choose_rows(all);
  rows_.evaluate(state.t, state.z);
  if (shape_.sparse()) {
    if (!angles().clearly_independent()) left_out_ = rows_.decide(state.t, state.z);
    always_left_out_ = left_out_;
    rows_.evaluate(state.t, state.z);
    rank_.take_as_independent();
  } else if (angles().clearly_independent()) {
    rank_.take_as_independent();
  } else {
    rank_.decide(problem_, state.t, state.z);
    choose_rows(rank_.rows());
    rows_.evaluate(state.t, state.z);
  }
  if (redundant()) {
    sizes_ = row_sizes(problem_, state.t, state.z);
    redundant_ = static_cast<int>(shape_.sparse()
                                      ? rows_.redundant()
                                      : rank_.left_out().size() - static_cast<std::size_t>(rank_.singular()));
  }
  if (redundant()) say_redundant(state, shape_.sparse() ? left_out_.size() : rank_.left_out().size());
  most_rows_ = rows_.chosen();
  say_beside(state);
  calm_speed_ = shape_.order > 1 ? state.z.tail(shape_.nv).lpNorm<Eigen::Infinity>() : 0;
  keep_pivots();
}

// By name, where they are off by what rounded coordinates may be, so that no combination of the others is exactly theirs.
std::string SingularityWatch::rows_left_out() const {
  const std::vector<int>& rows = shape_.sparse() ? left_out_ : rank_.left_out();
  if (rows.empty()) return {};
  return describe({.rows = rows}, problem_) + " can be left out";
}

void SingularityWatch::say_redundant(const State& state, std::size_t lost) {
  std::string which = problem_.dependent_constraints(state.t, state.z);
  if (which.empty()) which = rows_left_out();
  const std::size_t everywhere = std::min(lost, static_cast<std::size_t>(redundant_)),
                    here = lost - everywhere;
  const auto rows = [&](std::size_t count, const char* one, const char* many) {
    return fmt::format("{} of {} constraints {}", count, shape_.multipliers(), count == 1 ? one : many);
  };
  if (everywhere > 0)
    redundancy_ = fmt::format(
        "{} redundant at the start{}{}; the motion is that of the others, and multipliers are those of least "
        "norm",
        rows(everywhere, "is", "are"), which.empty() ? "" : ": ", which);
  if (here > 0)
    redundancy_ +=
        fmt::format("{}{} on others at the start and not elsewhere: a singular configuration{}{}; {}",
                    redundancy_.empty() ? "" : "; ", rows(here, "depends", "depend"),
                    which.empty() || everywhere > 0 ? "" : ", ", everywhere > 0 ? "" : which,
                    meaning_of_singular_start(state, which));
}

std::string SingularityWatch::meaning_of_singular_start(const State& state, const std::string& which) {
  const Mobility mobility = second_order_mobility(problem_, state.t, state.z);
  if (mobility == Mobility::free && nothing_pushes(problem_, state))
    return "several motions may meet there, and as nothing moves or pushes it, it stays where it is";
  if (mobility == Mobility::chosen && redundant_ == 0) {
    std::vector<int> all(static_cast<std::size_t>(shape_.multipliers()));
    std::iota(all.begin(), all.end(), 0);
    start_gap_ = branch_gap(problem_, row_sizes(problem_, state.t, state.z), all, state.t, state.z);
    start_velocity_ = state.v();
  }
  if (mobility == Mobility::free)
    return "several motions may meet there, and roundoff decides which of them goes on";
  if (mobility == Mobility::chosen)
    return "several motions may meet there, and its velocities at the start belong to one of them";
  if (mobility == Mobility::unknown)
    return "several motions may meet there, and roundoff decides which of them goes on, or none leads away";
  const std::string why = "constraints can be met there by displacements to first order only";
  if (mobility == Mobility::stiff_here)
    return fmt::format(
        "the mechanism, or a part of it, cannot move there, since its {}, and forces on it may be very large",
        why);
  const std::string cause = fmt::format(
      "constraints lose rank at the start{}{}; {}, so that forces have no bound; make bars longer, so that "
      "they are not in "
      "line, or give a joint more freedom",
      which.empty() ? "" : ", where ", which, why);
  if (mobility == Mobility::locked) {
    locked_at_start_ = End{EndReason::lock_up, "the mechanism cannot move: " + cause};
    return "nothing can move there";
  }
  part_locked_ = "a part of the mechanism can hardly move: " + cause;  // the run may show otherwise
  return "a part of the mechanism can hardly move there";
}

// Several motions pass near such a place, apart by the square of the sine: what is smaller decides which one a run goes on with.
void SingularityWatch::say_beside(const State& state) {
  if (!redundancy_.empty() || rows_.count() == 0 || shape_.order < 2 ||
      (!shape_.sparse() && shape_.nv > most_whole))
    return;
  const double sine = rows_.smallest_sine(row_sizes(problem_, state.t, state.z));
  if (sine < close_start) {
    branch_.look(state, state, sine);
    branch_left_at_ = left_behind * sine;
  }
  if (!(sine < RankLimits::dependent_sine)) return;
  redundancy_ = fmt::format(
      "the start lies beside a singular configuration (constraints depend on each other but for a sine of "
      "{:.1g}): {}",
      sine,
      second_order_mobility(problem_, state.t, state.z, RankLimits::dependent_sine) >= Mobility::stiff_here
          ? "the mechanism, or a part of it, can hardly move there, and forces on it are very large"
          : fmt::format("motions that meet there are apart by about {:.1g} of the size, so that errors of "
                        "that size decide "
                        "which of them goes on",
                        sine * sine));
}

bool SingularityWatch::loses_rank(const State& state, double sine) const {
  if (redundant_ == 0) return true;
  const int rows = shape_.multipliers();
  const auto placed = placed_rows(problem_, rows, sizes_.scales, sizes_.sizes);
  return !placed->evaluate(state.t, state.z) ||
         static_cast<int>(placed->left_out({.sine = sine}).size()) > redundant_;
}

std::vector<int> SingularityWatch::involved(int row) const {
  std::vector<int> rows;
  double largest = angles().length(row);
  const auto size = [&](int k) { return std::abs(rows_.shares()(k)) * angles().length(k); };
  for (int k = 0; k < rows_.count(); ++k)
    if (k != row) largest = std::max(largest, size(k));
  for (int k = 0; k < rows_.count(); ++k)
    if (k != row && size(k) > noticed_share * largest)
      rows.push_back(rows_.chosen()[static_cast<std::size_t>(k)]);
  rows.push_back(rows_.chosen()[static_cast<std::size_t>(row)]);
  return rows;
}

void SingularityWatch::add(Singularity::Kind kind, const State& state, int rank, std::vector<int> rows,
                           double size) {
  found_.push_back({.kind = kind,
                    .t = state.t,
                    .size = size,
                    .rank_before = rank_now(),
                    .rank = rank,
                    .rows = std::move(rows),
                    .state = state});
}

bool SingularityWatch::decide(const State& state) {
  const int before = rank_now();
  std::vector<int> was = rows_.chosen(), now, left_out;  // the rows that count, those that do not
  if (shape_.sparse()) {
    const auto counting = [&](const std::vector<int>& lost) {
      std::vector<int> rows;
      std::set_difference(rows_.chosen().begin(), rows_.chosen().end(), lost.begin(), lost.end(),
                          std::back_inserter(rows));
      return rows;
    };
    was = counting(left_out_);
    left_out = rows_.decide(state.t, state.z);
    now = counting(left_out);
  } else {
    rank_.decide(problem_, state.t, state.z);
    now = rank_.rows();
    std::sort(now.begin(), now.end());
  }
  if (static_cast<int>(now.size()) == before) {
    left_out_ = left_out;  // others may have taken their place
    return false;
  }
  const bool more = static_cast<int>(now.size()) > before;
  std::vector<int> rows;  // those that count now and did not, or the other way round
  const auto &from = more ? now : was, &without = more ? was : now;
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::back_inserter(rows));
  add(Singularity::Kind::rank_changed, state, static_cast<int>(now.size()), std::move(rows),
      angles().smallest());
  left_out_ = left_out;
  if (!shape_.sparse()) {
    if (now.size() > most_rows_.size()) most_rows_ = now;
    choose_rows(now);
  }
  return true;
}

bool SingularityWatch::take_from(const StepInterior& step) {
  if (step.stabilizer().row_pivots(angles().squares, angles().pivots)) {
    angles().take();
    return true;
  }
  const Matrix* rows = step.system().constraint_rows();
  return rows && rows_.take(*rows);
}

// Found by the pivots that are there anyway, then computed from the two states alone, so that a run that is taken up again goes on with the same
// bits.
std::optional<double> SingularityWatch::beside_end(const StepInterior& step, const State& candidate) {
  if (rank_.pending() || shape_.given_input || before_.size() != rows_.count() ||
      !step.stabilizer().row_pivots(angles().squares, angles().pivots))
    return std::nullopt;
  angles().take();
  for (int k = 0; k < rows_.count(); ++k) {
    if (!(angles().pivots(k) < beside * beside * before_(k))) continue;
    const State& last = step.to();
    if (!rows_.evaluate(last.t, last.z)) return std::nullopt;
    const Vector was = rows_.rest(k);
    if (!rows_.evaluate(candidate.t, candidate.z)) return std::nullopt;
    const Vector now = rows_.rest(k);
    // What is left of the row has turned round where the place lies before the end.
    const double part = now.norm() / was.norm();
    if (part < beside) return now.dot(was) < 0 ? 1 / (1 + part) : 1 / (1 - part);
  }
  return std::nullopt;
}

void SingularityWatch::keep_pivots() {
  before_ = (angles().pivots.array() > sound * angles().squares.array()).select(angles().pivots, 0.0);
}

std::optional<SingularityWatch::End> SingularityWatch::look(StepInterior& step) {
  auto end = inspect(step);
  keep_pivots();
  return end;
}

// Rows that were left out count as sound until somebody looks again: those that were not left out from the beginning in every step, and all of
// them for a while, since the start may have been a singular configuration.
bool SingularityWatch::may_come_back() {
  constexpr int at_first = 20;  // steps
  if (left_out_.empty()) return false;
  return left_out_ != always_left_out_ || ++looked_ <= at_first;
}

std::optional<SingularityWatch::End> SingularityWatch::inspect(StepInterior& step) {
  if (rows_.count() == 0 && rank_.full()) return std::nullopt;
  const State& to = step.to();
  ++steps_since_close_;
  const bool again = may_come_back();
  const bool calm = !again && !rank_.pending() && followed_ < 0 && !shape_.given_input;
  if (start_gap_) verify_branch(to);
  if (calm && take_from(step) && angles().first_below(near) < 0) {
    watch_branch(step.from(), to, -1, false);
    return far(to);
  }
  if (!rows_.evaluate(to.t, to.z)) return std::nullopt;
  if (rank_.pending() || angles().lost() || again) {
    if (decide(to)) rows_.evaluate(to.t, to.z);
    if (left_out_.size() < always_left_out_.size()) always_left_out_ = left_out_;
    if (redundant())
      if (auto end = contradiction(to)) return end;
  }
  if (shape_.given_input)
    if (auto end = impasse(step)) return end;
  const int row = angles().first_below(near);
  if (row < 0 && followed_ < 0) {
    watch_branch(step.from(), to, -1, false);
    return far(to);
  }
  const int watched = row >= 0 ? row : followed_;
  const bool crossed = follow(step, watched);
  watch_branch(step.from(), to, watched, crossed);
  passage_.look(problem_, rows_, watched, to, crossed);
  if (crossed)
    if (auto end = violation(to, watched)) return end;
  if (angles().below(watched, locked_at) && loses_rank(to, locked_at)) {
    rows_.rest(watched);
    close_rows_ = describe({.rows = involved(watched)}, problem_);
    steps_since_close_ = 0;
  }
  return row >= 0 ? std::nullopt : far(to);
}

std::optional<SingularityWatch::End> SingularityWatch::far(const State& state) {
  if (std::exchange(followed_, -1) >= 0) passage_.leave(problem_);
  announced_ = false;
  if (shape_.order > 1 && steps_since_close_ > lately)
    calm_speed_ = std::max(calm_speed_, state.z.tail(shape_.nv).lpNorm<Eigen::Infinity>());
  return std::nullopt;
}

bool SingularityWatch::follow(StepInterior& step, int row) {
  const State &from = step.from(), &to = step.to();
  if (followed_ != row) {
    rows_.evaluate(from.t, from.z);
    direction_ = rows_.rest(row);
    followed_ = row;
    rows_.evaluate(to.t, to.z);
  }
  const Vector now = rows_.rest(row);
  const bool turned = direction_.dot(now) < 0;
  if (turned) {
    const auto along = [&](double t) {
      if (step.interpolated(t, between_) != Status::ok || !rows_.evaluate(t, between_.z)) return std::nan("");
      return direction_.dot(rows_.rest(row));
    };
    const double root = root_between(from.t, direction_.squaredNorm(), to.t, direction_.dot(now), along);
    if (std::isfinite(root)) report_crossing(step, row, root);
    announced_ = true;  // what follows is a departure
    rows_.evaluate(to.t, to.z);
  } else if (angles().below(row, announced_at) && loses_rank(to, announced_at) &&
             !std::exchange(announced_, true)) {
    add(Singularity::Kind::approaching, to, rank_now(), involved(row), angles().smallest());
  }
  direction_ = now;
  return turned;
}

// A row that turns by more than a right angle in one step has not vanished between: then its ratio is not small where e_j seems to.
void SingularityWatch::report_crossing(StepInterior& step, int row, double t) {
  if (step.interpolated(t, between_) != Status::ok || !rows_.evaluate(t, between_.z)) return;
  between_.t = t;
  if (!angles().below(row, at_crossing) || !loses_rank(between_, at_crossing)) return;
  rows_.rest(row);
  const int rank = std::min(rows_.rank(at_crossing), rank_now() - 1);
  add(Singularity::Kind::crossed, between_, rank, involved(row), angles().smallest());
  branch_.look(step.from(), between_, 0);
}

}  // namespace driftless

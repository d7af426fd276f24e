// SingularityWatch: how far the constraints are from losing rank, looked at after every accepted step. Private to core.
//
// What is watched are the ratios of the independent rows of [G; K] (row_angles.hpp). Where constraints lose rank, the first e_j to vanish is a smooth
// function of time that goes through zero: two steps with e_j in opposite directions have a singular configuration between them, and the
// root of e_j along one of the two directions, on the interpolant of the step, is its time. A stabilizer has the pivots already; nothing else is
// computed unless a row is near its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/core/rank_decision.hpp>
#include <driftless/core/singularity.hpp>
#include <driftless/core/solution.hpp>

#include "branch_doubt.hpp"
#include "close_passage.hpp"
#include "step_interior.hpp"
#include "watched_rows.hpp"

namespace driftless {

class SingularityWatch {
 public:
  explicit SingularityWatch(const Problem& problem);

  // `tolerance`: of steps; null: none.
  void start(const State& state, const Tolerance* tolerance);
  // After an accepted step. Something that ends the run: what.
  struct End {
    EndReason reason;
    std::string message;
  };
  std::optional<End> look(StepInterior& step);

  // Before a step is accepted, of the state that the stabilizer has just seen: where along the step a singular configuration lies (1: at its
  // end), if that is close to the end. What is left of a row there is a small part of what it was before the step. Known where a stabilizer
  // has the pivots; formulations that are to get along without one are left alone.
  std::optional<double> beside_end(const StepInterior& step, const State& candidate);

  // Before a step is accepted: it leads from one branch to another that does not meet it, and a shorter one may not, branches being apart by
  // that part of the size at least (branch_doubt.hpp).
  bool strays(const State& from, const State& candidate, double least_apart);
  bool in_passage() const { return branch_.open(); }

  // Where a run ends early close to a singular configuration: "lock-up .." where velocities grew without bound, a hint
  // elsewhere; empty where constraints have nothing to do with it.
  struct Verdict {
    bool locked = false;
    std::string message;
  };
  Verdict verdict(const State& last) const;

  const std::vector<Singularity>& found() const { return found_; }
  // Where the constraints of the start let nothing move: lock-up.
  const std::optional<End>& locked_at_start() const { return locked_at_start_; }
  std::string redundancy() const { return redundancy_; }  // of the start, in a sentence; empty: none
  // About the branch that the run went on with, by its violation of constraints and by its steps; a passage that is open ends with that.
  std::string doubt() const { return passage_.note(); }
  std::string branch_doubt();

 private:
  static constexpr int lately = 10;  // steps
  std::optional<End> inspect(StepInterior& step);
  void keep_pivots();
  bool may_come_back();
  std::vector<int> regular_rows() const;  // those that count but for the moment of a passage
  void watch_branch(const State& from, const State& to, int watched, bool crossed);
  void verify_branch(const State& to);
  bool take_from(const StepInterior& step);  // angles from what somebody factored or evaluated already
  void choose_rows(std::vector<int> rows);
  std::string rows_left_out() const;
  void say_redundant(const State& state, std::size_t lost);
  void say_beside(const State& state);
  std::string meaning_of_singular_start(const State& state, const std::string& which);
  RowAngles& angles() { return rows_.angles(); }
  const RowAngles& angles() const { return rows_.angles(); }
  int rank_now() const { return rows_.count() - static_cast<int>(left_out_.size()); }
  bool redundant() const { return shape_.sparse() ? !left_out_.empty() : !rank_.full(); }
  bool decide(const State& state);  // true: the rank is another one than before
  // Whether more rows than the redundant ones are within that sine of the others. The rows that are watched are some of those that determine the
  // motion, and where redundant ones can take their place, they may lose rank without the mechanism noticing.
  bool loses_rank(const State& state, double sine) const;
  std::optional<End> far(const State& state);
  bool follow(StepInterior& step, int row);  // true: a crossing was found
  void report_crossing(StepInterior& step, int row, double t);
  std::optional<End> violation(const State& state, int row);
  double speed_of(const State& state, const Scales& scales) const;
  double ordinary_length(int row, double here, double longest) const;
  struct AllowedGap {
    double position, velocity;
  };
  AllowedGap allowed_gap(const Scales& scales) const;
  std::optional<End> contradiction(const State& state);
  std::optional<End> sparse_contradiction(const State& state);
  End contradicting(const State& state, int row, bool by_position, double gap) const;
  std::optional<End> impasse(StepInterior& step);
  int coupling_sign(const State& state) const;
  std::vector<int> involved(int row) const;  // after rows_.rest(row)
  void add(Singularity::Kind kind, const State& state, int rank, std::vector<int> rows, double size);

  const Problem& problem_;
  const Shape& shape_;
  RankDecision rank_;  // where matrices are whole
  RowSizes sizes_;     // where rows are redundant
  int redundant_ = 0;  // how many are
  WatchedRows rows_;
  // Rows that the others imply, where matrices are sparse: now, and at the start.
  std::vector<int> left_out_, always_left_out_;
  int looked_ = 0;     // how often at those of the start
  Vector before_;      // pivots at the last accepted state; 0 of rows that were hardly independent there
  Vector direction_;   // e_j there
  int followed_ = -1;  // the row that it belongs to; -1: none
  bool announced_ = false;
  double calm_speed_ = 0;         // far from singular configurations
  int steps_since_close_ = 1000;  // to one, and the sentence about it then
  std::string close_rows_;
  State between_;
  std::vector<Singularity> found_;
  ClosePassage passage_;
  std::vector<int> most_rows_;  // where matrices are whole: the most that counted so far
  BranchDoubt branch_;
  double branch_left_at_ = 0;           // ratio, of a passage in which the run began
  std::optional<BranchGap> start_gap_;  // of a singular start, until the run has left it
  Vector start_velocity_;
  std::string redundancy_;
  std::optional<End> locked_at_start_;
  std::string part_locked_;  // why, for a run that fails
};

}  // namespace driftless

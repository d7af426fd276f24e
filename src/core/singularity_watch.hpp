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
#include <driftless/core/row_angles.hpp>
#include <driftless/core/singularity.hpp>
#include <driftless/core/solution.hpp>

#include "step_interior.hpp"

namespace driftless {

class SingularityWatch {
 public:
  explicit SingularityWatch(const Problem& problem);

  void start(const State& state);
  // After an accepted step. Something that ends the run: what.
  struct End {
    EndReason reason;
    std::string message;
  };
  std::optional<End> look(StepInterior& step);

  // Where a run ends early close to a singular configuration: "lock-up .." where velocities grew without bound, a hint
  // elsewhere; empty where constraints have nothing to do with it.
  struct Verdict {
    bool locked = false;
    std::string message;
  };
  Verdict verdict(const State& last) const;

  const std::vector<Singularity>& found() const { return found_; }
  std::string redundancy() const { return redundancy_; }  // of the start, in a sentence; empty: none

 private:
  static constexpr int lately = 10;          // steps
  bool evaluate(double t, VectorIn z);       // rows_ and angles_; false where something is not finite
  bool take_from(const StepInterior& step);  // angles_ from what somebody factored or evaluated already
  void choose_rows();
  bool decide(const State& state);  // true: the rank is another one than before
  std::optional<End> far(const State& state);
  bool follow(StepInterior& step, int row);  // true: a crossing was found
  void report_crossing(StepInterior& step, int row, double t);
  std::optional<End> violation(const State& state, int row);
  std::optional<End> contradiction(const State& state);
  std::optional<End> impasse(StepInterior& step);
  int coupling_sign(const State& state) const;
  std::vector<int> involved(int row) const;  // after angles_.rest(row)
  void add(Singularity::Kind kind, const State& state, int rank, std::vector<int> rows, double size);

  const Problem& problem_;
  const Shape& shape_;
  Parts parts_;
  Evaluation e_;
  RankDecision rank_;
  std::vector<int> chosen_;  // the rows that are watched
  RowAngles angles_;
  Matrix rows_;
  Vector direction_;   // e_j at the last accepted state
  int followed_ = -1;  // the row that it belongs to; -1: none
  bool announced_ = false;
  double calm_speed_ = 0;         // far from singular configurations
  int steps_since_close_ = 1000;  // to one, and the sentence about it then
  std::string close_rows_;
  State between_;
  std::vector<Singularity> found_;
  std::string redundancy_;
};

}  // namespace driftless

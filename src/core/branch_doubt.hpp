// BranchDoubt: passages near singular configurations, and whether a run can know which branch it goes on with. Private to core.
//
// By branch_gap.hpp: where branches do not quite meet, a run that comes out on the other side of the gap than it came in on has left its
// branch; one that stays on its side did so surely only if the gap is more than some errors of steps wide. Where branches meet, the smooth one is
// continued, and there is nothing to doubt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/scales.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/step_controller.hpp>

#include "branch_gap.hpp"

namespace driftless {

class BranchDoubt {
 public:
  explicit BranchDoubt(const Problem& problem) : problem_(problem) {}

  // Null: fixed steps, whose errors nobody knows. It is kept.
  void start(const Tolerance* tolerance) { tolerance_ = tolerance; }

  // In a passage: from the state before it on, every accepted one; `size`: how near it is. `rows`: those of G that count around.
  bool open() const { return last_.has_value(); }
  void look(const State& from, const State& to, double size);
  void leave(const std::vector<int>& rows);  // a passage that is open ends

  // Whether a step leads from one branch to the other although it can be made so short that its errors do not.
  bool strays(const State& from, const State& to, const State& between, double least_apart,
              const std::vector<int>& rows);

  std::string note() const;  // empty: nothing to say

 private:
  std::optional<BranchGap> gap_at(const State& state, const std::vector<int>& rows);
  double in_tolerances(const Vector& across, const State& at) const;

  const Problem& problem_;
  const Tolerance* tolerance_ = nullptr;
  std::optional<RowSizes> sizes_;
  std::optional<State> first_, nearest_, last_;
  std::optional<std::optional<BranchGap>> known_;  // of this passage
  double size_ = 0;
  int looked_ = 0;  // how many passages
  int strayed_count_ = 0, close_count_ = 0;
  std::string strayed_, close_;  // the first of each
};

}  // namespace driftless

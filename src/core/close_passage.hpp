// ClosePassage: a singular configuration that a run came close to and turned away from. Where g is off by d, the motions that meet there no longer do:
// near it g is half of x^T S x, so that a motion on g = d comes no closer than |G| = sqrt(2 d |S|) and goes over from one branch to another.
// Whether the exact motion does that, too, or goes straight through, such a run does not know. Private to core.
#pragma once

#include <string>

#include "watched_rows.hpp"

namespace driftless {

class ClosePassage {
 public:
  // After an accepted step, of the row that is close to its end; `crossed`: in this step.
  void look(const Problem& problem, const WatchedRows& rows, int row, const State& state, bool crossed);
  void leave(const Problem& problem);  // no row is close any more
  std::string note() const;            // empty: nothing to say

 private:
  bool crossed_ = false;
  double ratio_ = 1;  // the smallest of this passage
  int row_ = -1;
  double t_ = 0, violation_ = 0, length_ = 1;  // there: |g|, and the largest length of the row
  Evaluation parts_;
  int count_ = 0;
  std::string first_;
  double first_violation_ = 0;
};

}  // namespace driftless

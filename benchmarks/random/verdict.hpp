// What the runs of a mechanism say about each other. A run is wrong where those that agree with each other
// contradict it: by more than 100 times what a tenfold tighter tolerance changes, and 100 tolerances, while
// the motion is not chaotic, that is, while a start moved by 1e-9 still leads to the same places.
#pragma once

#include <string>
#include <vector>

#include "runs.hpp"

namespace driftless::benchmarks::random {

enum class Verdict {  // the worse ones later
  agreed,
  chaotic,       // before anything could be compared
  alone,         // nobody else could run it
  refused,       // at default settings
  ended_early,   // for a reason that others share
  gave_up,       // where others go on soundly, without a statement about the mechanism
  undecided,     // runs contradict each other, and none has a majority
  told,          // wrong, with a note
  rough,         // within the limits, but by more than 1000 tolerances from a reference, without a note
  false_note,    // calls rows redundant that are not: a tree's, or those of a mechanism whose twin has none
  energy_off,    // by more than 1e-3 of what was exchanged, without a note
  false_end,     // "contradiction", "lock-up" and the like, where others go on soundly
  other_silent,  // another method is wrong, without a note
  silent,        // wrong at default settings, without a note
  hang,          // no end within the limit
  crash,
};
struct VerdictEntry {
  Verdict verdict;
  const char* name;
  const char* meaning;
  bool fails;  // is to be 0
};
const std::vector<VerdictEntry>& verdicts();
const VerdictEntry& entry(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::agreed;
  std::string why;                   // one sentence
  std::vector<std::string> remarks;  // on other runs
};

// How far runs may be apart at each watched time, by the size; no entry any more once the motion is chaotic, or where the
// default run has ended.
std::vector<double> allowed_differences(const std::vector<Run>& runs, double size, double offset);
// `offset`: how far the mechanism is from the origin, in sizes.
bool wants_referees(const std::vector<Run>& runs, double size, double offset);
// `tree`: its joints cannot be redundant.
Judgement judge(const std::vector<Run>& runs, double size, double offset, bool tree);

}  // namespace driftless::benchmarks::random

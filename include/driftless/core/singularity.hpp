// Singularity: a place where constraints depend on each other that do not elsewhere, as a run met it.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

struct Singularity {
  enum class Kind {
    approaching,   // a row's distance from the span of those before it fell below a tenth of its largest one
    crossed,       // it went through zero, and the motion went on smoothly
    rank_changed,  // from one accepted state to the next the rank is another one
  };
  Kind kind = Kind::approaching;
  double t = 0;
  double size =
      0;  // estimate (from above) of the smallest singular value of the constraint rows, each divided by its largest length
  int rank_before = 0, rank = 0;  // before, and there (crossed) or from there on
  std::vector<int> rows = {};     // the constraints involved
  State state = {};
};

const char* name_of(Singularity::Kind kind);

// "rank 10 to 8: crank 1 to ground, y; coupler 1 to crank 0, y; .. and 3 more"
std::string describe(const Singularity& singularity, const Problem& problem);

}  // namespace driftless
